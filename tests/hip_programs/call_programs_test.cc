// Programs with functions that the compiler cannot inline: recursion, function pointers, virtual functions; and with
// private memory.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using ::testing::HasSubstr;
using CallPrograms = HipProgramTest;

TEST_P(CallPrograms, Fibonacci) {
  Load("recursion");
  std::vector<int> n(64), expected(64);
  for (int i = 0; i < 64; i++) {
    n[i] = i * 7 % 13;
    int previous = 1;
    for (int k = 0; k < n[i]; k++) previous = std::exchange(expected[i], expected[i] + previous);
  }
  auto in = Upload(n), out = Zeros<int>(64);
  Run("fibonacci", {1}, {64}, in.get(), out.get());
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CallPrograms, Ackermann) {
  Load("recursion");
  std::vector<int> m, n, expected;
  for (int i = 0; i < 12; i++) {
    m.push_back(i % 4);
    n.push_back(i / 4);
    int y = n.back();  // the closed forms of the first four
    expected.push_back(m.back() == 0 ? y + 1 : m.back() == 1 ? y + 2 : m.back() == 2 ? 2 * y + 3 : (8 << y) - 3);
  }
  auto device_m = Upload(m), device_n = Upload(n), out = Zeros<int>(12);
  Run("ackermann", {1}, {12}, device_m.get(), device_n.get(), out.get());
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CallPrograms, FunctionsThatCallEachOther) {
  Load("recursion");
  std::vector<int> n(32), expected(32);
  for (int i = 0; i < 32; i++) n[i] = i, expected[i] = i % 2;
  auto in = Upload(n), out = Zeros<int>(32);
  Run("parity", {1}, {32}, in.get(), out.get());
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CallPrograms, Quicksort) {
  Load("recursion");
  Sequence random(1);
  constexpr int kThreads = 40, kEach = 25;
  std::vector<int> values = random.Integers(kThreads * kEach, -50, 50);
  auto data = Upload(values);
  Run("quicksort", {1}, {kThreads}, data.get(), kEach);
  for (int i = 0; i < kThreads; i++) std::sort(values.begin() + i * kEach, values.begin() + (i + 1) * kEach);
  EXPECT_EQ(data.Values(), values);
}

TEST_P(CallPrograms, TheStackEnds) {
  Load("recursion");
  auto n = Upload<int>({1});
  EXPECT_EQ(TryToRun("bottomless", {1}, {1}, 0, n.get()), hipErrorIllegalAddress);
  EXPECT_THAT(detail_, HasSubstr("in scratch is out of bounds"));
  EXPECT_THAT(detail_, HasSubstr("kernel 'bottomless', workgroup 0,0,0, wave 0, lane 0, pc "));
  EXPECT_THAT(detail_, HasSubstr("recursion.hip:")) << "the line of the function";
}

class FunctionPointers : public CallPrograms {
 protected:
  void SetUp() override {
    CallPrograms::SetUp();
    Load("function_pointers");
    Sequence random(2);
    a = random.Many<float>(128, [&] { return random.Sixteenths(8); });
    b = random.Many<float>(128, [&] { return random.Sixteenths(8); });
  }
  static float Apply(int which, float x, float y) {
    return which == 0 ? x + y : which == 1 ? x - y : which == 2 ? x * y : std::fmax(x, y);
  }
  std::vector<float> a, b;
};

TEST_P(FunctionPointers, OfATable) {
  auto x = Upload(a), y = Upload(b), out = Zeros<float>(128);
  for (int which = 0; which < 4; which++) {
    Run("apply_chosen", {2}, {64}, which, x.get(), y.get(), out.get());
    std::vector<float> found = out.Values();
    for (int i = 0; i < 128; i++) EXPECT_EQ(found[i], Apply(which, a[i], b[i])) << which << ", element " << i;
  }
}
TEST_P(FunctionPointers, OfEveryLane) {
  Sequence random(3);
  std::vector<int> own = random.Integers(128, 0, 3);
  auto which = Upload(own);
  auto x = Upload(a), y = Upload(b), out = Zeros<float>(128);
  Run("apply_own", {2}, {64}, which.get(), x.get(), y.get(), out.get());
  std::vector<float> found = out.Values();
  for (int i = 0; i < 128; i++) EXPECT_EQ(found[i], Apply(own[i], a[i], b[i])) << "element " << i;
}
TEST_P(FunctionPointers, OfTheHost) {
  uint64_t functions[4] = {};
  Copy(functions, Global("table", sizeof functions), sizeof functions, hipMemcpyDeviceToHost);
  auto x = Upload(a), y = Upload(b), out = Zeros<float>(128);
  Run("apply_given", {2}, {64}, functions[2], x.get(), y.get(), out.get());
  std::vector<float> found = out.Values();
  for (int i = 0; i < 128; i++) EXPECT_EQ(found[i], a[i] * b[i]) << "element " << i;
}
TEST_P(FunctionPointers, ThatPointNowhere) {
  auto x = Upload(a), y = Upload(b), out = Zeros<float>(128);
  EXPECT_EQ(TryToRun("apply_given", {2}, {64}, 0, static_cast<void*>(x.get()), x.get(), y.get(), out.get()),
            hipErrorLaunchFailure);
  EXPECT_THAT(detail_, HasSubstr("E2101 EmulatorUndecodableInstruction: the wave jumps to an address outside the "
                                 "kernel's code\n  where:    kernel 'apply_given', workgroup 0,0,0, wave 0, pc "));
  EXPECT_EQ(TryToRun("apply_given", {2}, {64}, 0, static_cast<void*>(nullptr), x.get(), y.get(), out.get()),
            hipErrorLaunchFailure);
  EXPECT_THAT(detail_, HasSubstr("\n  found:    address 0x0: "));
}
TEST_P(FunctionPointers, ThatSayWhatComesNext) {
  std::vector<int> n(50), expected(50);
  for (int i = 0; i < 50; i++) {
    n[i] = i + 1;
    for (int x = n[i]; x != 1; expected[i]++) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  }
  auto in = Upload(n), out = Zeros<int>(50);
  Run("collatz_steps", {1}, {50}, in.get(), out.get());
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CallPrograms, VirtualFunctions) {
  Load("virtual_functions");
  Sequence random(4);
  std::vector<int> kinds = random.Integers(96, 0, 1);
  auto sizes = random.Many<float>(96, [&] { return random.Sixteenths(8); });
  auto kind = Upload(kinds);
  auto size = Upload(sizes), out = Zeros<float>(96);
  Run("areas", {3}, {32}, kind.get(), size.get(), out.get());
  std::vector<float> found = out.Values();
  for (int i = 0; i < 96; i++) {
    EXPECT_EQ(found[i], kinds[i] == 0 ? 9 * sizes[i] * sizes[i] : 6 * sizes[i]) << "element " << i;
  }
}

double Determinant(const std::vector<double>& m, int n) {  // by cofactors
  if (n == 1) return m[0];
  double sum = 0;
  for (int column = 0; column < n; column++) {
    std::vector<double> minor;
    for (int row = 1; row < n; row++) {
      for (int k = 0; k < n; k++) {
        if (k != column) minor.push_back(m[row * n + k]);
      }
    }
    sum += (column % 2 == 0 ? 1 : -1) * m[column] * Determinant(minor, n - 1);
  }
  return sum;
}
TEST_P(CallPrograms, DeterminantsInPrivateArrays) {
  Load("private_arrays");
  Sequence random(5);
  for (int n : {1, 4, 6}) {
    auto matrices = random.Many<double>(64 * n * n, [&] { return random.Between(-3, 3); });
    auto in = Upload(matrices), out = Zeros<double>(64);
    Run("determinants", {2}, {32}, in.get(), out.get(), n);
    std::vector<double> found = out.Values();
    for (int i = 0; i < 64; i++) {
      std::vector<double> one(matrices.begin() + i * n * n, matrices.begin() + (i + 1) * n * n);
      EXPECT_NEAR(found[i], Determinant(one, n), 1e-9) << "matrix " << i << " of " << n;
    }
  }
}
TEST_P(CallPrograms, PrivateBytesAndPointersToEither) {
  Load("private_arrays");
  Sequence random(6);
  constexpr int kThreads = 16;
  auto values = random.Many<unsigned char>(kThreads * 16, [&] { return random.Word(); });
  std::vector<int> shared = random.Integers(kThreads, 0, 1);
  auto in = Upload(values), out = Zeros<unsigned char>(kThreads * 16);
  auto use_shared = Upload(shared);
  Run("scramble", {1}, {kThreads}, in.get(), out.get(), use_shared.get());
  std::vector<unsigned char> expected(kThreads * 16);
  for (int thread = 0; thread < kThreads; thread++) {
    int counts[16] = {}, place[16] = {};
    for (int i = 0; i < 16; i++) counts[values[thread * 16 + i] % 16] += 3;
    for (int i = 0; i < 16; i++) place[values[thread * 16 + i] % 16] = counts[i] + i;
    for (int i = 0; i < 16; i++) expected[thread * 16 + i] = counts[i] == 0 ? 0 : place[i];
  }
  EXPECT_EQ(out.Values(), expected);
}

TEST_P(CallPrograms, VirtualMachine) {
  Load("virtual_machine");
  enum { kPush, kAdd, kMultiply, kSubtract, kDuplicate, kSwap, kJumpIfNotZero, kArgument, kEnd };
  // As often as the argument says: three times the number and one. The number lies below the counter.
  const std::vector<int> code = {kPush, 1,     kArgument,  //
                                 kSwap, kPush, 3,         kMultiply, kPush,      1,
                                 kAdd,  // from 3 on, again and again
                                 kSwap, kPush, 1,         kSubtract, kDuplicate, kJumpIfNotZero,
                                 3,     kAdd,  kEnd};
  std::vector<int> arguments(64), expected(64, 1);
  for (int i = 0; i < 64; i++) {
    arguments[i] = 1 + i % 15;
    for (int k = 0; k < arguments[i]; k++) expected[i] = expected[i] * 3 + 1;
  }
  auto device_code = Upload(code), in = Upload(arguments), out = Zeros<int>(64);
  Run("run_machine", {1}, {64}, device_code.get(), in.get(), out.get());
  EXPECT_EQ(out.Values(), expected);
}

INSTANTIATE_TEST_SUITE_P(Targets, CallPrograms, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")), NameOfBuild);
INSTANTIATE_TEST_SUITE_P(Targets, FunctionPointers, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")), NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
