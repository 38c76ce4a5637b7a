// Elements of matrix operands for tests: encoded by LLVM's APFloat, put into registers bit by bit.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "emulator/exec/wave.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace rocxla::emu {

inline const llvm::fltSemantics* SemanticsOf(const std::string& type) {
  static const std::map<std::string, const llvm::fltSemantics*> all = {
      {"f16", &llvm::APFloat::IEEEhalf()},           {"bf16", &llvm::APFloat::BFloat()},
      {"f32", &llvm::APFloat::IEEEsingle()},         {"xf32", &llvm::APFloat::IEEEsingle()},
      {"f64", &llvm::APFloat::IEEEdouble()},         {"fp8", &llvm::APFloat::Float8E4M3FN()},
      {"bf8", &llvm::APFloat::Float8E5M2()},         {"fp8fnuz", &llvm::APFloat::Float8E4M3FNUZ()},
      {"bf8fnuz", &llvm::APFloat::Float8E5M2FNUZ()}, {"fp6", &llvm::APFloat::Float6E2M3FN()},
      {"bf6", &llvm::APFloat::Float6E3M2FN()},       {"fp4", &llvm::APFloat::Float4E2M1FN()}};
  auto it = all.find(type);
  return it == all.end() ? nullptr : it->second;
}
inline int BitsOf(const std::string& type) {
  if (const llvm::fltSemantics* semantics = SemanticsOf(type)) {
    return static_cast<int>(llvm::APFloat::getSizeInBits(*semantics));
  }
  return std::stoi(type.substr(1));
}
inline u64 Encode(const std::string& type, double x) {
  const llvm::fltSemantics* semantics = SemanticsOf(type);
  u64 mask = BitsOf(type) == 64 ? ~u64{0} : (u64{1} << BitsOf(type)) - 1;
  if (semantics == nullptr) return static_cast<u64>(static_cast<i64>(x)) & mask;
  llvm::APFloat value(x);
  bool inexact = false;
  value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  EXPECT_FALSE(inexact) << x << " is no " << type;
  return value.bitcastToAPInt().getZExtValue();
}
inline double Decode(const std::string& type, u64 bits) {
  const llvm::fltSemantics* semantics = SemanticsOf(type);
  if (semantics == nullptr) return static_cast<i32>(bits);
  llvm::APFloat value(*semantics, llvm::APInt(BitsOf(type), bits));
  bool inexact;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}
// Small numbers that every type has; unsigned integers get no negative ones.
inline double Value(const std::string& type, int i, int k, int salt) {
  int x = (i * 7 + k * 3 + salt + i * k % 5) % 7 - 3;
  return type[0] == 'u' ? x + 3 : x;
}

inline u64 GetBits(const Wave& w, int row, int lane, int at, int bits) {
  u64 x = 0;
  for (int n = 0; n < bits; n++) x |= u64{w.row[row + (at + n) / 32][lane] >> ((at + n) % 32) & 1} << n;
  return x;
}
inline void SetBits(Wave& w, int row, int lane, int at, int bits, u64 x) {
  for (int n = 0; n < bits; n++) {
    u32& word = w.row[row + (at + n) / 32][lane];
    word = (word & ~(1u << ((at + n) % 32))) | static_cast<u32>(x >> n & 1) << ((at + n) % 32);
  }
}

inline std::string Registers(int first, int words) {
  return words == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + words - 1);
}

}  // namespace rocxla::emu
