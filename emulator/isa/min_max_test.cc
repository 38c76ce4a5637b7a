// Witnesses for minima and maxima: gfx9's and gfx11's, where a signalling NaN wins, and gfx12's, where every NaN loses.
#include <gtest/gtest.h>

#include "emulator/testing/lane_cases.h"

namespace rocxla::emu {
namespace {

using Formula2 = std::function<u64(u64, u64)>;
struct Rule {
  std::string infix, type;  // of the mnemonics: v_min3_num_f16
  Result result;
  Formula2 min, max;
  std::function<bool(u64)> is_nan;
};
struct Formula {
  std::string name;
  int operands;
  std::function<u64(u64, u64, u64)> apply;
};

std::vector<Formula> FormulasOf(const Rule& rule) {
  auto [min, max, is_nan] = std::tuple(rule.min, rule.max, rule.is_nan);
  return {{"min", 2, [=](u64 a, u64 b, u64) { return min(a, b); }},
          {"max", 2, [=](u64 a, u64 b, u64) { return max(a, b); }},
          {"min3", 3, [=](u64 a, u64 b, u64 c) { return min(min(a, b), c); }},
          {"max3", 3, [=](u64 a, u64 b, u64 c) { return max(max(a, b), c); }},
          {"maxmin", 3, [=](u64 a, u64 b, u64 c) { return min(max(a, b), c); }},
          {"minmax", 3, [=](u64 a, u64 b, u64 c) { return max(min(a, b), c); }},
          {"med3", 3, [=](u64 a, u64 b, u64 c) {
             if (is_nan(a) || is_nan(b) || is_nan(c)) return min(min(a, b), c);
             u64 largest = max(max(a, b), c);
             return largest == a ? max(b, c) : largest == b ? max(a, c) : max(a, b);
           }}};
}

std::vector<Case> CasesOf(const Rule& rule) {
  std::vector<Case> cases;
  const bool half = rule.result == Result::kF16, wide = rule.result == Result::kF64;
  for (const Formula& formula : FormulasOf(rule)) {
    if (wide && formula.operands == 3) continue;
    std::string mnemonic = "v_" + formula.name + rule.infix + "_" + rule.type;
    std::string text = mnemonic + " {d}, {a}, {b}" + (formula.operands == 3 ? ", {c}" : "");
    if (half) text += "|" + mnemonic + " v8.l, v0.l, v1.l" + (formula.operands == 3 ? ", v2.l" : "");
    const u64 bits = half ? 0xffff : ~u64{0};
    auto apply = [f = formula.apply, bits](u64 a, u64 b, u64 c) { return f(a & bits, b & bits, c & bits); };
    const Width width = wide ? Width::k64 : Width::k32;
    // gfx12's assembler takes the old names for the new ones.
    cases.push_back({text, rule.result, apply, width, width, Width::k32, rule.infix.empty() ? "gfx1201" : ""});
  }
  return cases;
}

std::vector<Case> Cases() {
  auto nan16 = [](u64 x) { return std::isnan(static_cast<float>(H(x))); };
  auto nan32 = [](u64 x) { return std::isnan(F(x)); };
  auto nan64 = [](u64 x) { return std::isnan(D(x)); };
  std::vector<Case> all;
  for (const Rule& rule :
       {Rule{"", "f16", Result::kF16, MinF16, MaxF16, nan16}, Rule{"", "f32", Result::kF32, MinF32, MaxF32, nan32},
        Rule{"", "f64", Result::kF64, MinF64, MaxF64, nan64},
        Rule{"_num", "f16", Result::kF16, MinNumberF16, MaxNumberF16, nan16},
        Rule{"_num", "f32", Result::kF32, MinNumberF32, MaxNumberF32, nan32},
        Rule{"_num", "f64", Result::kF64, MinNumberF64, MaxNumberF64, nan64}}) {
    for (Case& c : CasesOf(rule)) all.push_back(std::move(c));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(MinMax, ValuTest, testing::ValuesIn(Cases()), NameOf);

}  // namespace
}  // namespace rocxla::emu
