// The entry point for Pallas: what it returns, and what it leaves behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "xla/pjrt/triton.h"

namespace xla::triton {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::string_view kKernel =
    "tt.func public @copy(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) {\n"
    "  %x = tt.load %a : !tt.ptr<f32>\n  tt.store %b, %x : !tt.ptr<f32>\n  tt.return\n}\n";

// Temporary files go into a folder of the test's own.
class TritonRocm : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/triton_rocm_test_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    setenv("TMPDIR", name, 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }
  int64_t Files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  fs::path folder_;
};

TEST_F(TritonRocm, WritesACodeObject) {
  const auto first = Compile(kKernel, "gfx942:sramecc+:xnack-", 4, 1, 2);
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_EQ(fs::path(first->compiled.value).parent_path(), folder_);
  EXPECT_THAT(first->compiled.value, HasSubstr("xla_triton_"));
  EXPECT_EQ(first->kernel_name, "copy");
  EXPECT_EQ(first->threads_per_block, 256);
  EXPECT_EQ(first->smem_bytes, 0);
  struct stat status{};
  ASSERT_EQ(stat(first->compiled.value.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const auto bytes = rocxla::ReadFile(first->compiled.value);
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(
      bytes->starts_with("\x7f"
                         "ELF"));

  const auto second = Compile(kKernel, "gfx1100", 4, 1, 2);
  ASSERT_TRUE(second.ok()) << second.status().ToString();
  EXPECT_EQ(second->threads_per_block, 128);
  EXPECT_NE(second->compiled.value, first->compiled.value);
  EXPECT_EQ(Files(), 2);
}

TEST_F(TritonRocm, LeavesNothingBehindAfterErrors) {
  const auto error = [](std::string_view module, std::string_view arch, int num_warps, int num_ctas) {
    const auto result = Compile(module, arch, num_warps, num_ctas, 2);
    return result.ok() ? std::string("none") : result.status().ToString();
  };
  EXPECT_THAT(error("nonsense", "gfx942", 4, 1), HasSubstr("E3001 TritonSyntax"));
  EXPECT_THAT(error(kKernel, "sm_90", 4, 1), HasSubstr("E3003 TritonUnknownTarget"));
  EXPECT_THAT(error(kKernel, "gfx942", 3, 1), HasSubstr("E3006 TritonBadOption"));
  EXPECT_THAT(error(kKernel, "gfx942", 4, 2), HasSubstr("no clusters of workgroups"));
  EXPECT_EQ(Files(), 0);
  fs::remove_all(folder_);
  EXPECT_THAT(error(kKernel, "gfx942", 4, 1), HasSubstr("TMPDIR"));
}

}  // namespace
}  // namespace xla::triton
