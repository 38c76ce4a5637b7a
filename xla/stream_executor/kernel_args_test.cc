#include "xla/stream_executor/kernel_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace stream_executor {
namespace {

using Slot = KernelArgs::Slot;

TEST(KernelArgs, EachArgumentHasItsOwnAlignment) {
  int memory = 0;
  KernelArgs args(/*shared_memory_bytes=*/1024);
  args.Add(DeviceAddressBase(&memory, 4)).Add(int32_t{7}).Add(DeviceAddressBase()).Add(int8_t{-1}).Add(2.5);
  const std::vector<Slot> expected = {{0, 8}, {8, 4}, {16, 8}, {24, 1}, {32, 8}};
  EXPECT_THAT(args.slots(), ::testing::ElementsAreArray(expected));
  EXPECT_EQ(args.packed().size(), 40u);
  EXPECT_EQ(args.number_of_shared_bytes(), 1024u);
  void* pointer = nullptr;
  int32_t integer = 0;
  double real = 0;
  std::memcpy(&pointer, args.packed().data(), 8);
  std::memcpy(&integer, args.packed().data() + 8, 4);
  std::memcpy(&real, args.packed().data() + 32, 8);
  EXPECT_EQ(pointer, &memory);
  EXPECT_EQ(integer, 7);
  EXPECT_EQ(real, 2.5);
}

TEST(KernelArgs, NoArguments) {
  EXPECT_EQ(KernelArgs().number_of_arguments(), 0u);
  EXPECT_TRUE(KernelArgs().packed().empty());
}

}  // namespace
}  // namespace stream_executor
