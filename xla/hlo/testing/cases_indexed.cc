// Opcodes whose places are data: gather, scatter, sort, topk.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// Indices into an array of {5, 6}, as pairs: inside, at the ends, and out of range on every side that the type has.
Array IndexPairs(PrimitiveType type) {
  const int bits = BitWidth(type);
  const Integer highest = (Integer{1} << (IsSigned(type) ? bits - 1 : bits)) - 1;
  const Integer lowest = IsSigned(type) ? -highest - 1 : 0;
  Array pairs{type, {4, 2}, {}};
  for (const Integer i : {Integer{1}, Integer{2}, Integer{4}, Integer{5}, highest, lowest, lowest, highest}) {
    pairs.values.push_back(Value::Int(std::clamp(i, lowest, highest)));
  }
  return pairs;
}

void AddGather(PrimitiveType counted, PrimitiveType type, PrimitiveType index_type, std::vector<OpcodeCase>& out) {
  // Windows of {2, 3}, moved inside where they would leave the operand.
  OpcodeCase one = OneLine(HloOpcode::kGather, counted, type, {4, 2, 3},
                           "gather(@0, @1), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, "
                           "index_vector_dim=1, slice_sizes={2,3}");
  one.variant = fmt::format("at {}", PrimitiveTypeName(index_type));
  one.inputs = {Encode(ModerateArray(type, {5, 6}, 1)), Encode(IndexPairs(index_type))};
  one.formula = OneResult([=](std::span<const Array> x) {
    return MakeArray(type, {4, 2, 3}, [&](const Dims& i) {
      const auto start = [&](int64_t d, Integer last) {
        return static_cast<int64_t>(std::clamp<Integer>(At(x[1], {i[0], d}).integer, 0, last));
      };
      return At(x[0], {start(0, 3) + i[1], start(1, 3) + i[2]});
    });
  });
  out.push_back(std::move(one));
}

// Windows of {1, 2}; what would leave the operand is left out.
void AddScatter(PrimitiveType counted, PrimitiveType type, PrimitiveType index_type, const std::string& combine,
                std::vector<OpcodeCase>& out) {
  OpcodeCase one = OneLine(HloOpcode::kScatter, counted, type, {5, 6},
                           "scatter(@0, @1, @2), update_window_dims={1}, inserted_window_dims={0}, "
                           "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=@f");
  one.variant = fmt::format("{} at {}", combine, PrimitiveTypeName(index_type));
  const std::string_view t = PrimitiveTypeName(type);
  one.computations = combine == "replace"
                         ? fmt::format("@f {{ x = {0}[] parameter(0)  ROOT y = {0}[] parameter(1) }}\n", t)
                         : BinaryComputation("f", type, combine);
  Array indices = IndexPairs(index_type);
  // Twice at one place, unless the order would decide.
  if (combine != "replace") indices.values[2] = indices.values[0], indices.values[3] = indices.values[1];
  one.inputs = {Encode(SparseOnes(type, {5, 6}, 1)), Encode(indices), Encode(SparseOnes(type, {4, 2}, 2))};
  one.formula = OneResult([=](std::span<const Array> x) {
    Array result = x[0];
    ForEachIndex({4}, [&](const Dims& i) {
      const Integer row = At(x[1], {i[0], 0}).integer, column = At(x[1], {i[0], 1}).integer;
      if (row < 0 || row > 4 || column < 0 || column > 4) return;
      for (int64_t k = 0; k < 2; ++k) {
        Value& place = result[Place({5, 6}, {static_cast<int64_t>(row), static_cast<int64_t>(column) + k})];
        const Value& update = At(x[2], {i[0], k});
        const Complex sum = place.complex() + update.complex();
        place = combine == "replace"
                    ? update
                    : Rounded(type, {.integer = place.integer + update.integer, .re = sum.re, .im = sum.im});
      }
    });
    return result;
  });
  out.push_back(std::move(one));
}

// A real value's place in the order of its type; of complex numbers their real parts'.
bool Less(PrimitiveType type, const Value& x, const Value& y) {
  if (!IsFloat(type) && !IsComplex(type)) return x.integer < y.integer;
  const auto key = [](Real r) { return IsNan(r) ? (SignOf(r) ? -1 : 1) : 0; };  // NaNs at both ends
  if (key(x.re) != key(y.re)) return key(x.re) < key(y.re);
  if (x.re == 0 && y.re == 0) return SignOf(x.re) && !SignOf(y.re);
  return x.re < y.re;
}

// Keys with repetitions, infinities and NaNs.
Array Keys(PrimitiveType type, const Dims& dims) {
  if (IsComplex(type)) return ModerateArray(type, dims, 1);
  std::vector<uint64_t> codes = FewCodes(type);
  std::mt19937_64 random(type);
  Array keys = Decode(VectorOf(type, codes));
  return MakeArray(type, dims, [&](const Dims&) { return keys[static_cast<int64_t>(random() % codes.size())]; });
}

// The positions 0 ... n-1 of a row, stably sorted by its values.
std::vector<int64_t> SortedPlaces(const Array& array, int64_t first, int64_t n, bool descending) {
  std::vector<int64_t> places(n);
  std::iota(places.begin(), places.end(), 0);
  // Insertion keeps equal ones in order.
  for (int64_t i = 1; i < n; ++i) {
    for (int64_t k = i; k > 0; --k) {
      const Value &left = array[first + places[k - 1]], &right = array[first + places[k]];
      if (!(descending ? Less(array.type, left, right) : Less(array.type, right, left))) break;
      std::swap(places[k - 1], places[k]);
    }
  }
  return places;
}

}  // namespace

void GatherCases(HloOpcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  AddGather(type, type, S32, out);
  if (IsInteger(type) && type != S32) AddGather(type, F32, type, out);
}

void ScatterCases(HloOpcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  AddScatter(type, type, S32, "replace", out);
  if (HasExactSums(type)) AddScatter(type, type, S32, "add", out);
  if (IsInteger(type) && type != S32) AddScatter(type, F32, type, "add", out);
}

void SortCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  const std::string_view t = PrimitiveTypeName(type), part = PrimitiveTypeName(ComplexComponentType(type));
  const std::string order = IsInteger(type) || type == PRED ? "" : ", order=TOTAL";
  OpcodeCase one;
  one.opcode = opcode;
  one.type = type;
  one.computations = fmt::format(
      "@f {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)  i = s32[] parameter(2)  j = s32[] parameter(3)\n"
      "  x = {1}[] {2}(a)  y = {1}[] {2}(b)  ROOT p = pred[] compare(x, y), direction=LT{3} }}\n",
      t, part, IsComplex(type) ? "real" : "copy", order);
  one.body = fmt::format(
      "  @i = s32[3,7] iota(), iota_dimension=1\n"
      "  @r = ({0}[3,7], s32[3,7]) sort(@0, @i), dimensions={{1}}, is_stable=true, to_apply=@f",
      t);
  one.inputs = {Encode(Keys(type, {3, 7}))};
  one.formula = [=](std::span<const Array> x) {
    std::vector<Array> results = {{type, {3, 7}, {}}, {S32, {3, 7}, {}}};
    for (int64_t row = 0; row < 3; ++row) {
      for (const int64_t place : SortedPlaces(x[0], row * 7, 7, false)) {
        results[0].values.push_back(x[0][row * 7 + place]);
        results[1].values.push_back(Value::Int(place));
      }
    }
    return results;
  };
  out.push_back(std::move(one));
}

void TopKCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  for (const bool largest : {true, false}) {
    OpcodeCase one;
    one.opcode = opcode;
    one.type = type;
    one.variant = fmt::format("largest={}", largest);
    one.body = fmt::format("  @r = ({}[2,3], s32[2,3]) topk(@0), k=3, largest={}", PrimitiveTypeName(type), largest);
    one.inputs = {Encode(Keys(type, {2, 7}))};
    one.formula = [=](std::span<const Array> x) {
      std::vector<Array> results = {{type, {2, 3}, {}}, {S32, {2, 3}, {}}};
      for (int64_t row = 0; row < 2; ++row) {
        const std::vector<int64_t> places = SortedPlaces(x[0], row * 7, 7, largest);
        for (int64_t i = 0; i < 3; ++i) {
          results[0].values.push_back(x[0][row * 7 + places[i]]);
          results[1].values.push_back(Value::Int(places[i]));
        }
      }
      return results;
    };
    out.push_back(std::move(one));
  }
}

}  // namespace xla::opcode_cases
