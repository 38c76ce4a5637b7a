// Matrix cores.
#include "emulator/exec/interpreter.h"

namespace rocxla::emu {
namespace {

// Where element (row i, k) of A, or (k, column i) of B, lies: a lane, and which of the lane's elements.
struct Place {
  int lane, element;
};
// The group of lanes that holds the `group`-th piece of k. gfx12 in wave64 exchanges the middle two of four groups, but
// not for elements of 16 bits. Source: "RDNA4 ISA", "Matrix Element Storage in VGPRs".
template <class O>
constexpr int LaneGroup(int bits, int groups, int group) {
  constexpr int kExchanged[] = {0, 2, 1, 3};
  return IsGfx12Wave64(O::kUnit) && bits < 16 && groups == 4 ? kExchanged[group] : group;
}
template <class O>
constexpr Place InputPlace(int block, int i, int k) {
  constexpr int kPerLane = AElements<O>(), kBits = kElementBits<typename O::A>, kGroups = ALanes<O>() / O::kM;
  if constexpr (O::kUnit == MatrixKind::kMfma) return {i + O::kM * (block + O::kBlocks * (k / kPerLane)), k % kPerLane};
  if constexpr (IsGfx11(O::kUnit)) return {i, k};
  return {i + 16 * LaneGroup<O>(kBits, kGroups, k / kPerLane), k % kPerLane};
}
// Sparse operations: groups of M lanes take turns with pieces of `piece` elements.
template <class O>
constexpr Place PlaceInPieces(int bits, int groups, int piece, int i, int k) {
  return {i + O::kM * LaneGroup<O>(bits, groups, k / piece % groups), k / (piece * groups) * piece + k % piece};
}
// Of A every lane of kSmfmac holds one piece, of kSwmmac one per 64 bits; of B one per 128 bits.
template <class O>
constexpr Place SparsePlace(int i, int compressed_k) {
  constexpr int kBits = kElementBits<typename O::A>, kPerLane = AElements<O>();
  constexpr int kPiece = O::kUnit == MatrixKind::kSmfmac ? kPerLane : std::min(64 / kBits, kPerLane);
  return PlaceInPieces<O>(kBits, ALanes<O>() / O::kM, kPiece, i, compressed_k);
}
template <class O>
constexpr Place DensePlace(int j, int k) {
  constexpr int kBits = kElementBits<typename O::B>;
  return PlaceInPieces<O>(kBits, BLanes<O>() / O::kM, std::min(128 / kBits, BElements<O>()), j, k);
}
// Where C and D's element (row i, column 0) lies; the other columns follow in the next lanes. element counts whole
// results.
template <class O>
constexpr Place ResultPlace(int block, int i) {
  if constexpr (IsGfx11(O::kUnit)) {
    constexpr int kGroups = LanesOf(O::kUnit) / 16;
    return {16 * (i % kGroups), i / kGroups};
  }
  if constexpr (IsGfx12Wave64(O::kUnit)) return {32 * (i / 4 % 2) + 16 * (i / 8), i % 4};
  if constexpr (LanesOf(O::kUnit) == 32) return {16 * (i / 8), i % 8};
  if constexpr (sizeof(typename O::D) == 8 && O::kM == 4) return {16 * i + 4 * block, 0};
  if constexpr (sizeof(typename O::D) == 8) return {16 * (i % 4), i / 4};
  if constexpr (O::kM == 32) return {32 * (i / 4 % 2), 16 * block + 4 * (i / 8) + i % 4};
  if constexpr (O::kM == 16) return {16 * (i / 4), 4 * block + i % 4};
  return {4 * block, i};
}

// The `bits` bits from bit `at` on of a lane's registers that begin at `row`; they may straddle two.
u64 ReadBits(const u32* row, int lane, int at, int bits) {
  const u32* word = row + at / 32 * kRowLanes + lane;
  u64 both = *word >> (at % 32);
  if (at % 32 + bits > 32) both |= u64{word[kRowLanes]} << (32 - at % 32);
  return bits == 64 ? both : both & ((u64{1} << bits) - 1);
}
// Element `element` of a lane in registers from `row` on.
template <class T>
T ReadElement(const u32* row, Place place) {
  T x;
  u64 bits = ReadBits(row, place.lane, place.element * kElementBits<T>, kElementBits<T>);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T>
void WriteElement(u32* row, Place place, T x) {
  if constexpr (sizeof(T) == 2) {
    u32& word = row[place.element / 2 * kRowLanes + place.lane];
    int shift = 16 * (place.element % 2);
    word = (word & ~(0xffffu << shift)) | u32{std::bit_cast<u16>(x)} << shift;
  } else {
    u32 words[sizeof(T) / 4];
    std::memcpy(words, &x, sizeof x);
    for (size_t n = 0; n < sizeof(T) / 4; n++) {
      row[(place.element * sizeof(T) / 4 + n) * kRowLanes + place.lane] = words[n];
    }
  }
}

// Sums of 16-bit results are kept in f32 and rounded at the end; integers that may saturate are kept exactly.
// kPlain: an instruction without modifiers.
enum class Path { kPlain, kModified };
template <class D, Path path>
using Sum = std::conditional_t<sizeof(D) == 2, float,
                               std::conditional_t<std::is_integral_v<D> && path == Path::kModified, i64, D>>;
template <class D, class S>
D RoundSum(S sum, bool saturate) {
  if constexpr (requires { D::Round(sum); }) {
    return D::Round(sum);
  } else if constexpr (std::is_same_v<S, i64>) {
    using Limits = std::numeric_limits<D>;
    return static_cast<D>(saturate ? std::clamp(sum, i64{Limits::min()}, i64{Limits::max()}) : sum);
  } else {
    return static_cast<D>(sum);
  }
}
// sums[j] += a * b[j]; fused for floats.
template <int columns, class S, class D>
void AddProducts(S (&sums)[columns], D a, const D (&b)[columns]) {
  for (int j = 0; j < columns; j++) {
    if constexpr (std::is_integral_v<S>)
      sums[j] += a * b[j];
    else
      sums[j] = __builtin_elementwise_fma(a, b[j], sums[j]);
  }
}

// --- modifiers of the inputs

int ModifiedBlock(const MatrixModifiers& m, int block) {
  int group = (1 << m.cbsz) - 1;
  return (block & ~group) | (static_cast<int>(m.abid) & group);
}
int ModifiedLane(const MatrixModifiers& m, int lane) {
  constexpr int kLow = 1, kHigh = 2, kRotate = 3, kFirstQuarter = 4;
  if (m.blgp == 0) return lane;
  if (m.blgp == kLow || m.blgp == kHigh) return lane % 32 + (m.blgp == kHigh ? 32 : 0);
  if (m.blgp == kRotate) return (lane + 16) % 64;
  return lane % 16 + 16 * (static_cast<int>(m.blgp) - kFirstQuarter);
}
template <class D>
D Negated(D x, u32 halves, int element) {
  return (halves >> (element % 2) & 1) != 0 ? -x : x;
}

template <class O, Path path, class D, class S>
void MultiplyBlock(int block, const u32* a_rows, const u32* b_rows, const MatrixModifiers& m, S (&sum)[O::kM][O::kM]) {
  alignas(64) D a[O::kM][O::kK], b[O::kK][O::kM];
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) {
      Place at_a = InputPlace<O>(block, i, k), at_b = at_a;
      if constexpr (path == Path::kModified) {
        at_a = InputPlace<O>(ModifiedBlock(m, block), i, k);
        at_b.lane = ModifiedLane(m, at_b.lane);
      }
      a[i][k] = static_cast<D>(ReadElement<typename O::A>(a_rows, at_a));
      b[k][i] = static_cast<D>(ReadElement<typename O::B>(b_rows, at_b));
      if constexpr (path == Path::kModified) {
        a[i][k] = Negated(a[i][k], m.negate_a, at_a.element);
        b[k][i] = Negated(b[k][i], m.negate_b, at_b.element);
      }
    }
  }
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) AddProducts(sum[i], a[i][k], b[k]);
  }
}

// Which of its lane's results is element (row i, column j) of a block. imm[0] is 1 where gfx11 uses the upper halves.
template <class O>
Place ResultElement(const Code* ip, int block, int i, int j) {
  Place place = ResultPlace<O>(block, i);
  place.lane += j;
  if constexpr (IsGfx11(O::kUnit) && sizeof(typename O::D) == 2) {
    place.element = 2 * place.element + ip->imm[0];
  }
  return place;
}
template <class O, Path path>
using SumsOf = Sum<typename O::D, path>[O::kBlocks][O::kM][O::kM];
template <class D>
D ReadConstant(Wave* w, u32 offset) {
  if constexpr (sizeof(D) == 8)
    return std::bit_cast<D>(ReadPair(w, offset));
  else
    return std::bit_cast<D>(static_cast<std::conditional_t<sizeof(D) == 2, u16, u32>>(At<u32>(w, offset)));
}
template <class O, Path path>
void ReadSums(const Code* ip, Wave* w, const MatrixModifiers& m, SumsOf<O, path>& sum) {
  using D = typename O::D;
  using S = Sum<D, path>;
  const u32* rows = &At<u32>(w, ip->src[2]);
  bool is_scalar = (ip->scalars >> 2 & 1) != 0;
  for (int block = 0; block < O::kBlocks; block++) {
    for (int i = 0; i < O::kM; i++) {
      for (int j = 0; j < O::kM; j++) {
        S x = static_cast<S>(is_scalar ? ReadConstant<D>(w, ip->src[2])
                                       : ReadElement<D>(rows, ResultElement<O>(ip, block, i, j)));
        if constexpr (path == Path::kModified && std::is_floating_point_v<S>) {
          if (m.absolute_c) x = std::fabs(x);
          if (m.negate_c) x = -x;
        }
        sum[block][i][j] = x;
      }
    }
  }
}
template <class O, Path path>
void WriteSums(const Code* ip, Wave* w, bool saturate, const SumsOf<O, path>& sum) {
  u32* rows = &At<u32>(w, ip->dst[0]);
  for (int block = 0; block < O::kBlocks; block++) {
    for (int i = 0; i < O::kM; i++) {
      for (int j = 0; j < O::kM; j++) {
        WriteElement(rows, ResultElement<O>(ip, block, i, j), RoundSum<typename O::D>(sum[block][i][j], saturate));
      }
    }
  }
}

// Matrix operations ignore EXEC. All of A, B and C is read before D is written: they may overlap.
template <class O, Path path>
HANDLER RunMatrix(const Code* ip, Wave* w, u64 exec) {
  alignas(64) SumsOf<O, path> sum;
  MatrixModifiers m = MatrixModifiers::Unpack(ip->imm[1]);
  ReadSums<O, path>(ip, w, m, sum);
  for (int block = 0; block < O::kBlocks; block++) {
    MultiplyBlock<O, path, Sum<typename O::D, Path::kPlain>>(block, &At<u32>(w, ip->src[0]), &At<u32>(w, ip->src[1]), m,
                                                             sum[block]);
  }
  WriteSums<O, path>(ip, w, m.saturate, sum);
  NEXT;
}

// --- sparse operations: src[3] holds the indices, imm[0] says from which bit on. Two bits belong to each of a lane's
// elements of A, in their order: its place among four consecutive k. Equal places are both used.

template <class O>
HANDLER RunSparseMatrix(const Code* ip, Wave* w, u64 exec) {
  using D = Sum<typename O::D, Path::kPlain>;
  alignas(64) SumsOf<O, Path::kModified> sum;
  MatrixModifiers m = MatrixModifiers::Unpack(ip->imm[1]);
  ReadSums<O, Path::kModified>(ip, w, m, sum);
  const u32 *a_rows = &At<u32>(w, ip->src[0]), *b_rows = &At<u32>(w, ip->src[1]), *indices = &At<u32>(w, ip->src[3]);
  alignas(64) D b[O::kK][O::kM];
  for (int k = 0; k < O::kK; k++) {
    for (int j = 0; j < O::kM; j++) {
      b[k][j] = static_cast<D>(ReadElement<typename O::B>(b_rows, DensePlace<O>(j, k)));
    }
  }
  for (int i = 0; i < O::kM; i++) {
    for (int c = 0; c < O::kK / 2; c++) {
      Place at = SparsePlace<O>(i, c);
      D a = static_cast<D>(ReadElement<typename O::A>(a_rows, at));
      u32 place = indices[at.lane] >> (ip->imm[0] + 2 * at.element) & 3;
      AddProducts(sum[0][i], a, b[4 * (c / 2) + place]);
    }
  }
  WriteSums<O, Path::kModified>(ip, w, m.saturate, sum);
  NEXT;
}

// --- formats and scales chosen by the instruction: imm[0] and imm[1] are the formats of A and B, src[3] holds the
// scales of a lane's 32 elements, A's in the lowest byte, B's in the next

struct NarrowTable {
  int bits;
  const float* values;
};
// In the order of the instruction's fields cbsz and blgp.
constexpr NarrowTable kNarrowTables[] = {{8, kNarrowValues<Fp8Format>.data()},
                                         {8, kNarrowValues<Bf8Format>.data()},
                                         {6, kNarrowValues<Fp6Format>.data()},
                                         {6, kNarrowValues<Bf6Format>.data()},
                                         {4, kNarrowValues<Fp4Format>.data()}};

// Element k of row i of A, or of column i of B. A block of 32 in k has the scale of lane group k / 32. Narrower
// elements lie there too; those of 8 bits fill the lane groups sixteen at a time. Source: ROCm's Composable Kernel,
// tests of MX MFMA.
template <class O>
double ScaledElement(const u32* rows, const NarrowTable& table, int i, int k, auto scale_of_lane) {
  constexpr int kGroups = 64 / O::kM;
  int group = k / 32, element = k % 32;
  double scale = scale_of_lane(i + O::kM * group);
  if (table.bits == 8) {
    group = k / 16 % kGroups;
    element = k % 16 + 16 * (k / (16 * kGroups));
  }
  return table.values[ReadBits(rows, i + O::kM * group, element * table.bits, table.bits)] * scale;
}
template <class O>
HANDLER RunScaledMatrix(const Code* ip, Wave* w, u64 exec) {
  alignas(64) SumsOf<O, Path::kPlain> sum;
  ReadSums<O, Path::kPlain>(ip, w, {}, sum);
  const u32* scales = &At<u32>(w, ip->src[3]);
  bool one_scale = (ip->scalars >> 3 & 1) != 0;
  auto scale_in_byte = [=](int byte) {
    return [=](int lane) { return ScaleFactor(scales[one_scale ? 0 : lane] >> (8 * byte) << 23); };
  };
  alignas(64) double a[O::kM][O::kK], b[O::kK][O::kM];
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) {
      a[i][k] = ScaledElement<O>(&At<u32>(w, ip->src[0]), kNarrowTables[ip->imm[0]], i, k, scale_in_byte(0));
      b[k][i] = ScaledElement<O>(&At<u32>(w, ip->src[1]), kNarrowTables[ip->imm[1]], i, k, scale_in_byte(1));
    }
  }
  for (int i = 0; i < O::kM; i++) {
    for (int k = 0; k < O::kK; k++) {
      for (int j = 0; j < O::kM; j++) {
        sum[0][i][j] = static_cast<float>(__builtin_fma(a[i][k], b[k][j], static_cast<double>(sum[0][i][j])));
      }
    }
  }
  WriteSums<O, Path::kPlain>(ip, w, false, sum);
  NEXT;
}

template <class O>
Handler PickMatrix(const Micro& micro) {
  if constexpr (IsSparse(O::kUnit))
    return &RunSparseMatrix<O>;
  else if constexpr (O::kUnit == MatrixKind::kMfmaScaled)
    return &RunScaledMatrix<O>;
  else
    return micro.imm[1] == 0 ? &RunMatrix<O, Path::kPlain> : &RunMatrix<O, Path::kModified>;
}

}  // namespace

Handler PickFrom_matrix(const Micro& micro, int) {
  switch (micro.op) {
#define MATRIX(name, ...) \
  case Op::name:          \
    return PickMatrix<op::name>(micro);
#include "emulator/isa/matrix.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
