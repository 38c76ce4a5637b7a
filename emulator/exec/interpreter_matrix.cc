// Matrix cores.
#include "emulator/exec/interpreter.h"

namespace rocxla::emu {
namespace {

// Where element (row i, k) of A, or (k, column i) of B, lies: a lane, and which of the lane's elements.
struct Place {
  int lane, element;
};
template <class O>
constexpr Place InputPlace(int block, int i, int k) {
  constexpr int kPerLane = ElementsPerLane<O>();
  if constexpr (O::kUnit == MatrixKind::kMfma) return {i + O::kM * (block + O::kBlocks * (k / kPerLane)), k % kPerLane};
  if constexpr (O::kUnit == MatrixKind::kWmmaGfx11) return {i, k};
  return {i + 16 * (k / kPerLane), k % kPerLane};
}
// Where C and D's element (row i, column 0) lies; the other columns follow in the next lanes. element counts whole
// results.
template <class O>
constexpr Place ResultPlace(int block, int i) {
  if constexpr (O::kUnit == MatrixKind::kWmmaGfx11) return {16 * (i % 2), i / 2};
  if constexpr (O::kUnit == MatrixKind::kWmmaGfx12) return {16 * (i / 8), i % 8};
  if constexpr (sizeof(typename O::D) == 8) return {16 * (i % 4), i / 4};
  if constexpr (O::kM == 32) return {32 * (i / 4 % 2), 16 * block + 4 * (i / 8) + i % 4};
  if constexpr (O::kM == 16) return {16 * (i / 4), 4 * block + i % 4};
  return {4 * block, i};
}

// Element `element` of a lane in registers from `row` on.
template <class T>
T ReadElement(const u32* row, Place place) {
  T x;
  size_t byte = place.element * sizeof(T);
  if constexpr (sizeof(T) == 8) {
    u64 bits = u64{row[(byte / 4 + 1) * kRowLanes + place.lane]} << 32 | row[byte / 4 * kRowLanes + place.lane];
    std::memcpy(&x, &bits, sizeof x);
  } else {
    u32 word = row[byte / 4 * kRowLanes + place.lane] >> (8 * (byte % 4));
    std::memcpy(&x, &word, sizeof x);
  }
  return x;
}
template <class T>
void WriteElement(u32* row, Place place, T x) {
  u32 words[sizeof(T) / 4];
  std::memcpy(words, &x, sizeof x);
  for (size_t n = 0; n < sizeof(T) / 4; n++)
    row[(place.element * sizeof(T) / 4 + n) * kRowLanes + place.lane] = words[n];
}

template <class O, class D>
void MultiplyBlock(int block, const u32* a_rows, const u32* b_rows, D (&sum)[O::kM][O::kM]) {
  alignas(64) D a[O::kM][O::kK], b[O::kK][O::kM];
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) {
      a[i][k] = static_cast<D>(ReadElement<typename O::A>(a_rows, InputPlace<O>(block, i, k)));
      b[k][i] = static_cast<D>(ReadElement<typename O::B>(b_rows, InputPlace<O>(block, i, k)));
    }
  }
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) {
      for (int j = 0; j < O::kM; j++) {
        if constexpr (std::is_integral_v<D>)
          sum[i][j] += a[i][k] * b[k][j];
        else
          sum[i][j] = __builtin_elementwise_fma(a[i][k], b[k][j], sum[i][j]);
      }
    }
  }
}

// Matrix operations ignore EXEC. All of A, B and C is read before D is written: they may overlap.
template <class O>
HANDLER RunMatrix(const Code* ip, Wave* w, u64 exec) {
  using D = typename O::D;
  alignas(64) D sum[O::kBlocks][O::kM][O::kM];
  const u32* c_rows = &At<u32>(w, ip->src[2]);
  bool c_is_scalar = (ip->scalars >> 2 & 1) != 0;
  for (int block = 0; block < O::kBlocks; block++) {
    for (int i = 0; i < O::kM; i++) {
      Place first = ResultPlace<O>(block, i);
      for (int j = 0; j < O::kM; j++) {
        Place place = {first.lane + j, first.element};
        sum[block][i][j] =
            c_is_scalar
                ? ReadScalar<
                      std::conditional_t<sizeof(D) == 8, F64, std::conditional_t<std::is_integral_v<D>, I32, F32>>>(
                      w, ip->src[2])
                : ReadElement<D>(c_rows, place);
      }
    }
    MultiplyBlock<O>(block, &At<u32>(w, ip->src[0]), &At<u32>(w, ip->src[1]), sum[block]);
  }
  u32* d_rows = &At<u32>(w, ip->dst[0]);
  for (int block = 0; block < O::kBlocks; block++) {
    for (int i = 0; i < O::kM; i++) {
      Place first = ResultPlace<O>(block, i);
      for (int j = 0; j < O::kM; j++) WriteElement<D>(d_rows, {first.lane + j, first.element}, sum[block][i][j]);
    }
  }
  NEXT;
}

}  // namespace

Handler PickFrom_matrix(const Micro& micro, int) {
  switch (micro.op) {
#define MATRIX(name, ...) \
  case Op::name:          \
    return &RunMatrix<op::name>;
#include "emulator/isa/matrix.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
