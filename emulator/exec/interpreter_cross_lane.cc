// Operations across lanes.
#include <immintrin.h>

#include "emulator/decode/program.h"
#include "emulator/exec/interpreter.h"

namespace rocxla::emu {
namespace {

struct RowValue {
  alignas(64) u32 lane[kRowLanes];
};

// What the meanings in cross_lane.def see as `w`. Rows are read completely before any is written.
struct WaveView {
  const Code* ip;
  u64 exec;
  int lanes;
  Wave* wave = nullptr;
  bool failed = false;

  bool Active(int lane) const { return (exec >> lane & 1) != 0; }
  u32 Lane(const u32* row, u32 lane) const { return row[lane & (lanes - 1)]; }
  u32 FirstActive() const { return exec != 0 ? std::countr_zero(exec) : 0; }
  RowValue Copy(const u32* row) const {
    RowValue r;
    std::memcpy(r.lane, row, sizeof r.lane);
    return r;
  }
  RowValue WithLane(const u32* old, u32 lane, u32 value) {
    RowValue r = Copy(old);
    r.lane[lane & (lanes - 1)] = value;
    exec = FullExec(lanes);
    return r;
  }
  // Bits of `mask` below the lane, among the 32 lanes that begin at `first`, added to `addend`.
  RowValue CountBelow(const u32* mask, const u32* addend, int first) const {
    RowValue r;
    for (int l = 0; l < lanes; l++) {
      int below = std::clamp(l - first, 0, 32);
      u32 bits = below == 32 ? ~0u : (1u << below) - 1;
      r.lane[l] = addend[l] + std::popcount(mask[l] & bits);
    }
    return r;
  }
  RowValue Gather(const u32* row, const u32* address) const {
    RowValue r;
    for (int l = 0; l < lanes; l++) {
      u32 from = (address[l] + ip->imm[0]) / 4 & (lanes - 1);
      r.lane[l] = Active(from) ? row[from] : 0;
    }
    return r;
  }
  RowValue GatherAll(const u32* row, const u32* address) const {
    RowValue r;
    for (int l = 0; l < lanes; l++) r.lane[l] = row[(address[l] + ip->imm[0]) / 4 & (lanes - 1)];
    return r;
  }
  RowValue LaneAddresses(u32 base) const {
    RowValue r;
    for (int l = 0; l < lanes; l++) r.lane[l] = base + ip->imm[0] + l * ip->imm[1];
    return r;
  }
  RowValue Scatter(const u32* row, const u32* address) const {
    RowValue r = {};
    for (int l = 0; l < lanes; l++) {
      if (Active(l)) r.lane[(address[l] + ip->imm[0]) / 4 & (lanes - 1)] = row[l];
    }
    return r;
  }
  RowValue Swizzle(const u32* row) const {
    RowValue r;
    u32 control = ip->imm[0];
    for (int l = 0; l < lanes; l++) {
      u32 in_group = l & 31;
      u32 quad = (l & 3u) * 2, from_quad = (in_group & ~3u) + (control >> quad & 3);
      u32 from_mask = ((in_group & (control & 31)) | (control >> 5 & 31)) ^ (control >> 10 & 31);
      u32 from = (l & ~31) + ((control & 0x8000) != 0 ? from_quad : from_mask);
      r.lane[l] = Active(from) ? row[from] : 0;
    }
    return r;
  }
  std::tuple<RowValue, u64> Dpp(const u32* row) const {
    RowValue r = {};
    u64 writes = 0;
    DppControl d = UnpackDpp(ip->imm[0]);
    for (int l = 0; l < lanes; l++) {
      int from = DppSource(d.control, l);
      bool valid = from >= 0 && from < lanes && (d.fetch_inactive || Active(from));
      bool selected = (d.row_mask >> (l / 16) & 1) != 0 && (d.bank_mask >> (l / 4 % 4) & 1) != 0;
      if (valid) r.lane[l] = row[from];
      writes |= u64{selected && (valid || d.zero_outside)} << l;
    }
    return {r, writes};
  }
  // imm[0]: eight selects of 3 bits; imm[1]: fetch inactive lanes too.
  std::tuple<RowValue, u64> Dpp8(const u32* row) const {
    RowValue r = {};
    for (int l = 0; l < lanes; l++) {
      int from = (l & ~7) + (ip->imm[0] >> (3 * (l & 7)) & 7);
      if (ip->imm[1] != 0 || Active(from)) r.lane[l] = row[from];
    }
    return {r, FullExec(lanes)};
  }
  // Every lane reads, in its own row of 16 or (flip 16) in the neighbour, the lane that its four select bits say.
  // imm[0] bit 0: fetch inactive lanes; bit 1: lanes without a source get 0.
  RowValue PermuteRows(const u32* old, const u32* row, u32 low, u32 high, int flip) const {
    RowValue r;
    u64 selects = u64{high} << 32 | low;
    for (int l = 0; l < lanes; l++) {
      int from = ((l & ~15) ^ flip) + static_cast<int>(selects >> (4 * (l & 15)) & 15);
      bool valid = Active(from) || (ip->imm[0] & 1) != 0;
      r.lane[l] = valid ? row[from] : (ip->imm[0] & 2) != 0 ? 0 : old[l];
    }
    return r;
  }
  // The same with a select per lane.
  RowValue PermuteRowsBy(const u32* old, const u32* row, const u32* selects, int flip) const {
    RowValue r;
    for (int l = 0; l < lanes; l++) {
      int from = ((l & ~15) ^ flip) + static_cast<int>(selects[l] & 15);
      bool valid = Active(from) || (ip->imm[0] & 1) != 0;
      r.lane[l] = valid ? row[from] : (ip->imm[0] & 2) != 0 ? 0 : old[l];
    }
    return r;
  }
  RowValue SwapHalves(const u32* row) const {
    RowValue r = Copy(row);
    for (int l = 0; l < lanes && lanes == 64; l++) r.lane[l] = row[l ^ 32];
    return r;
  }
  // Odd groups of `size` lanes of a change places with even groups of b.
  std::tuple<RowValue, RowValue> SwapBetween(const u32* a, const u32* b, int size) const {
    RowValue x = Copy(a), y = Copy(b);
    for (int l = 0; l < lanes; l++) {
      if ((l & size) != 0)
        x.lane[l] = b[l - size];
      else
        y.lane[l] = a[l + size];
    }
    return {x, y};
  }
  // See Transposition. `first` is the first of the rows.
  RowValue Transposed(const u32* first) const {
    RowValue r = {};
    Transposition t = Transposition::Unpack(ip->imm[1]);
    int per_lane = 32 * t.words / t.element_bits;
    auto element = [&](int lane, int e) {
      int at = e * t.element_bits;
      u64 bits = first[at / 32 * kRowLanes + lane] >> (at % 32);
      if (at % 32 + t.element_bits > 32) bits |= u64{first[(at / 32 + 1) * kRowLanes + lane]} << (32 - at % 32);
      return bits & ((u64{1} << t.element_bits) - 1);
    };
    for (int l = 0; l < lanes; l++) {
      int group = l / t.lanes * t.lanes;
      for (int row = 0; row < per_lane; row++) {
        int flat = row * t.lanes + l % t.lanes, at = row * t.element_bits - 32 * ip->imm[0];
        u64 x = element(group + flat / per_lane, flat % per_lane);
        if (at > -32 && at < 32) r.lane[l] |= static_cast<u32>(at >= 0 ? x << at : x >> -at);
      }
    }
    return r;
  }
  u32 RoundAs(u32 mode) {
    // MODE: nearest, up, down, toward zero; the host's order is nearest, down, up, toward zero.
    constexpr u32 kHostModes[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};
    _MM_SET_ROUNDING_MODE(ip->imm[0] < 0 ? _MM_ROUND_NEAREST : kHostModes[mode >> ip->imm[0] & 3]);
    return 0;
  }
  // Registers by number; a number that does not exist is a fault.
  bool Exists(u64 index, u64 limit) {
    failed = failed || index >= limit;
    return !failed;
  }
  static constexpr u64 RowLimit(u64 first) { return first < kAccRow ? kAccRow : kTempRow; }
  RowValue RowAt(u32 index) {
    u64 first = ip->imm[0], row = first + index;
    return Exists(row, RowLimit(first)) ? Copy(wave->row[row]) : RowValue{};
  }
  u32 SetRowAt(const u32* value, u32 index) {
    u64 first = ip->imm[0], row = first + index;
    if (!Exists(row, RowLimit(first))) return 0;
    for (int l = 0; l < lanes; l++) {
      if (Active(l)) wave->row[row][l] = value[l];
    }
    return 0;
  }
  u32 ScalarAt(u32 index) {
    u64 scalar = u64(ip->imm[0]) + index;
    return Exists(scalar, kVcc) ? wave->scalar[scalar] : 0;
  }
  u32 SetScalarAt(u32 value, u32 index) {
    u64 scalar = u64(ip->imm[0]) + index;
    if (Exists(scalar, kVcc)) wave->scalar[scalar] = value;
    return 0;
  }
  std::tuple<RowValue, RowValue> Exchange(const u32* a, const u32* b) const { return {Copy(b), Copy(a)}; }
};

// A row operand may be a scalar (v_mbcnt with a literal): it is spread into `spare`.
template <class T>
auto ReadSource(Wave* w, const Code* ip, int i, RowValue& spare) {
  if constexpr (std::is_same_v<T, Row>) {
    if ((ip->scalars >> i & 1) == 0) return static_cast<const u32*>(&At<u32>(w, ip->src[i]));
    for (u32& x : spare.lane) x = At<u32>(w, ip->src[i]);
    return static_cast<const u32*>(spare.lane);
  } else {
    return ReadScalar<T>(w, ip->src[i]);
  }
}
template <class T>
void WriteResult(Wave* w, u32 offset, const auto& x, u64 exec) {
  if constexpr (std::is_same_v<T, Row>) {
    u32* row = &At<u32>(w, offset);
    for (int l = 0; l < w->lanes; l++) row[l] = (exec >> l & 1) != 0 ? x.lane[l] : row[l];
  } else if constexpr (std::is_same_v<T, Mask>) {
    WriteMask(w, offset, x);
  } else {
    WriteScalar<T>(w, offset, x);
  }
}

// False: the operation failed, and nothing was written.
template <class O, class... R, class... S, size_t... I, size_t... J>
bool Evaluate(const Code* ip, Wave* w, u64 exec, List<R...>, List<S...>, std::index_sequence<I...>,
              std::index_sequence<J...>) {
  WaveView view{ip, exec, w->lanes, w};
  RowValue spare[sizeof...(S)];
  auto results = AsTuple(O::Eval(view, ReadSource<S>(w, ip, I, spare[I])...));
  if (view.failed) return false;
  (WriteResult<R>(w, ip->dst[J], std::get<J>(results), view.exec), ...);
  return true;
}
template <class O>
HANDLER RunWave(const Code* ip, Wave* w, u64 exec) {
  using Sig = typename O::Sig;
  bool done =
      Evaluate<O>(ip, w, exec, typename Sig::Results{}, typename Sig::Sources{},
                  std::make_index_sequence<Sig::Sources::kSize>{}, std::make_index_sequence<Sig::Results::kSize>{});
  if (!done) return StopAt(w, ip, FaultKind::kRegisterIndex);
  exec = w->Mask(kExec);  // v_readlane may write it
  NEXT;
}

}  // namespace

int DppSource(u32 control, int lane) {
  int row = lane & ~15, at = lane & 15, n = control & 15;
  auto inside = [&](int x) { return x >= 0 && x < 16 ? row + x : -1; };
  if (control < 0x100) return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);  // quad_perm
  switch (control & ~15u) {
    case 0x100:
      return inside(at + n);  // row_shl
    case 0x110:
      return inside(at - n);  // row_shr
    case 0x120:
      return row + ((at - n) & 15);  // row_ror
    case 0x150:
      return row + n;  // row_share, row_newbcast
    case 0x160:
      return row + (at ^ n);  // row_xmask
    default:
      break;
  }
  switch (control) {
    case 0x130:
      return lane < 63 ? lane + 1 : -1;  // wave_shl
    case 0x134:
      return (lane + 1) & 63;  // wave_rol
    case 0x138:
      return lane - 1;  // wave_shr
    case 0x13c:
      return (lane - 1) & 63;  // wave_ror
    case 0x140:
      return row + 15 - at;  // row_mirror
    case 0x141:
      return (lane & ~7) + 7 - (lane & 7);  // row_half_mirror
    case 0x142:
      return row - 1;  // row_bcast:15
    case 0x143:
      return lane < 32 ? -1 : 31;  // row_bcast:31
    default:
      return -1;
  }
}

Handler PickFrom_cross_lane(const Micro& micro, int) {
  switch (micro.op) {
#define WAVE(name, ...) \
  case Op::name:        \
    return &RunWave<op::name>;
#include "emulator/isa/cross_lane.def"

#include "emulator/isa/undef.def"
    default:
      return nullptr;
  }
}

}  // namespace rocxla::emu
