// The tt dialect: types, enumerations and operations of Triton IR text, as Triton 3.x prints them.
#ifndef ROCXLA_TRITON_DIALECT_TT_TD
#define ROCXLA_TRITON_DIALECT_TT_TD
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::rocxla::triton::tt";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

//===-- Types ---------------------------------------------------------------------------------------------------------===//

def TT_Ptr : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"int", "1">:$space);
  let assemblyFormat = "`<` $pointee (`,` $space^)? `>`";
  let summary = "pointer";
}
// Printed and parsed as !tt.tensordesc<64x32xf16>; the older !tt.tensordesc<tensor<64x32xf16>> is read too.
def TT_TensorDesc : TypeDef<TT_Dialect, "TensorDesc"> {
  let mnemonic = "tensordesc";
  let parameters = (ins "::mlir::RankedTensorType":$block);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let summary = "descriptor of a tensor in memory, of which blocks of one shape are read and written";
}
// Tensors hold pointers to scalars, not block pointers.
def TT_ScalarPtr : Type<And<[TT_Ptr.predicate, CPred<
    "!::llvm::isa<::mlir::ShapedType>(::llvm::cast<::rocxla::triton::tt::PointerType>($_self).getPointee())">]>,
    "pointer to a scalar", "::rocxla::triton::tt::PointerType">;
def TT_Int : AnyTypeOf<[AnySignlessInteger, RankedTensorOf<[AnySignlessInteger]>]>;
def TT_Float : AnyTypeOf<[AnyFloat, RankedTensorOf<[AnyFloat]>]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, RankedTensorOf<[TT_ScalarPtr]>]>;
def TT_Bool : AnyTypeOf<[I1, RankedTensorOf<[I1]>]>;
def TT_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, TT_Ptr]>;
def TT_Tensor : RankedTensorOf<[AnySignlessInteger, AnyFloat, TT_ScalarPtr]>;
def TT_Any : AnyTypeOf<[TT_Scalar, TT_Tensor]>;

//===-- Enumerations: keyword = integer, exactly as upstream numbers them --------------------------------------------===//

class TT_Enum<string name, list<I32EnumAttrCase> cases> : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::rocxla::triton::tt";
}
class C<string sym, int v, string str> : I32EnumAttrCase<sym, v, str>;

def TT_Cache : TT_Enum<"CacheModifier", [C<"None", 1, "none">, C<"CA", 2, "ca">, C<"CG", 3, "cg">, C<"WB", 4, "wb">,
                                         C<"CS", 5, "cs">, C<"WT", 6, "wt">, C<"CV", 7, "cv">]>;
def TT_Evict : TT_Enum<"EvictionPolicy", [C<"Normal", 1, "evict_normal">, C<"First", 2, "evict_first">,
                                          C<"Last", 3, "evict_last">]>;
def TT_Sem : TT_Enum<"MemSemantic", [C<"Relaxed", 1, "relaxed">, C<"Acquire", 2, "acquire">, C<"Release", 3, "release">,
                                     C<"AcqRel", 4, "acq_rel">]>;
def TT_Scope : TT_Enum<"MemSyncScope", [C<"Gpu", 1, "gpu">, C<"Cta", 2, "cta">, C<"Sys", 3, "sys">]>;
def TT_Rmw : TT_Enum<"RMWOp", [C<"And", 1, "and">, C<"Or", 2, "or">, C<"Xor", 3, "xor">, C<"Add", 4, "add">,
                               C<"FAdd", 5, "fadd">, C<"Max", 6, "max">, C<"Min", 7, "min">, C<"UMax", 8, "umax">,
                               C<"UMin", 9, "umin">, C<"Xchg", 10, "exch">]>;
def TT_Dim : TT_Enum<"ProgramDim", [C<"X", 0, "x">, C<"Y", 1, "y">, C<"Z", 2, "z">]>;
def TT_Rounding : TT_Enum<"RoundingMode", [C<"RTZ", 0, "rtz">, C<"RTNE", 1, "rtne">]>;
def TT_PropNan : TT_Enum<"PropagateNan", [C<"None", 0, "none">, C<"All", 65535, "all">]>;
def TT_Precision : TT_Enum<"InputPrecision", [C<"TF32", 0, "tf32">, C<"TF32x3", 1, "tf32x3">, C<"IEEE", 2, "ieee">,
                                              C<"BF16x3", 3, "bf16x3">, C<"BF16x6", 4, "bf16x6">]>;
def TT_ScaledType : TT_Enum<"ScaledType", [C<"E4M3", 0, "e4m3">, C<"E5M2", 1, "e5m2">, C<"E2M3", 2, "e2m3">,
                                           C<"E3M2", 3, "e3m2">, C<"E2M1", 4, "e2m1">, C<"BF16", 5, "bf16">,
                                           C<"FP16", 6, "fp16">]>;

def TT_Padding : TT_Enum<"PaddingOption", [C<"Zero", 1, "zero">, C<"NaN", 2, "nan">]>;
def TT_DescReduce : TT_Enum<"DescriptorReduceKind", [C<"ADD", 1, "add">, C<"MIN", 2, "min">, C<"MAX", 3, "max">,
                                                     C<"INC", 4, "inc">, C<"DEC", 5, "dec">, C<"AND", 6, "and">,
                                                     C<"OR", 7, "or">, C<"XOR", 8, "xor">]>;

//===-- Type inference of the short forms -----------------------------------------------------------------------------===//

class SameShape<string from, string to, string fn>
    : TypesMatchWith<to # " follows " # from, from, to, fn # "($_self)">;
class OptionalOf<string from, string to, string fn>
    : OptionalTypesMatchWith<to # " follows " # from, from, to, fn # "($_self)">;

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

//===-- Casts and arithmetic ------------------------------------------------------------------------------------------===//

class TT_Cast<string mnemonic> : TT_Op<mnemonic, [Pure, Elementwise]> {
  let arguments = (ins TT_Any:$src);
  let results = (outs TT_Any:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}
def TT_IntToPtrOp : TT_Cast<"int_to_ptr">;
def TT_PtrToIntOp : TT_Cast<"ptr_to_int">;
def TT_BitcastOp : TT_Cast<"bitcast">;

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, Elementwise]> {
  let arguments = (ins TT_Float:$src, OptionalAttr<TT_Rounding>:$rounding);
  let results = (outs TT_Float:$result);
  let assemblyFormat = "$src (`,` `rounding` `=` $rounding^)? attr-dict `:` type($src) `->` type($result)";
}

def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins TT_Float:$x, TT_Float:$min, TT_Float:$max, TT_PropNan:$propagateNan);
  let results = (outs TT_Float:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}

def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins TT_Float:$x);
  let results = (outs TT_Float:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

class TT_Binary<string mnemonic, Type t> : TT_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins t:$x, t:$y);
  let results = (outs t:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}
def TT_PreciseDivFOp : TT_Binary<"precise_divf", TT_Float>;
def TT_MulhiUIOp : TT_Binary<"mulhiui", TT_Int>;

def TT_AddPtrOp : TT_Op<"addptr", [Pure, Elementwise, AllTypesMatch<["ptr", "result"]>]> {
  let arguments = (ins TT_PtrLike:$ptr, TT_Int:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [Elementwise, ConditionallySpeculatable,
                                                          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins Variadic<TT_Any>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Any:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let extraClassDeclaration = [{ ::mlir::Speculation::Speculatability getSpeculatability(); }];
}

def TT_InlineAsmOp : TT_Op<"elementwise_inline_asm", [Elementwise,
                                                      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Any>:$args);
  let results = (outs Variadic<TT_Any>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
}

//===-- Memory --------------------------------------------------------------------------------------------------------===//

def TT_LoadOp : TT_Op<"load", [SameShape<"ptr", "result", "pointeeOf">, OptionalOf<"ptr", "mask", "i1Like">,
                               OptionalOf<"ptr", "other", "pointeeOf">, AttrSizedOperandSegments,
                               DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_Bool>:$mask, Optional<TT_Any>:$other,
                       DefaultValuedAttr<TT_Cache, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_Evict, "EvictionPolicy::Normal">:$evict,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck, OptionalAttr<TT_Padding>:$padding);
  let useCustomPropertiesEncoding = 1;  // tt_bytecode.cc: versions differ
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_StoreOp : TT_Op<"store", [SameShape<"ptr", "value", "pointeeOf">, OptionalOf<"ptr", "mask", "i1Like">]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite]>:$ptr, TT_Any:$value, Optional<TT_Bool>:$mask,
                       DefaultValuedAttr<TT_Cache, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_Evict, "EvictionPolicy::Normal">:$evict, UnitAttr:$ignore_cta,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck);
  let useCustomPropertiesEncoding = 1;  // tt_bytecode.cc: versions differ
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

def TT_AtomicRMWOp : TT_Op<"atomic_rmw", []> {
  let arguments = (ins TT_Rmw:$kind, Arg<TT_PtrLike, "", [MemRead, MemWrite]>:$ptr, TT_Any:$val,
                       Optional<TT_Bool>:$mask, TT_Sem:$sem, TT_Scope:$scope);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $kind `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicCASOp : TT_Op<"atomic_cas", []> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead, MemWrite]>:$ptr, TT_Any:$cmp, TT_Any:$val, TT_Sem:$sem,
                       TT_Scope:$scope);
  let results = (outs TT_Any:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

//===-- Blocks of tensors in memory -------------------------------------------------------------------------------------===//
// Block pointers (before Triton 3.7) and descriptors; triton/transforms turns both into pointers and masks.

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize,
                                                   SameShape<"result", "base", "elementPointerOf">]> {
  let arguments = (ins TT_Ptr:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_Ptr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}
def TT_AdvanceOp : TT_Op<"advance", [Pure, AllTypesMatch<["ptr", "result"]>]> {
  let arguments = (ins TT_Ptr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_Ptr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let arguments = (ins TT_Ptr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       DefaultValuedAttr<TT_Padding, "PaddingOption::Zero">:$padding);
  let results = (outs TT_TensorDesc:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}
def TT_DescriptorLoadOp : TT_Op<"descriptor_load", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins TT_TensorDesc:$desc, Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_Cache, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_Evict, "EvictionPolicy::Normal">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}
def TT_DescriptorStoreOp : TT_Op<"descriptor_store", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_TensorDesc:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}
def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_DescReduce:$kind, TT_TensorDesc:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}
def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", [MemoryEffects<[MemRead]>]> {
  let arguments = (ins TT_TensorDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins TT_TensorDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===-- Shape ---------------------------------------------------------------------------------------------------------===//

class TT_Shape<string mnemonic, dag extra = (ins)> : TT_Op<mnemonic, [Pure]> {
  let arguments = !con((ins TT_Tensor:$src), extra);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}
def TT_UnsplatOp : TT_Op<"unsplat", [Pure, SameShape<"src", "result", "getElementTypeOrSelf">]> {
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
  let hasVerifier = 1;
}
def TT_ExpandDimsOp : TT_Shape<"expand_dims", (ins I32Attr:$axis)> { let hasVerifier = 1; }
def TT_BroadcastOp : TT_Shape<"broadcast"> { let hasVerifier = 1; }
def TT_TransOp : TT_Shape<"trans", (ins DenseI32ArrayAttr:$order)> { let hasVerifier = 1; }
def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)?
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

class TT_TwoTensors<string mnemonic> : TT_Op<mnemonic, [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
def TT_JoinOp : TT_TwoTensors<"join"> { let hasVerifier = 1; }
def TT_CatOp : TT_TwoTensors<"cat"> { let hasVerifier = 1; }
def TT_SplitOp : TT_Op<"split", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$lhs, TT_Tensor:$rhs);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($lhs)";
  let hasVerifier = 1;
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let arguments = (ins TT_Tensor:$src, TT_Tensor:$indices, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def TT_HistogramOp : TT_Op<"histogram", [Pure, OptionalOf<"src", "mask", "i1Like">]> {
  let arguments = (ins TT_Tensor:$src, Optional<TT_Bool>:$mask);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

//===-- Program, dot, regions -----------------------------------------------------------------------------------------===//

class TT_Program<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_Dim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}
def TT_ProgramIdOp : TT_Program<"get_program_id">;
def TT_NumProgramsOp : TT_Program<"get_num_programs">;

def TT_DotOp : TT_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c,
                       DefaultValuedAttr<TT_Precision, "InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)?
    attr-dict `:` type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

// A scale belongs to 16 or 32 numbers along K: a_scale is [.., M, K / 32], b_scale [.., N, K / 32]. Numbers of e2m1 are
// packed in pairs, the first in the low half of a byte: along K where *_k_pack, else along M (N).
def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AllTypesMatch<["c", "result"]>, AttrSizedOperandSegments]> {
  let arguments = (ins TT_Tensor:$a, TT_Tensor:$b, TT_Tensor:$c, Optional<TT_Tensor>:$a_scale,
                       Optional<TT_Tensor>:$b_scale, TT_ScaledType:$a_elem_type, TT_ScaledType:$b_elem_type,
                       BoolAttr:$fastMath, DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack,
                       DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type
    attr-dict `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

// Printed in the generic form.
class TT_Combine<string mnemonic, dag extra> : TT_Op<mnemonic, [Pure, SameOperandsShape, SingleBlock]> {
  let arguments = !con((ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis), extra);
  let results = (outs Variadic<TT_Any>:$result);
  let regions = (region SizedRegion<1>:$combine);
}
def TT_ReduceOp : TT_Combine<"reduce", (ins)> { let hasVerifier = 1; }
def TT_ScanOp : TT_Combine<"scan", (ins BoolAttr:$reverse)> { let hasVerifier = 1; }

class TT_Yield<string mnemonic, string parent> : TT_Op<mnemonic, [Pure, Terminator, ReturnLike, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
}
// Scalar code, branches included, on `pack` neighbouring elements at a time. Printed in the generic form.
def TT_MapElementwiseOp : TT_Op<"map_elementwise", [SameOperandsAndResultShape, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region MinSizedRegion<1>:$scalarOp);
  let hasVerifier = 1;
}
def TT_MapElementwiseReturnOp : TT_Yield<"map_elementwise.return", "MapElementwiseOp">;
def TT_ReduceReturnOp : TT_Yield<"reduce.return", "ReduceOp">;
def TT_ScanReturnOp : TT_Yield<"scan.return", "ScanOp">;
def TT_ReturnOp : TT_Yield<"return", "FuncOp"> { let hasVerifier = 1; }

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins TT_Bool:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}
def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite]>]> {
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Any>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, IsolatedFromAbove, FunctionOpInterface]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
  }];
}

def TT_CallOp : TT_Op<"call", [CallOpInterface]> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::mlir::cast<::mlir::FlatSymbolRefAttr>(::mlir::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
  }];
}
#endif
