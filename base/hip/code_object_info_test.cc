#include "base/hip/code_object_info.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace rocxla {
namespace {

std::vector<uint8_t> VectorAdd(const std::string& target) {
  std::ifstream file(ROCXLA_TEST_CASES "/triton/vector_add_fp32/triton-" + target + "/kernel.hsaco", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CodeObjectInfo, ReadsTargetKernelsAndArguments) {
  const std::vector<uint8_t> image = VectorAdd("gfx942");
  auto info = ReadCodeObject(image);
  ASSERT_TRUE(info.ok()) << info.status().ToString();
  EXPECT_EQ(info->target, "gfx942");
  ASSERT_NE(info->Find("vector_add"), nullptr);
  EXPECT_EQ(info->Find("vector_sub"), nullptr);
  // Three pointers, n, and the two scratch pointers that Triton appends.
  const std::vector<std::pair<uint32_t, uint32_t>> expected = {{0, 8}, {8, 8}, {16, 8}, {24, 4}, {32, 8}, {40, 8}};
  std::vector<std::pair<uint32_t, uint32_t>> found;
  for (const auto& argument : info->Find("vector_add")->arguments) found.emplace_back(argument.offset, argument.size);
  EXPECT_EQ(found, expected);
}

TEST(CodeObjectInfo, SizeIsThatOfTheFile) {
  for (const char* target : {"gfx942", "gfx1100"}) {
    const std::vector<uint8_t> image = VectorAdd(target);
    EXPECT_EQ(CodeObjectSize(image.data()), image.size());
  }
  EXPECT_EQ(CodeObjectSize("these are not the bytes of an ELF file"), 0u);
}

TEST(CodeObjectInfo, EveryTruncationIsAnError) {
  const std::vector<uint8_t> image = VectorAdd("gfx1100");
  for (size_t size = 0; size < image.size(); ++size) {
    const std::vector<uint8_t> cut(image.begin(), image.begin() + size);  // its end is the end of the allocation
    EXPECT_EQ(ReadCodeObject(cut).status().id(), ErrorId::kBadCodeObject) << size;
  }
}

TEST(CodeObjectInfo, DamagedBytesNeverCrash) {
  const std::vector<uint8_t> image = VectorAdd("gfx942");
  for (size_t at = 0; at < image.size(); ++at) {
    std::vector<uint8_t> damaged = image;
    damaged[at] ^= 0xff;
    (void)ReadCodeObject(damaged).ok();  // either answer may be right; the sanitizers watch
  }
}

TEST(CodeObjectInfo, MessageForOtherFiles) {
  const std::vector<uint8_t> text(100, 'x');
  EXPECT_EQ(ReadCodeObject(text).status().ToString(),
            R"(E5007 BadCodeObject: the bytes are not an AMD GPU code object
  found:    no 64-bit ELF header
  expected: a 64-bit ELF file for AMDGPU with a metadata note, as clang, Triton or rocXLA write)");
}

}  // namespace
}  // namespace rocxla
