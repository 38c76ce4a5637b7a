// Handlers of lane-wise operations. Included by one file per table, which defines PickFrom_<table>.
#pragma once
#include "emulator/exec/interpreter.h"
#include "emulator/isa/hot.h"

namespace rocxla::emu {

// --- sources: bound once per instruction, then asked for one chunk of lanes at a time

template <class T>
auto LoadChunk(const char* row, int chunk) {
  using E = typename T::Elem;
  const char* p = row + chunk * kChunkBytes;
  Lanes<u32> low = *reinterpret_cast<const Lanes<u32>*>(p);
  if constexpr (T::kWords == 2) {
    Lanes<u32> high = *reinterpret_cast<const Lanes<u32>*>(p + kRowBytes);
    return BitsAs<E>(To<u64>(high) << 32 | To<u64>(low));
  } else if constexpr (sizeof(E) == 2) {
    return BitsAs<E>(To<u16>(low));
  } else {
    return BitsAs<E>(low);
  }
}

enum class SourceKind { kRow, kScalar, kEither };
template <class T, SourceKind kind>
struct VectorSource;
template <class T>
  requires(!std::is_same_v<T, Mask>)
struct VectorSource<T, SourceKind::kRow> {
  const char* row;
  VectorSource(Wave* w, const Code* ip, int i) : row(reinterpret_cast<const char*>(w) + ip->src[i]) {}
  auto operator()(int chunk) const { return LoadChunk<T>(row, chunk); }
};
template <class T>
  requires(!std::is_same_v<T, Mask>)
struct VectorSource<T, SourceKind::kScalar> {
  Lanes<typename T::Elem> x;
  VectorSource(Wave* w, const Code* ip, int i) : x(ReadScalar<T>(w, ip->src[i])) {}
  auto operator()(int) const { return x; }
};
template <class T>
  requires(!std::is_same_v<T, Mask>)
struct VectorSource<T, SourceKind::kEither> {
  const char* row;
  bool is_scalar;
  Lanes<typename T::Elem> x;
  VectorSource(Wave* w, const Code* ip, int i)
      : row(reinterpret_cast<const char*>(w) + ip->src[i]),
        is_scalar(ip->scalars >> i & 1),
        x(ReadScalar<T>(w, ip->src[i])) {}
  auto operator()(int chunk) const { return is_scalar ? x : LoadChunk<T>(row, chunk); }
};
template <SourceKind kind>
struct VectorSource<Mask, kind> {
  u64 bits;
  VectorSource(Wave* w, const Code* ip, int i) : bits(ReadMask(w, ip->src[i])) {}
  auto operator()(int chunk) const { return Unpack(static_cast<u16>(bits >> (chunk * kChunk))); }
};

// --- destinations: rows are written chunk by chunk, a lane mask once, at the end

template <bool full>
void StoreWords(char* p, Lanes<u32> x, u16 active) {
  auto& row = *reinterpret_cast<Lanes<u32>*>(p);
  row = full ? x : Select(Unpack(active), x, row);
}
template <class T>
struct VectorDest {
  char* row;
  VectorDest(Wave* w, u32 offset) : row(reinterpret_cast<char*>(w) + offset) {}
  template <bool full, class V>
  void Put(int chunk, V x, u16 active) {
    char* p = row + chunk * kChunkBytes;
    if constexpr (T::kWords == 2) {
      auto bits = BitsAs<u64>(x);
      StoreWords<full>(p, To<u32>(bits), active);
      StoreWords<full>(p + kRowBytes, To<u32>(bits >> 32), active);
    } else if constexpr (sizeof(typename T::Elem) == 2) {
      StoreWords<full>(p, To<u32>(BitsAs<u16>(x)), active);
    } else {
      StoreWords<full>(p, BitsAs<u32>(x), active);
    }
  }
  void Finish(Wave*, u64) {}
};
template <>
struct VectorDest<Mask> {
  u32 offset;
  u64 bits = 0;
  VectorDest(Wave*, u32 offset) : offset(offset) {}
  template <bool, class V>
  void Put(int chunk, V x, u16) {
    bits |= u64{Pack(x)} << (chunk * kChunk);
  }
  void Finish(Wave* w, u64 exec) { WriteMask(w, offset, bits & exec); }
};

// --- the instruction

template <class O, bool full, class S, class D, size_t... I, size_t... J>
[[gnu::always_inline]] inline void OneChunk(S& src, D& dst, int chunk, u64 exec, std::index_sequence<I...>,
                                            std::index_sequence<J...>) {
  auto results = AsTuple(O::Eval(std::get<I>(src)(chunk)...));
  u16 active = static_cast<u16>(exec >> (chunk * kChunk));
  (std::get<J>(dst).template Put<full>(chunk, std::get<J>(results), active), ...);
}

// kLanes: 64 or 32, unrolled, with a path without masks; 0: any, one compact loop.
template <class O, int kLanes, class... K, class... R, class... S, size_t... I, size_t... J>
[[gnu::always_inline]] inline u64 RunChunks(const Code* ip, Wave* w, u64 exec, List<K...>, List<R...>, List<S...>,
                                            std::index_sequence<I...> i, std::index_sequence<J...> j) {
  std::tuple<VectorSource<S, K::value>...> src{VectorSource<S, K::value>(w, ip, I)...};
  std::tuple<VectorDest<R>...> dst{VectorDest<R>(w, ip->dst[J])...};
  if constexpr (kLanes == 0) {
#pragma clang loop unroll(disable)
    for (int chunk = 0; chunk < w->lanes / kChunk; chunk++) OneChunk<O, false>(src, dst, chunk, exec, i, j);
  } else if (exec == FullExec(kLanes)) {
#pragma clang loop unroll(full)
    for (int chunk = 0; chunk < kLanes / kChunk; chunk++) OneChunk<O, true>(src, dst, chunk, exec, i, j);
  } else {
#pragma clang loop unroll(full)
    for (int chunk = 0; chunk < kLanes / kChunk; chunk++) OneChunk<O, false>(src, dst, chunk, exec, i, j);
  }
  (std::get<J>(dst).Finish(w, exec), ...);
  bool writes_exec = ((std::is_same_v<R, Mask> && ip->dst[J] == ScalarOffset(kExec)) || ...);  // v_cmpx
  return writes_exec ? w->Mask(kExec) : exec;
}

template <SourceKind kind>
using KindConstant = std::integral_constant<SourceKind, kind>;
template <class Sig, int kLanes, class... K>
struct VectorHandler {
  template <class O>
  static HANDLER Run(const Code* ip, Wave* w, u64 exec) {
    exec = RunChunks<O, kLanes>(ip, w, exec, List<K...>{}, typename Sig::Results{}, typename Sig::Sources{},
                                std::make_index_sequence<Sig::Sources::kSize>{},
                                std::make_index_sequence<Sig::Results::kSize>{});
    NEXT;
  }
};

template <class O, int kLanes, unsigned scalars, size_t... I>
constexpr Handler FixedHandler(std::index_sequence<I...>) {
  using Sig = typename O::Sig;
  return &VectorHandler<Sig, kLanes,
                        KindConstant<(scalars >> I & 1) ? SourceKind::kScalar : SourceKind::kRow>...>::template Run<O>;
}
template <class O, int kLanes, unsigned... scalars>
Handler PickFixed(unsigned wanted, std::integer_sequence<unsigned, scalars...>) {
  static constexpr Handler kHandlers[] = {
      FixedHandler<O, kLanes, scalars>(std::make_index_sequence<O::Sig::Sources::kSize>{})...};
  return kHandlers[wanted];
}
template <class O, size_t... I>
Handler CompactHandler(std::index_sequence<I...>) {
  return &VectorHandler<typename O::Sig, 0,
                        KindConstant<(static_cast<void>(I), SourceKind::kEither)>...>::template Run<O>;
}

// Frequent operations have a handler per operand kind and wave size, the others one.
template <class O>
Handler PickVector(const Micro& m, int lanes) {
  constexpr int kSources = O::Sig::Sources::kSize;
  if constexpr (IsHot<O>) {
    unsigned scalars = 0;
    for (int i = 0; i < kSources; i++) scalars |= unsigned{m.src[i].kind == Operand::kScalar} << i;
    constexpr auto kAll = std::make_integer_sequence<unsigned, 1u << kSources>{};
    return lanes == 64 ? PickFixed<O, 64>(scalars, kAll) : PickFixed<O, 32>(scalars, kAll);
  } else {
    return CompactHandler<O>(std::make_index_sequence<kSources>{});
  }
}

}  // namespace rocxla::emu
