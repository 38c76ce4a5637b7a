#include "triton/amdgpu/llvm_session.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

#include <csignal>

#include "llvm/Support/ErrorHandling.h"

namespace rocxla::triton {
namespace {

TEST(RunConfined, PassesStatusOn) {
  EXPECT_TRUE(RunConfined([] { return OkStatus(); }).ok());
  EXPECT_EQ(RunConfined([] { return InternalError("mine"); }), InternalError("mine"));
}

TEST(RunConfined, FatalErrorsOfLlvmBecomeErrors) {
  for (int i = 0; i < 2; ++i) {  // and the next call works again
    Status status = RunConfined([]() -> Status { llvm::report_fatal_error("Cannot select: t12", false); });
    EXPECT_EQ(status.ToString(),
              "E3004 TritonCodegen: LLVM stopped while it generated code\n"
              "  found:    Cannot select: t12\n"
              "  next:     this is a bug of rocXLA: please report the Triton IR with it");
  }
  EXPECT_TRUE(RunConfined([] { return OkStatus(); }).ok());
}

TEST(RunConfined, CrashesBecomeErrorsAndHandlersAreGivenBack) {
  auto before = std::signal(SIGSEGV, SIG_DFL);
  Status status = RunConfined([] {
    std::raise(SIGSEGV);
    return OkStatus();
  });
  EXPECT_EQ(status.id(), ErrorId::kTritonCodegen);
  EXPECT_NE(status.message().find("a crash inside LLVM"), std::string::npos);
  EXPECT_EQ(std::signal(SIGSEGV, before), SIG_DFL);
}

}  // namespace
}  // namespace rocxla::triton
