// Where the architectural registers of a wave lie in its state. Decoder and executor agree on these numbers.
#pragma once
#include "emulator/isa/types.h"

namespace rocxla::emu {

// Vector file: VGPRs, then AGPRs (accumulators), then temporaries made by the decoder. A row has 64 lanes; wave32 uses
// half.
inline constexpr int kRowLanes = 64;
inline constexpr int kAccRow = 256, kTempRow = 512, kTempRows = 32, kRows = kTempRow + kTempRows;

// Scalar file: SGPRs, then registers with numbers of their own, then temporaries, then the literals of the program,
// which are copied there at launch: a constant is just another scalar.
inline constexpr int kVcc = 106, kTtmp = 108, kM0 = 124, kNull = 125, kExec = 126;
inline constexpr int kTempScalar = 128, kTempScalars = 16;
inline constexpr int kSink = 144;  // two words: results that are thrown away
inline constexpr int kScc = 146;
inline constexpr int kSharedBase = 148;    // two words: the flat aperture of LDS
inline constexpr int kPrivateBase = 150;   // two words: the flat aperture of scratch
inline constexpr int kFlatScratch = 152;   // two words
inline constexpr int kMode = 154;          // MODE, as far as it is kept: decode/float_mode.h
inline constexpr int kBarrierState = 155;  // as s_get_barrier_state returns it
inline constexpr int kLiteral = 156, kMaxLiterals = 4096, kScalars = kLiteral + kMaxLiterals;

// Flat addresses of LDS and scratch. Host addresses have at most 47 bits, so no allocation can lie there.
inline constexpr u64 kSharedAperture = u64{1} << 48, kPrivateAperture = u64{2} << 48;

}  // namespace rocxla::emu
