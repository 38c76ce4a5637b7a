// The operations of Triton's second dialect that its front end prints already.
#ifndef ROCXLA_TRITON_DIALECT_TTG_TD
#define ROCXLA_TRITON_DIALECT_TTG_TD
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::rocxla::triton::ttg";
}

// All threads of the program wait for each other. `kinds`: which accesses are ordered, names joined by '|' as in
// "local|global_read"; "all" and "none" too.
def TTG_BarrierOp : Op<TTG_Dialect, "barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins StrAttr:$kinds);
  let assemblyFormat = "custom<BarrierKinds>($kinds) attr-dict";
  let extraClassDeclaration = [{
    // Whether global memory is ordered, besides LDS.
    bool OrdersGlobalMemory();
  }];
}
#endif
