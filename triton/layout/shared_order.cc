// Element numbers are vectors over GF(2). Let P be the span of what one pass of the reader covers: the registers of its
// vector and its first lanes; Q likewise for the writer. Both are filled up to the 128 bytes of all banks. The bank of
// an element is its class modulo a subspace K; a pass is free of conflicts if K meets P (or Q) in 0 only. Two subspaces
// of equal dimension have a common complement: with p_i a basis of P over Q, q_i one of Q over P, and C a complement of
// P + Q, it is spanned by the p_i + q_i and C. The low bits of a place are coordinates in P, the high bits those in K.
#include "triton/layout/shared_order.h"

#include <algorithm>

namespace rocxla::triton {
namespace {

constexpr int kVectorBytes = 16, kWordBytes = 4, kPassBytes = 128;

// A subspace, with a basis in echelon form.
class Span {
 public:
  Span() = default;
  explicit Span(const std::vector<Bits>& vectors) {
    for (Bits v : vectors) Insert(v);
  }
  // Adds a vector; false if it lay in the span already.
  bool Insert(Bits v) {
    v = Reduce(v);
    if (!v) return false;
    basis_.push_back(v);
    return true;
  }
  int size() const { return static_cast<int>(basis_.size()); }

 private:
  Bits Reduce(Bits v) const {
    for (Bits b : basis_) v = std::min(v, v ^ b);
    return v;
  }
  std::vector<Bits> basis_;  // leading bits differ
};

bool Holds(const std::vector<Bits>& list, Bits v) { return std::find(list.begin(), list.end(), v) != list.end(); }

// The different registers of a layout that move something.
std::vector<Bits> Registers(const LinearLayout& layout) {
  Span span;
  std::vector<Bits> registers;
  for (Bits basis : layout.bases(kRegister))
    if (span.Insert(basis)) registers.push_back(basis);
  return registers;
}

// What both sides access as one: the registers that both have, then more of one side's.
struct Vectors {
  std::vector<Bits> all;
  int writers = 0, readers = 0;  // how many of `all`, from the first, are the writer's vector and the reader's
};

// A tensor's bits per access of 16 bytes, word of a bank and pass over all banks.
struct Sizes {
  int vector, word, pass;
};
Sizes SizesFor(int bits, int bytes) {
  const auto elements = [&](int of) { return std::min(bits, std::max(0, Log2Exact(of) - Log2Exact(bytes))); };
  return {elements(kVectorBytes), elements(kWordBytes), elements(kPassBytes)};
}

// How many lane bits one pass covers, where each lane accesses `vector` bits.
size_t LanesOfPass(const LinearLayout& layout, int vector, const Sizes& sizes) {
  const auto fit = static_cast<size_t>(std::max(0, sizes.pass - std::max(vector, sizes.word)));
  return std::min(layout.bases(kLane).size(), fit);
}

// `common` lengthened by more registers of one side. The other side's accesses stay free of conflicts if it fills the
// added places in the same pass, by other lanes, or if they lie in one word.
std::vector<Bits> Lengthen(const std::vector<Bits>& common, const LinearLayout& own, const LinearLayout& other,
                           const Sizes& sizes) {
  std::vector<Bits> vector = common;
  const std::vector<Bits>& lanes = other.bases(kLane);
  const auto end =
      lanes.begin() + static_cast<std::ptrdiff_t>(LanesOfPass(other, static_cast<int>(common.size()), sizes));
  for (Bits basis : Registers(own)) {
    const int size = static_cast<int>(vector.size());
    if (size == sizes.vector) break;
    if (Holds(vector, basis)) continue;
    if (size < sizes.word || std::find(lanes.begin(), end, basis) != end) vector.push_back(basis);
  }
  return vector;
}

// The side whose longer vector saves more instructions gets it.
Vectors ChooseVectors(const LinearLayout& writer, const LinearLayout& reader, const Sizes& sizes) {
  const std::vector<Bits> written = Registers(writer);
  std::vector<Bits> common;
  for (Bits basis : Registers(reader))
    if (static_cast<int>(common.size()) < sizes.vector && Holds(written, basis)) common.push_back(basis);
  const int shared = static_cast<int>(common.size());
  const std::vector<Bits> read = Lengthen(common, reader, writer, sizes);
  const std::vector<Bits> write = Lengthen(common, writer, reader, sizes);
  const int read_size = static_cast<int>(read.size()), write_size = static_cast<int>(write.size());
  const int reader_leads = (reader.registers() >> read_size) + (writer.registers() >> shared);
  const int writer_leads = (reader.registers() >> shared) + (writer.registers() >> write_size);
  if (reader_leads <= writer_leads) return {read, shared, read_size};
  return {write, write_size, shared};
}

// More of `from` until the basis has `size` vectors.
void FillUp(std::vector<Bits>& basis, const std::vector<Bits>& from, int size) {
  Span span(basis);
  for (Bits v : from)
    if (span.size() < size && span.Insert(v)) basis.push_back(v);
}

// Every vector that a layout is made of, registers first: what a basis is best filled up with, for then a register's
// share of an address is often a single bit that no lane has.
std::vector<Bits> AllBases(const LinearLayout& layout) {
  std::vector<Bits> all;
  for (HwDim hw : {kRegister, kWarp, kLane})
    for (Bits basis : layout.bases(hw)) all.push_back(basis);
  return all;
}

// The elements that share a word of a bank: those of the vectors, then lanes that both sides have, then any.
std::vector<Bits> WordOf(const LinearLayout& writer, const LinearLayout& reader, const std::vector<Bits>& vectors,
                         const std::vector<Bits>& rest, int size) {
  std::vector<Bits> both, word;
  for (Bits lane : reader.bases(kLane))
    if (Holds(writer.bases(kLane), lane)) both.push_back(lane);
  for (const std::vector<Bits>* from : {&vectors, static_cast<const std::vector<Bits>*>(&both), &rest})
    FillUp(word, *from, size);
  return word;
}

// A basis of what one pass covers: a word, the first `vector` of `vectors`, and the first lanes.
std::vector<Bits> OnePass(const LinearLayout& layout, const std::vector<Bits>& word, const std::vector<Bits>& vectors,
                          int vector, const Sizes& sizes) {
  std::vector<Bits> basis(vectors.begin(), vectors.begin() + vector);
  FillUp(basis, word, sizes.pass);
  const std::vector<Bits>& lanes = layout.bases(kLane);
  const auto count = static_cast<std::ptrdiff_t>(LanesOfPass(layout, vector, sizes));
  FillUp(basis, {lanes.begin(), lanes.begin() + count}, sizes.pass);
  return basis;
}

// A basis of all element numbers: coordinates in it are the bits of a place, lowest first.
std::vector<Bits> PlaceBasis(std::vector<Bits> p, std::vector<Bits> q, const std::vector<Bits>& rest, int bits,
                             int pass) {
  const std::vector<Bits> p_own = p, q_own = q;
  for (auto* side : {&p, &q}) {
    FillUp(*side, side == &p ? q_own : p_own, pass);
    FillUp(*side, rest, pass);
  }
  Span over_q(q), over_p(p);
  std::vector<Bits> p_only, basis = p;
  for (Bits v : p)
    if (over_q.Insert(v)) p_only.push_back(v);  // over_q is P + Q now
  size_t i = 0;
  for (Bits v : q)
    if (over_p.Insert(v)) basis.push_back(p_only[i++] ^ v);
  for (Bits v : rest)
    if (static_cast<int>(basis.size()) < bits && over_q.Insert(v)) basis.push_back(v);
  return basis;
}

// The place of each element bit: the inverse of the matrix with columns `basis`.
std::vector<Bits> PlaceOfBits(std::vector<Bits> basis) {
  const size_t n = basis.size();
  std::vector<Bits> combination(n);  // basis[i] after elimination = XOR of the given vectors in combination[i]
  for (size_t i = 0; i < n; ++i) combination[i] = Bits(1) << i;
  std::vector<size_t> row_of_bit(n);  // which of `basis` is this bit alone in the end
  std::vector<bool> used(n, false);
  for (size_t bit = 0; bit < n; ++bit) {
    size_t pivot = 0;
    while (used[pivot] || !(basis[pivot] >> bit & 1)) ++pivot;
    used[pivot] = true;
    for (size_t i = 0; i < n; ++i) {
      if (i == pivot || !(basis[i] >> bit & 1)) continue;
      basis[i] ^= basis[pivot];
      combination[i] ^= combination[pivot];
    }
    row_of_bit[bit] = pivot;
  }
  std::vector<Bits> places;
  for (size_t row : row_of_bit) places.push_back(combination[row]);
  return places;
}

SharedSide SideOf(const LinearLayout& layout, const std::vector<Bits>& place_of_bits, const std::vector<Bits>& vectors,
                  int vector) {
  const auto place = [&](Bits element) {
    Bits sum = 0;
    for (size_t bit = 0; bit < place_of_bits.size(); ++bit)
      if (element >> bit & 1) sum ^= place_of_bits[bit];
    return sum;
  };
  const std::vector<Bits>& own = layout.bases(kRegister);
  std::vector<size_t> order;  // register bits: those of the vector first
  for (int i = 0; i < vector; ++i)
    order.push_back(static_cast<size_t>(std::find(own.begin(), own.end(), vectors[i]) - own.begin()));
  for (size_t i = 0; i < own.size(); ++i)
    if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);

  SharedSide side{LinearLayout(Shape{static_cast<int>(place_of_bits.size())}), {}};
  for (size_t i : order) side.places.bases(kRegister).push_back(place(own[i]));
  for (HwDim hw : {kLane, kWarp})
    for (Bits basis : layout.bases(hw)) side.places.bases(hw).push_back(place(basis));
  for (int r = 0; r < layout.registers(); ++r) {
    int original = 0;
    for (size_t i = 0; i < order.size(); ++i)
      if (r >> i & 1) original |= 1 << order[i];
    side.registers.push_back(original);
  }
  return side;
}

}  // namespace

SharedOrder OrderInShared(const LinearLayout& writer, const LinearLayout& reader, int bytes) {
  const int bits = TotalBits(writer.shape());
  const Sizes sizes = SizesFor(bits, bytes);
  const Vectors vectors = ChooseVectors(writer, reader, sizes);
  std::vector<Bits> rest = AllBases(reader);
  for (Bits basis : AllBases(writer)) rest.push_back(basis);
  const std::vector<Bits> word = WordOf(writer, reader, vectors.all, rest, sizes.word);
  const std::vector<Bits> read = OnePass(reader, word, vectors.all, vectors.readers, sizes);
  const std::vector<Bits> written = OnePass(writer, word, vectors.all, vectors.writers, sizes);
  // The side with the longer vector leads: its vector must be the low bits of a place.
  const bool reader_leads = vectors.readers >= vectors.writers;
  const std::vector<Bits> basis =
      PlaceBasis(reader_leads ? read : written, reader_leads ? written : read, rest, bits, sizes.pass);
  const std::vector<Bits> places = PlaceOfBits(basis);
  return {SideOf(writer, places, vectors.all, vectors.writers), SideOf(reader, places, vectors.all, vectors.readers)};
}

}  // namespace rocxla::triton
