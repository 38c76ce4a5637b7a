// tt.print and tt.assert on the embedded device.
#include <gmock/gmock.h>

#include <algorithm>
#include <mutex>

#include "emulator/hip/embedded_hip.h"
#include "tests/e2e/triton_kernel.h"

namespace rocxla::triton {
namespace {

// The lines that a kernel prints, sorted: waves take turns.
std::vector<std::string> PrintedBy(const std::string& text, const Launch& launch, Status* status = nullptr) {
  std::string printed;
  std::mutex mutex;
  emu::SetKernelPrint([&](emu::PrintStream, std::string_view part) {
    std::lock_guard lock(mutex);
    printed += part;
  });
  StatusOr<rocxla::Tensor> result = RunKernel(text, launch, {BufferOf(std::vector<int32_t>(4))});
  emu::SetKernelPrint({});
  if (status) {
    *status = result.status();
  } else {
    EXPECT_TRUE(result.ok()) << result.status().ToString();
  }
  std::vector<std::string> lines;
  for (size_t begin = 0, end; (end = printed.find('\n', begin)) != printed.npos; begin = end + 1)
    lines.push_back(printed.substr(begin, end - begin));
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(TritonPrint, EachElementOnce) {
  const char* text = R"(tt.func public @kernel(%o: !tt.ptr<i32>) {
  %pid = tt.get_program_id x : i32
  %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %ten = arith.constant dense<-10> : tensor<4xi32>
  %v = arith.addi %i, %ten : tensor<4xi32>
  tt.print " v: " {hex = false, isSigned = array<i32: 1>} : %v : tensor<4xi32>
  tt.return
})";
  for (Launch launch : Launches()) {
    launch.programs = 2;
    EXPECT_THAT(PrintedBy(text, launch),
                testing::ElementsAre("pid (0, 0, 0) idx (0) v: -10", "pid (0, 0, 0) idx (1) v: -9",
                                     "pid (0, 0, 0) idx (2) v: -8", "pid (0, 0, 0) idx (3) v: -7",
                                     "pid (1, 0, 0) idx (0) v: -10", "pid (1, 0, 0) idx (1) v: -9",
                                     "pid (1, 0, 0) idx (2) v: -8", "pid (1, 0, 0) idx (3) v: -7"))
        << ToString(launch);
  }
}

TEST(TritonPrint, ScalarsOfAllKinds) {
  const char* text = R"(tt.func public @kernel(%o: !tt.ptr<i32>) {
  %a = arith.constant 0.5 : f16
  %b = arith.constant -1 : i64
  %c = arith.constant 200 : i8
  tt.print " 100%: " {hex = false, isSigned = array<i32: 0, 1, 0>} : %a, %b, %c : f16, i64, i8
  tt.print " hex " {hex = true, isSigned = array<i32: 1>} : %c : i8
  tt.print " nothing" {hex = false, isSigned = array<i32>}
  tt.return
})";
  for (const Launch& launch : Launches())
    EXPECT_THAT(
        PrintedBy(text, launch),
        testing::ElementsAre("pid (0, 0, 0) 100%: (operand 0) 0.500000", "pid (0, 0, 0) 100%: (operand 1) -1",
                             "pid (0, 0, 0) 100%: (operand 2) 200", "pid (0, 0, 0) hex 0xc8", "pid (0, 0, 0) nothing"))
        << ToString(launch);
}

std::string AssertKernel(int limit) {
  return R"(tt.func public @kernel(%o: !tt.ptr<i32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %n = arith.constant dense<)" +
         std::to_string(limit) + R"(> : tensor<64xi32>
  %c = arith.cmpi slt, %i, %n : tensor<64xi32>
  tt.assert %c, "below the limit" : tensor<64xi1>
  tt.return
})";
}

TEST(TritonAssert, HoldsOrEndsTheLaunch) {
  for (const Launch& launch : Launches()) {
    SCOPED_TRACE(ToString(launch));
    EXPECT_THAT(PrintedBy(AssertKernel(64), launch), testing::IsEmpty());
    Status status;
    EXPECT_THAT(PrintedBy(AssertKernel(63), launch, &status),
                testing::ElementsAre("pid (0, 0, 0) kernel.ttir:5:3: assertion failed: below the limit"));
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.ToString(), testing::HasSubstr("s_trap"));
  }
}

}  // namespace
}  // namespace rocxla::triton
