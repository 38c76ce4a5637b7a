// Loading: what is found in good code objects, what is refused, and that no bytes crash the host.
#include "emulator/loader/code_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/file.h"
#include "base/target/target.h"
#include "emulator/testing/edge_values.h"
#include "llvm/BinaryFormat/ELF.h"

namespace rocxla::emu {
namespace {

using testing::ElementsAre;

std::vector<uint8_t> ReadObject(const std::string& name, const std::string& target) {
  auto bytes = ReadFile(std::string(ROCXLA_TEST_CASES) + "/triton/" + name + "/triton-" + target + "/kernel.hsaco");
  EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
  return bytes.ok() ? std::vector<uint8_t>(bytes->begin(), bytes->end()) : std::vector<uint8_t>();
}
std::string Message(const StatusOr<std::shared_ptr<CodeObject>>& result) { return result.status().ToString(); }

class CodeObjectTest : public testing::Test {
 protected:
  StatusOr<std::shared_ptr<CodeObject>> Load(std::span<const uint8_t> image, const char* target = "gfx942") {
    return CodeObject::Load(image, *FindTarget(target), memory_);
  }
  AddressSpace memory_;
};

TEST_F(CodeObjectTest, FindsKernelsAndTheirArguments) {
  auto object = Load(ReadObject("softmax_fp32", "gfx942"));
  ASSERT_TRUE(object.ok()) << Message(object);
  EXPECT_THAT((*object)->KernelNames(), ElementsAre("softmax_rows"));
  const Kernel* kernel = (*object)->FindKernel("softmax_rows");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->metadata.arguments.size(), 6u);
  EXPECT_EQ(kernel->metadata.arguments[2].value_kind, "by_value");
  EXPECT_EQ(kernel->metadata.arguments[2].offset, 16u);
  EXPECT_EQ(kernel->metadata.kernarg_segment_size, 40u);
  EXPECT_EQ(kernel->metadata.explicit_bytes(), 40u);
  EXPECT_EQ(kernel->metadata.max_flat_workgroup_size, 256u);
  EXPECT_EQ(kernel->metadata.vgpr_count, 14u);
  EXPECT_EQ(kernel->metadata.wavefront_size, 64u);
  auto code = (*object)->FindSymbol("softmax_rows");
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(reinterpret_cast<uint64_t>(code->address), kernel->entry);
  EXPECT_FALSE((*object)->FindSymbol("nothing").has_value());
}

TEST_F(CodeObjectTest, FreesItsMemory) {
  uint64_t before = memory_.allocated_bytes();
  {
    auto object = Load(ReadObject("softmax_fp32", "gfx942"));
    ASSERT_TRUE(object.ok());
    EXPECT_GT(memory_.allocated_bytes(), before);
  }
  EXPECT_EQ(memory_.allocated_bytes(), before);
}

TEST_F(CodeObjectTest, NamesBothTargets) {
  EXPECT_EQ(Message(Load(ReadObject("softmax_fp32", "gfx942"), "gfx1100")),
            "E2002 EmulatorWrongTarget: the code object was compiled for gfx942, the device is gfx1100\n"
            "  next:     compile it for gfx1100, or use a device of gfx942");
}

TEST_F(CodeObjectTest, SaysWhichKernelsThereAre) {
  auto object = Load(ReadObject("softmax_fp32", "gfx942"));
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)->GetKernel("sotfmax").status().ToString(),
            "E2003 EmulatorUnknownKernel: the code object has no kernel 'sotfmax'\n"
            "  expected: one of: softmax_rows");
}

TEST_F(CodeObjectTest, RefusesWhatIsNoCodeObject) {
  std::vector<uint8_t> text(100, 'x');
  EXPECT_EQ(Message(Load(text)),
            "E2001 EmulatorBadCodeObject: the bytes are no loadable code object\n"
            "  found:    100 bytes that do not begin with the ELF magic\n"
            "  expected: an ELF file (HSACO)");
  EXPECT_EQ(Message(Load({})),
            "E2001 EmulatorBadCodeObject: the bytes are no loadable code object\n"
            "  found:    0 bytes\n"
            "  expected: at least an ELF header of 64 bytes");
  std::vector<uint8_t> image = ReadObject("softmax_fp32", "gfx942");
  ASSERT_GT(image.size(), 64u);
  image[16] = 1;  // e_type: relocatable
  EXPECT_EQ(Message(Load(image)),
            "E2001 EmulatorBadCodeObject: the bytes are no loadable code object\n"
            "  found:    ELF type 1\n"
            "  expected: 3 (a linked shared object)");
}

// An absolute relocation, at the end of the file, of symbol 0 in an object whose symbol table is empty.
TEST_F(CodeObjectTest, RefusesRelocationsWithoutSymbols) {
  namespace elf = llvm::ELF;
  std::vector<uint8_t> image = ReadObject("softmax_fp32", "gfx1100");
  elf::Elf64_Rela relocation{};
  relocation.r_info = elf::R_AMDGPU_ABS64;
  const size_t at = image.size();
  image.insert(image.end(), reinterpret_cast<uint8_t*>(&relocation), reinterpret_cast<uint8_t*>(&relocation + 1));
  elf::Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  bool has_relocations = false;
  for (size_t i = 1; i < header.e_shnum; i++) {
    uint8_t* place = image.data() + header.e_shoff + i * sizeof(elf::Elf64_Shdr);
    elf::Elf64_Shdr section;
    std::memcpy(&section, place, sizeof section);
    if (section.sh_type == elf::SHT_DYNSYM) section.sh_size = 0;
    if (section.sh_type == elf::SHT_GNU_HASH) {  // which the loader does not read
      section.sh_type = elf::SHT_RELA;
      section.sh_flags = elf::SHF_ALLOC;
      section.sh_offset = at;
      section.sh_size = sizeof relocation;
      has_relocations = true;
    }
    std::memcpy(place, &section, sizeof section);
  }
  ASSERT_TRUE(has_relocations);
  EXPECT_EQ(Message(Load(image, "gfx1100")),
            "E2001 EmulatorBadCodeObject: a relocation names a symbol that the code object does not have\n"
            "  found:    symbol 0 of 0");
}

// Every prefix of a fixed stride, and thousands of files with some bytes changed: an error or success, never a crash.
TEST_F(CodeObjectTest, SurvivesTruncationAndMutation) {
  std::vector<uint8_t> image = ReadObject("softmax_fp32", "gfx1100");
  ASSERT_FALSE(image.empty());
  for (size_t size = 0; size < image.size(); size += 37) {
    auto object = Load(std::span(image).first(size), "gfx1100");
    EXPECT_FALSE(object.ok() && size < 1024) << size;
  }
  RandomBits random(7);
  int loaded = 0;
  constexpr int kMutations = 4000;
  for (int i = 0; i < kMutations; i++) {
    std::vector<uint8_t> mutated = image;
    int changes = 1 + static_cast<int>(random.Next() % 8);
    for (int n = 0; n < changes; n++) {
      // Half of the changes hit the headers and the metadata note, where structure lies.
      size_t range = random.Next() % 2 == 0 ? std::min<size_t>(1600, image.size()) : image.size();
      mutated[random.Next() % range] = static_cast<uint8_t>(random.Next());
    }
    loaded += Load(mutated, "gfx1100").ok();
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, kMutations);
}

}  // namespace
}  // namespace rocxla::emu
