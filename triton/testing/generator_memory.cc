// Buffers, and the accesses to them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>

#include "base/numerics/float_convert.h"
#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

namespace {

std::string PointerText(const std::string& element) { return "!tt.ptr<" + element + ">"; }

FloatType FloatTypeOf(const std::string& element) {
  if (element == "f8E4M3FN") return FloatType::kF8E4M3FN;
  if (element == "f8E4M3FNUZ") return FloatType::kF8E4M3FNUZ;
  if (element == "f8E5M2") return FloatType::kF8E5M2;
  if (element == "f8E5M2FNUZ") return FloatType::kF8E5M2FNUZ;
  if (element == "bf16") return FloatType::kBF16;
  if (element == "f16") return FloatType::kF16;
  return element == "f32" ? FloatType::kF32 : FloatType::kF64;
}

// A random element: of floats mostly ordinary numbers, some whole, some special (quiet NaN, infinity, subnormal, zero).
uint64_t RandomBits(const std::string& element, std::mt19937_64& random) {
  const uint64_t any = random(), kind = random() % 16;
  if (element == "i1") return any & 1;
  if (!IsFloat(element)) {
    if (kind < 8) return any % 64;
    return kind < 12 ? any % 64 - 32 : any;
  }
  const FloatType type = FloatTypeOf(element);
  const FloatFormat format = FormatOf(type);
  const uint64_t sign = any & 1 ? format.SignBit() : 0;
  const double fraction = static_cast<double>(any >> 11) * 0x1p-53;
  if (kind < 6) return EncodeFloat(type, static_cast<double>(any % 33) - 16);
  if (kind < 14) return EncodeFloat(type, (fraction - 0.5) * std::ldexp(1, static_cast<int>(any % 6)));
  if (kind == 14) return EncodeFloat(type, sign ? -0.0 : 0.0);
  switch (any / 2 % 4) {
    case 0:
      return format.NanBits(sign);
    case 1:
      return format.OverflowBits(sign);
    case 2:
      return sign | format.MaxFiniteBits();
    default:
      return sign | 1;  // the smallest subnormal
  }
}

std::vector<uint8_t> RandomBytes(const std::string& element, int64_t count, std::mt19937_64& random) {
  const int bytes = (BitsOf(element) + 7) / 8;
  std::vector<uint8_t> out(static_cast<size_t>(count * bytes));
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = RandomBits(element, random);
    std::memcpy(out.data() + i * bytes, &bits, static_cast<size_t>(bytes));
  }
  return out;
}

}  // namespace

std::string KernelGenerator::NewBuffer(const std::string& element, int64_t count, bool is_output, int ulps) {
  const std::string name = fmt::format("%buf{}", kernel_.buffers.size());
  kernel_.buffers.push_back({element, RandomBytes(element, count, random_), is_output, ulps});
  signature_ += fmt::format("{}{}: {}", signature_.empty() ? "" : ", ", name, PointerText(element));
  if (Chance(60))
    signature_ += fmt::format(" {{tt.divisibility = 16 : i32{}}}", Chance(50) ? ", tt.pointer_range = 32 : i32" : "");
  return name;
}

std::string KernelGenerator::NewNumber(int value) {
  kernel_.numbers.push_back(value);
  return fmt::format("%n{}", kernel_.numbers.size() - 1);
}

// Dense in some order of the dimensions, with gaps, forwards or backwards.
Placement KernelGenerator::RandomPlacement(const Dims& dims) {
  Placement placement{Dims(dims.size(), 0), Chance(20) ? Below(20) : 0, 0};
  int stride = Chance(15) ? 2 + Below(2) : 1;
  Dims order = Permutation(dims.size());
  if (Chance(40)) std::ranges::sort(order, std::greater<>());  // row-major
  for (int d : order) {
    const int extent = dims[static_cast<size_t>(d)];
    const bool backwards = Chance(8);
    placement.strides[static_cast<size_t>(d)] = backwards ? -stride : stride;
    if (backwards) placement.offset += (extent - 1) * stride;
    stride *= extent;
    if (Chance(15)) stride += OneOf(std::vector<int>{1, 4, 8, 16});
  }
  placement.per_program = stride;
  return placement;
}

Value KernelGenerator::ProgramNumber() {
  const Value x = Line("tt.get_program_id x : i32", {}, "i32");
  if (kernel_.grid[1] == 1) return x;
  const Value y = Line("tt.get_program_id y : i32", {}, "i32");
  const Value columns = Line("tt.get_num_programs x : i32", {}, "i32");
  return Binary("arith.addi", Binary("arith.muli", y, columns), x);
}

// The element that each program accesses for each place of the tensor.
Value KernelGenerator::Index(const Dims& dims, const Placement& placement, bool per_program) {
  Value sum = Constant({}, "i32", std::to_string(placement.offset));
  if (per_program)
    sum =
        Binary("arith.addi",
               Binary("arith.muli", ProgramNumber(), Constant({}, "i32", std::to_string(placement.per_program))), sum);
  sum = SplatOf(sum, dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    const Value coordinate = Coordinate(dims, d);
    sum = Binary("arith.addi", sum,
                 placement.strides[d] == 1
                     ? coordinate
                     : Binary("arith.muli", coordinate, Constant(dims, "i32", std::to_string(placement.strides[d]))));
  }
  return sum;
}

namespace {
struct Span {
  int64_t elements;  // of the buffer that a placement needs
};
Span SpanOf(const Placement& placement, const Dims& dims, int programs) {
  int64_t last = placement.offset;
  for (size_t d = 0; d < dims.size(); ++d) last += int64_t{std::max(0, placement.strides[d])} * (dims[d] - 1);
  return {last + int64_t{programs - 1} * placement.per_program + 1};
}
}  // namespace

// `index` elements after the buffer's first.
static std::string AddressText(const std::string& base, const Value& index, const std::string& element) {
  const std::string pointers = TypeText(index.dims, PointerText(element));
  return fmt::format("tt.addptr {}, {} : {}, {}", base, index.name, pointers, index.type());
}

Value KernelGenerator::Pointers(const std::string& buffer, const std::string& element, const Value& index) {
  const std::string pointer = PointerText(element);
  Value base = SplatOf({buffer, {}, pointer}, index.dims);
  const Value offset =
      Chance(12) ? Line(fmt::format("arith.extsi {} : {} to {}", index.name, index.type(), TypeText(index.dims, "i64")),
                        index.dims, "i64")
                 : index;
  return Line(AddressText(base.name, offset, element), index.dims, pointer);
}

Value KernelGenerator::Load(const Dims& dims, const std::string& element) {
  const Placement placement = RandomPlacement(dims);
  const bool per_program = Chance(60);
  int64_t count = SpanOf(placement, dims, per_program ? Programs() : 1).elements;
  const Value index = Index(dims, placement, per_program);
  Value mask;
  const int kind = Below(20);
  if (kind < 5) {  // the first `limit` elements of the buffer, which has no more
    const auto limit = static_cast<int>(1 + Below(static_cast<int>(count)));
    mask = Compare(Chance(80) ? "slt" : "ult", index, SplatOf({NewNumber(limit), {}, "i32"}, dims));
    count = limit;
  } else if (kind < 8 && !dims.empty()) {
    const auto d = static_cast<size_t>(Below(static_cast<int>(dims.size())));
    mask =
        Compare(OneOf({"slt", "sge"}), Coordinate(dims, d), Constant(dims, "i32", std::to_string(Below(dims[d] + 1))));
  } else if (kind < 10) {
    const auto masks = Matching([&](const Value& v) { return v.dims == dims && v.element == "i1"; });
    if (!masks.empty()) mask = Pick(masks);
  }
  const std::string buffer = NewBuffer(element, count, false);
  const Value pointers = Pointers(buffer, element, index);
  std::string operands = pointers.name;
  if (!mask.name.empty()) {
    operands += ", " + mask.name;
    if (Chance(70)) operands += ", " + RandomConstant(dims, element).name;
  }
  const std::string hints = Chance(20) ? OneOf({" cacheModifier = cg", " cacheModifier = cs", " cacheModifier = cv",
                                                " evictionPolicy = evict_first", " evictionPolicy = evict_last"})
                                       : "";
  return Line(fmt::format("tt.load {}{} : {}", operands, hints, pointers.type()), dims, element);
}

void KernelGenerator::LoadStep() {
  Note(
      Load(RandomDims(options_.most_elements), OneOf({"i32", "i32", "f32", "f32", "f16", "bf16", "i8", "i16", "i64",
                                                      "f64", "i1", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"})));
}

// To a buffer of its own, a part for each program.
void KernelGenerator::Store(const Value& value, int ulps) {
  const Placement placement = RandomPlacement(value.dims);
  const std::string buffer = NewBuffer(value.element, SpanOf(placement, value.dims, Programs()).elements, true, ulps);
  const Value index = Index(value.dims, placement, true);
  const Value pointers = Pointers(buffer, value.element, index);
  std::string mask;
  if (Chance(25)) {
    const int limit = 1 + Below(static_cast<int>(Count(value.dims) * Programs() * 5 / 4));
    mask = ", " + Compare("slt", index, SplatOf({NewNumber(limit), {}, "i32"}, value.dims)).name;
  }
  const std::string hints =
      Chance(20) ? OneOf({" cacheModifier = cs", " cacheModifier = wt", " evictionPolicy = evict_first"}) : "";
  Text(fmt::format("tt.store {}, {}{}{} : {}", pointers.name, value.name, mask, hints, pointers.type()));
}

void KernelGenerator::StoreStep() {
  if (in_loop_ == 0) Store(AnyTensor());
}

// Elements that other elements name.
void KernelGenerator::IndirectLoadStep() {
  const Dims dims = AnyTensor().dims;
  const int extent = 8 << Below(5);
  const std::string element = OneOf({"i32", "f32", "f16", "i8", "i64"});
  const Value index = SmallIndex(dims, extent);
  const Value pointers = Pointers(NewBuffer(element, extent, false), element, index);
  Note(Line(fmt::format("tt.load {} : {}", pointers.name, pointers.type()), dims, element));
}

namespace {
struct AtomicKind {
  const char* name;
  const char* element;
};
constexpr AtomicKind kAtomics[] = {{"add", "i32"},  {"add", "i64"}, {"and", "i32"},  {"or", "i32"},   {"xor", "i64"},
                                   {"max", "i32"},  {"min", "i64"}, {"umax", "i32"}, {"umin", "i32"}, {"fadd", "f32"},
                                   {"fadd", "f64"}, {"max", "f32"}, {"min", "f64"}};
}  // namespace

std::string KernelGenerator::AtomicText(const std::string& kind, const Value& pointers, const Value& values,
                                        const std::string& mask) {
  return fmt::format("tt.atomic_rmw {}, {}, gpu, {}, {}{} : ({}, {}{}) -> {}", kind,
                     OneOf({"relaxed", "acq_rel", "acquire", "release"}), pointers.name, values.name,
                     mask.empty() ? "" : ", " + mask, pointers.type(), values.type(),
                     mask.empty() ? "" : ", " + TypeText(values.dims, "i1"), values.type());
}

// All programs on the same few places, in any order: what is there at the end does not depend on it.
void KernelGenerator::AtomicStep() {
  const Dims dims = AnyTensor().dims;
  const int places = 4 << Below(6);
  const AtomicKind& kind = kAtomics[Below(std::size(kAtomics))];
  const Value index = SmallIndex(dims, places);
  const Value values = IsFloat(kind.element) ? SmallNumbers(dims, kind.element, 8) : Operand(dims, kind.element);
  const std::string buffer = NewBuffer(kind.element, places, true);
  KernelBuffer& made = kernel_.buffers.back();
  std::fill(made.bytes.begin(), made.bytes.end(), uint8_t{0});
  const Value pointers = Pointers(buffer, kind.element, index);
  const std::string mask =
      Chance(40) ? Compare("slt", index, Constant(dims, "i32", std::to_string(Below(places)))).name : "";
  Line(AtomicText(kind.name, pointers, values, mask), dims, kind.element);
}

// Each place by one element of one program: what was there is the result.
void KernelGenerator::OwnedAtomicStep() {
  if (in_loop_ > 0) return;
  const Dims dims = Chance(15) ? Dims{} : AnyTensor().dims;
  const Placement placement = RandomPlacement(dims);
  AtomicKind kind = kAtomics[Below(std::size(kAtomics))];
  if (Chance(20)) kind.name = "exch";
  const Value values = IsFloat(kind.element) ? SmallNumbers(dims, kind.element, 8) : Operand(dims, kind.element);
  const std::string buffer = NewBuffer(kind.element, SpanOf(placement, dims, Programs()).elements, true);
  const Value pointers = Pointers(buffer, kind.element, Index(dims, placement, true));
  if (Chance(25)) {
    const Value wanted = Operand(dims, kind.element);
    Note(Line(fmt::format("tt.atomic_cas acq_rel, gpu, {}, {}, {} : ({}, {}, {}) -> {}", pointers.name, wanted.name,
                          values.name, pointers.type(), wanted.type(), values.type(), values.type()),
              dims, kind.element));
    return;
  }
  Note(Line(AtomicText(kind.name, pointers, values, ""), dims, kind.element));
}

// Written, and read in another order, by other threads.
void KernelGenerator::ScratchStep() {
  const Value value = AnyTensor();
  const auto count = static_cast<int>(Count(value.dims));
  const std::string buffer = NewBuffer(value.element, int64_t{count} * Programs(), true);
  auto dense = [&](const Dims& dims) {
    Placement placement{Dims(dims.size(), 0), 0, count};
    int stride = 1;
    for (int d : Permutation(dims.size())) {
      placement.strides[static_cast<size_t>(d)] = stride;
      stride *= dims[static_cast<size_t>(d)];
    }
    return placement;
  };
  Dims other = RandomDims(count);
  other[0] *= count / static_cast<int>(Count(other));
  const Value to = Pointers(buffer, value.element, Index(value.dims, dense(value.dims), true));
  const Value from = Pointers(buffer, value.element, Index(other, dense(other), true));
  const std::string barrier = OneOf({"gpu.barrier", "ttg.barrier all", "ttg.barrier global_read|global_write"});
  Text(barrier);
  Text(fmt::format("tt.store {}, {} : {}", to.name, value.name, to.type()));
  Text(barrier);
  Note(Line(fmt::format("tt.load {} : {}", from.name, from.type()), other, value.element));
}

//===-- Blocks
//--------------------------------------------------------------------------------------------------------===//

KernelGenerator::StridedBlock KernelGenerator::RandomBlock(const std::string& element, bool dense_last) {
  StridedBlock block;
  block.dims = RandomDims(std::min(options_.most_elements, 512));
  if (block.dims.size() > 3) block.dims.resize(3);
  const size_t rank = block.dims.size();
  Dims order = Permutation(rank);
  if (dense_last) std::ranges::sort(order, std::greater<>());
  int stride = 1;
  block.strides.resize(rank);
  for (int d : order) {
    const int extent = std::max(1, block.dims[static_cast<size_t>(d)] * 3 / 2 + Below(5) - 2);
    block.strides[static_cast<size_t>(d)] = stride;
    stride *= extent;
    block.extents.push_back(extent);
  }
  Dims extents(rank);
  for (size_t i = 0; i < rank; ++i) extents[static_cast<size_t>(order[i])] = block.extents[i];
  block.extents = extents;
  block.buffer = NewBuffer(element, stride, false);
  for (int extent : block.dims) block.offsets.push_back(Below(extent * 2) - extent / 2);
  return block;
}

namespace {
template <class F>
std::string List(const Dims& numbers, F constant) {
  std::vector<std::string> names;
  for (int number : numbers) names.push_back(constant(number));
  return fmt::format("[{}]", fmt::join(names, ", "));
}
}  // namespace

void KernelGenerator::BlockStep() {
  const std::string element = OneOf({"i32", "f32", "f16", "i8", "f64"});
  const StridedBlock block = RandomBlock(element, false);
  auto i32 = [&](int n) { return Constant({}, "i32", std::to_string(n)).name; };
  auto i64 = [&](int n) { return Constant({}, "i64", std::to_string(n)).name; };
  const size_t rank = block.dims.size();
  Dims all(rank), zeros(rank, 0), step(rank, 0);
  for (size_t d = 0; d < rank; ++d) all[d] = static_cast<int>(d);
  const std::string extents = List(block.extents, i64), strides = List(block.strides, i64);
  const std::string type = fmt::format("<{}>", TypeText(block.dims, element));
  const bool advance = Chance(50);
  const std::string offsets = List(block.offsets, i32);
  Value pointer = Line(
      fmt::format("tt.make_tensor_ptr {}, {}, {}, {} {{order = array<i32: {}>}} : {}", block.buffer, extents, strides,
                  advance ? List(zeros, i32) : offsets, fmt::join(Dims(all.rbegin(), all.rend()), ", "), type),
      {}, "");
  if (advance) pointer = Line(fmt::format("tt.advance {}, {} : {}", pointer.name, offsets, type), {}, "");
  const std::string padding = Chance(50) ? fmt::format(", padding = {} : i32", 1 + Below(2)) : "";
  Note(Line(fmt::format("tt.load {} {{boundaryCheck = array<i32: {}>{}}} : !tt.ptr{}", pointer.name,
                        fmt::join(all, ", "), padding, type),
            block.dims, element));
}

void KernelGenerator::DescriptorStep() {
  const std::string element = OneOf({"i32", "f32", "f16", "i8", "bf16"});
  const StridedBlock block = RandomBlock(element, true);
  auto i32 = [&](int n) { return Constant({}, "i32", std::to_string(n)).name; };
  auto i64 = [&](int n) { return Constant({}, "i64", std::to_string(n)).name; };
  const std::string extents = List(block.extents, i32), strides = List(block.strides, i64);
  const std::string block_type = TypeText(block.dims, element).substr(6);  // without "tensor"
  const std::string padding = Chance(30) ? " {padding = 2 : i32}" : "";
  const Value descriptor = Line(fmt::format("tt.make_tensor_descriptor {}, {}, {}{} : <{}>, {}", block.buffer, extents,
                                            strides, padding, element, block_type),
                                {}, "");
  const Value loaded = Line(fmt::format("tt.descriptor_load {}{} : !tt.tensordesc{} -> {}", descriptor.name,
                                        List(block.offsets, i32), block_type, TypeText(block.dims, element)),
                            block.dims, element);
  Note(loaded);
  if (in_loop_ > 0 || !Chance(40)) return;
  // Written elsewhere, a part for each program, and not all of it inside.
  int count = 1;
  for (int extent : block.extents) count *= extent;
  const std::string out = NewBuffer(element, int64_t{count} * Programs(), true);
  const Value first = Binary("arith.muli", ProgramNumber(), Constant({}, "i32", std::to_string(count)));
  const Value base = Line(AddressText(out, first, element), {}, PointerText(element));
  const Value target = Line(
      fmt::format("tt.make_tensor_descriptor {}, {}, {} : <{}>, {}", base.name, extents, strides, element, block_type),
      {}, "");
  Text(fmt::format("tt.descriptor_store {}{}, {} : !tt.tensordesc{}, {}", target.name, List(block.offsets, i32),
                   Operand(block.dims, element).name, block_type, TypeText(block.dims, element)));
}

}  // namespace rocxla::triton
