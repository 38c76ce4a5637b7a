#include "triton/layout/linear_layout.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace rocxla::triton {
namespace {

// Gauss-Jordan over GF(2): reduced rows, each with the set of inputs whose XOR it is.
class Echelon {
 public:
  // Reduces `value`; what is left is outside the span. `from` collects the inputs used.
  Bits Reduce(Bits value, uint64_t& from) const {
    for (const Row& row : rows_) {
      if (!(value & std::bit_floor(row.value))) continue;
      value ^= row.value;
      from ^= row.from;
    }
    return value;
  }
  bool Spans(Bits value) const {
    uint64_t from = 0;
    return Reduce(value, from) == 0;
  }
  // False when `value` was in the span already.
  bool Insert(Bits value, int index) {
    uint64_t from = uint64_t(1) << index;
    value = Reduce(value, from);
    if (!value) return false;
    Bits top = std::bit_floor(value);
    for (Row& row : rows_) {
      if (!(row.value & top)) continue;
      row.value ^= value;
      row.from ^= from;
    }
    rows_.push_back({value, from});
    return true;
  }
  int rank() const { return static_cast<int>(rows_.size()); }

 private:
  struct Row {
    Bits value;
    uint64_t from;
  };
  std::vector<Row> rows_;
};

Bits RemoveField(Bits bits, Field field) {
  Bits low = bits & ((Bits(1) << field.shift) - 1);
  return low | ((bits >> (field.shift + field.width)) << field.shift);
}

}  // namespace

int Log2Exact(int64_t n) {
  return n > 0 && std::has_single_bit(static_cast<uint64_t>(n)) ? std::countr_zero(static_cast<uint64_t>(n)) : -1;
}

int TotalBits(const Shape& shape) { return std::accumulate(shape.begin(), shape.end(), 0); }

Field FieldOf(const Shape& shape, int dim) {
  return {std::accumulate(shape.begin() + dim + 1, shape.end(), 0), shape[dim]};
}

Bits LinearLayout::Apply(HwDim dim, uint32_t index) const {
  Bits out = 0;
  for (size_t i = 0; i < bases_[dim].size(); ++i)
    if (index >> i & 1) out ^= bases_[dim][i];
  return out;
}
Bits LinearLayout::Apply(uint32_t reg, uint32_t lane, uint32_t warp) const {
  return Apply(kRegister, reg) ^ Apply(kLane, lane) ^ Apply(kWarp, warp);
}

uint32_t LinearLayout::FreeMask(HwDim dim) const {
  Echelon echelon;
  uint32_t mask = 0;
  for (int d = 0; d < kHwDims; ++d)
    for (size_t i = 0; i < bases_[d].size(); ++i)
      if (!echelon.Insert(bases_[d][i], 0) && d == dim) mask |= 1u << i;
  return mask;
}

bool LinearLayout::CoversTensor() const {
  Echelon echelon;
  for (const auto& list : bases_)
    for (Bits basis : list) echelon.Insert(basis, 0);
  return echelon.rank() == TotalBits(shape_);
}

std::optional<std::vector<LinearLayout::Holder>> LinearLayout::Invert() const {
  Echelon echelon;
  int offset[kHwDims], count = 0;
  for (int d = 0; d < kHwDims; ++d) {
    offset[d] = count;
    for (Bits basis : bases_[d]) echelon.Insert(basis, count++);
  }
  std::vector<Holder> holders;
  for (int bit = 0; bit < TotalBits(shape_); ++bit) {
    uint64_t from = 0;
    if (echelon.Reduce(Bits(1) << bit, from)) return std::nullopt;
    Holder holder{};
    for (int d = 0; d < kHwDims; ++d)
      holder.index[d] = static_cast<uint32_t>(from >> offset[d]) & ((1u << bases_[d].size()) - 1);
    holders.push_back(holder);
  }
  return holders;
}

std::optional<std::vector<int>> LinearLayout::RegistersFrom(const LinearLayout& from) const {
  for (HwDim d : {kLane, kWarp}) {
    std::vector<Bits> mine = bases_[d], theirs = from.bases_[d];
    mine.resize(std::max(mine.size(), theirs.size()));
    theirs.resize(mine.size());
    if (mine != theirs) return std::nullopt;
  }
  Echelon echelon;
  for (size_t i = 0; i < from.bases_[kRegister].size(); ++i)
    echelon.Insert(from.bases_[kRegister][i], static_cast<int>(i));
  std::vector<int> of_bit(bases_[kRegister].size()), of_register(registers());
  for (size_t i = 0; i < of_bit.size(); ++i) {
    uint64_t used = 0;
    if (echelon.Reduce(bases_[kRegister][i], used)) return std::nullopt;
    of_bit[i] = static_cast<int>(used);
  }
  for (unsigned r = 1; r < of_register.size(); ++r)
    of_register[r] = of_register[r & (r - 1)] ^ of_bit[std::countr_zero(r)];
  return of_register;
}

bool LinearLayout::WalksAxis(int dim) const {
  const Bits axis = FieldOf(shape_, dim).mask();
  Bits seen = 0;
  for (const auto& list : bases_) {
    for (Bits basis : list) {
      if (!(basis & axis)) continue;
      if (!std::has_single_bit(basis) || (seen & basis)) return false;
      seen |= basis;
    }
  }
  return seen == axis;
}

int LinearLayout::ContiguousRegisters() const {
  int bits = 0;
  for (Bits basis : bases_[kRegister]) {
    if (basis != Bits(1) << bits) break;
    ++bits;
  }
  return 1 << bits;
}

int LinearLayout::AlignedRegisters() const {
  int width = ContiguousRegisters();
  const auto aligned = [&](Bits basis) { return (basis & (width - 1)) == 0; };
  const auto& registers = bases_[kRegister];
  const auto all_aligned = [&] {
    return std::all_of(registers.begin() + Log2Exact(width), registers.end(), aligned) &&
           std::all_of(bases_[kLane].begin(), bases_[kLane].end(), aligned) &&
           std::all_of(bases_[kWarp].begin(), bases_[kWarp].end(), aligned);
  };
  while (!all_aligned()) width /= 2;
  return width;
}

int LinearLayout::ContiguousRegisters(int dim) const {
  Field field = FieldOf(shape_, dim);
  int bits = 0;
  for (Bits basis : bases_[kRegister]) {
    if (bits == field.width || basis != Bits(1) << (field.shift + bits)) break;
    ++bits;
  }
  return 1 << bits;
}

int LinearLayout::ContiguousInWave(int dim) const {
  Field field = FieldOf(shape_, dim);
  auto held = [&](Bits basis) {
    return std::ranges::count(bases_[kRegister], basis) + std::ranges::count(bases_[kLane], basis) > 0;
  };
  int bits = 0;
  while (bits < field.width && held(Bits(1) << (field.shift + bits))) ++bits;
  return 1 << bits;
}

LinearLayout LinearLayout::Reshape(Shape shape) const {
  LinearLayout result = *this;
  result.shape_ = std::move(shape);
  return result;
}

LinearLayout LinearLayout::Transpose(const std::vector<int>& order) const {
  LinearLayout result = *this;
  for (size_t i = 0; i < order.size(); ++i) result.shape_[i] = shape_[order[i]];
  for (auto& list : result.bases_) {
    for (Bits& basis : list) {
      Bits moved = 0;
      for (size_t i = 0; i < order.size(); ++i) {
        Field from = FieldOf(shape_, order[i]), to = FieldOf(result.shape_, static_cast<int>(i));
        moved |= (basis & from.mask()) >> from.shift << to.shift;
      }
      basis = moved;
    }
  }
  return result;
}

LinearLayout LinearLayout::ClearDim(int dim) const {
  LinearLayout result = *this;
  Field field = FieldOf(shape_, dim);
  result.shape_[dim] = 0;
  for (auto& list : result.bases_)
    for (Bits& basis : list) basis = RemoveField(basis, field);
  return result;
}

LinearLayout LinearLayout::SquashDim(int dim) const { return ClearDim(dim).WithoutDuplicates(); }

LinearLayout LinearLayout::WithoutDuplicates() const {
  LinearLayout result = *this;
  Echelon echelon;
  std::erase_if(result.bases_[kRegister], [&](Bits basis) { return !echelon.Insert(basis, 0); });
  return result;
}

LinearLayout LinearLayout::DropDim(int dim) const {
  LinearLayout result = SquashDim(dim);
  result.shape_.erase(result.shape_.begin() + dim);
  return result;
}

LinearLayout LinearLayout::ExpandDim(int dim) const {
  LinearLayout result = *this;
  result.shape_.insert(result.shape_.begin() + dim, 0);
  return result;
}

LinearLayout LinearLayout::WithRegister(Bits basis, int position) const {
  LinearLayout result = *this;
  result.bases_[kRegister].insert(result.bases_[kRegister].begin() + position, basis);
  return result;
}

LinearLayout LinearLayout::DropLowBits(int dim, int bits) const {
  LinearLayout result = *this;
  Field dropped{FieldOf(shape_, dim).shift, bits};
  result.shape_[dim] -= bits;
  for (auto& list : result.bases_)
    for (Bits& basis : list) basis = RemoveField(basis, dropped);
  return result;
}

LinearLayout LinearLayout::DoubleDim(int dim) const {
  LinearLayout result = *this;
  Bits one = Bits(1) << FieldOf(shape_, dim).shift, below = one - 1;
  ++result.shape_[dim];
  for (auto& list : result.bases_)
    for (Bits& basis : list) basis = (basis & below) | (basis & ~below) << 1;
  return result.WithRegister(one, 0);
}

std::string LinearLayout::ToString() const {
  static constexpr const char* kNames[] = {"reg", "lane", "warp"};
  auto basis_text = [&](Bits basis) {
    std::string text;
    for (int d = 0; d < rank(); ++d) {
      Field field = FieldOf(shape_, d);
      Bits value = (basis & field.mask()) >> field.shift;
      if (value) text += (text.empty() ? "" : "+") + std::string(1, char('i' + d)) + std::to_string(value);
    }
    return text.empty() ? "0" : text;
  };
  std::string out;
  for (int hw = 0; hw < kHwDims; ++hw) {
    if (bases_[hw].empty()) continue;
    out += (out.empty() ? "" : " ") + std::string(kNames[hw]) + "=[";
    for (size_t i = 0; i < bases_[hw].size(); ++i) out += (i ? " " : "") + basis_text(bases_[hw][i]);
    out += ']';
  }
  return out.empty() ? "reg=[]" : out;
}

size_t LinearLayout::Hash() const {
  size_t hash = shape_.size();
  auto mix = [&](size_t value) { hash = hash * 1000003 ^ value; };
  for (int extent : shape_) mix(static_cast<size_t>(extent));
  for (const auto& list : bases_) {
    mix(list.size());
    for (Bits basis : list) mix(basis);
  }
  return hash;
}

Exchange ExchangeNeeded(const LinearLayout& source, const LinearLayout& result) {
  if (source == result) return Exchange::kNone;
  if (result.RegistersFrom(source)) return Exchange::kRegisters;
  auto warps = [](const LinearLayout& layout) {
    std::vector<Bits> list = layout.bases(kWarp);
    while (!list.empty() && !list.back()) list.pop_back();
    return list;
  };
  if (warps(source) != warps(result)) return Exchange::kWarps;
  // Same warp bases: data stays within a warp iff what the result's registers and lanes reach, the source's reach too.
  Echelon reach;
  for (HwDim d : {kRegister, kLane})
    for (Bits basis : source.bases(d)) reach.Insert(basis, 0);
  for (HwDim d : {kRegister, kLane})
    for (Bits basis : result.bases(d))
      if (!reach.Spans(basis)) return Exchange::kWarps;
  return Exchange::kLanes;
}

LayoutBuilder& LayoutBuilder::Walk(HwDim hw, int dim, int bits) {
  Field field = FieldOf(layout_.shape_, dim);
  for (int i = 0; i < bits; ++i) {
    if (used_[dim] < field.width) {
      layout_.bases_[hw].push_back(Bits(1) << (field.shift + used_[dim]++));
    } else if (hw != kRegister) {
      layout_.bases_[hw].push_back(0);
    }
  }
  return *this;
}

LayoutBuilder& LayoutBuilder::Replicate(HwDim hw, int bits) {
  layout_.bases_[hw].resize(layout_.bases_[hw].size() + bits);
  return *this;
}

LayoutBuilder& LayoutBuilder::FillRegisters(const std::vector<int>& order) {
  for (int dim : order) Walk(kRegister, dim, Left(dim));
  return *this;
}

}  // namespace rocxla::triton
