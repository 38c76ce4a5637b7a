// OpInfo of every operation, derived from its struct, and the index of names.
#include <string_view>
#include <unordered_map>

#include "emulator/isa/matrix_types.h"
#include "emulator/isa/op.h"
#include "emulator/isa/text.h"
// After the domain:
#include "emulator/isa/operations.h"

namespace rocxla::emu {
namespace {

template <class T>
constexpr OperandInfo Describe() {
  OperandInfo info;
  using E = typename T::Elem;
  bool is_float = std::is_floating_point_v<E> || std::is_same_v<E, f16>;
  info.kind = std::is_same_v<T, Mask>  ? ElementKind::kMask
              : std::is_same_v<T, Row> ? ElementKind::kRow
              : is_float               ? ElementKind::kFloat
                                       : ElementKind::kInteger;
  info.words = T::kWords;
  info.bits = T::kBits;
  if constexpr (Implicit<T>) info.implicit = T::kImplicit;
  return info;
}
template <class... R, class... S>
constexpr void DescribeOperands(OpInfo& info, List<R...>, List<S...>) {
  ((info.result[info.results++] = Describe<R>()), ...);
  ((info.source[info.sources++] = Describe<S>()), ...);
}

template <class O>
constexpr OpInfo InfoFor(std::string_view name, Table table) {
  OpInfo info;
  info.name = name;
  info.table = table;
  info.shape = O::kShape;
  if constexpr (requires { typename O::Sig; }) {
    DescribeOperands(info, typename O::Sig::Results{}, typename O::Sig::Sources{});
  }
  if constexpr (requires { O::kSpace; }) {
    info.space = O::kSpace;
    info.element_bytes = sizeof(typename O::Elem);
  }
  if constexpr (O::kShape == Shape::kMemory) {
    info.action = O::kAction;
    info.count = O::kCount;
    info.stride = O::kStride;
    info.half = O::kHalf;
  }
  if constexpr (O::kShape == Shape::kAtomic) info.count = O::kData;
  if constexpr (O::kShape == Shape::kMatrix) {
    constexpr MatrixShape shape = ShapeOf<O>();
    info.a_words = shape.a_words;
    info.b_words = shape.b_words;
    info.c_words = shape.c_words;
    info.blocks = O::kBlocks;
    if (IsSparse(O::kUnit)) info.sparse_elements = AElements<O>();
  }
  return info;
}

constexpr OpInfo kInfo[] = {
#define EACH_OF(table, name) EACH_IN(table, name)
#define EACH_IN(table, name) InfoFor<op::name>(#name, Table::table),
#include "emulator/isa/each_table.def"
};

}  // namespace

const OpInfo& Info(Op op) { return kInfo[static_cast<int>(op)]; }

std::optional<Op> FindOp(std::string_view name) {
  static const auto* index = [] {
    auto* map = new std::unordered_map<std::string_view, Op>;
    for (int i = 0; i < static_cast<int>(Op::kCount); i++) map->emplace(kInfo[i].name, static_cast<Op>(i));
    return map;
  }();
  auto it = index->find(name);
  return it == index->end() ? std::nullopt : std::optional<Op>(it->second);
}

}  // namespace rocxla::emu
