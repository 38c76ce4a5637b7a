#include "xla/backends/gpu/runtime/buffer_assignment.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "xla/backends/gpu/transforms/passes.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::gpu {
namespace {

StatusOr<std::unique_ptr<HloModule>> Prepared(std::string_view text, std::string_view name = "<hlo>") {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text, name));
  HloPassPipeline pipeline("test");
  pipeline.Add<CallInliner>();
  pipeline.Add<FlattenCallGraph>();
  pipeline.Add<EntryLayouts>();
  pipeline.Add<LayoutViewsToBitcast>();
  pipeline.Add<GpuFusion>();
  pipeline.Add<HloDce>();
  pipeline.Add<OutputCopies>();
  RETURN_IF_ERROR(pipeline.Run(*module, {}).status());
  return module;
}

// Executes the schedule with symbols: every byte range holds the array that was last written there. An array that is
// read must still be whole. Knows nothing of lifetimes.
class SymbolicMachine {
 public:
  explicit SymbolicMachine(const BufferAssignment& buffers) : buffers_(buffers) {}

  void Run(const HloComputation& computation) {
    for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) Step(*instruction);
  }
  void ExpectWhole(const HloInstruction& instruction) {
    std::vector<BufferSlice> slices = buffers_.SlicesOf(instruction);
    for (size_t i = 0; i < slices.size(); ++i) ExpectWhole(slices[i], ArrayOf(instruction, i));
  }

 private:
  using Array = std::pair<const HloInstruction*, size_t>;  // who wrote it, which leaf

  // Follows views to the instruction that writes the array.
  Array ArrayOf(const HloInstruction& instruction, size_t leaf) {
    switch (instruction.opcode()) {
      case HloOpcode::kBitcast:
        return ArrayOf(*instruction.operand(0), leaf);
      case HloOpcode::kTuple:
        for (const HloInstruction* operand : instruction.operands()) {
          size_t count = LeavesOf(operand->shape()).size();
          if (leaf < count) return ArrayOf(*operand, leaf);
          leaf -= count;
        }
        break;
      case HloOpcode::kGetTupleElement:
        for (int64_t i = 0; i < instruction.tuple_index(); ++i) {
          leaf += LeavesOf(instruction.operand(0)->shape().tuple_shapes(i)).size();
        }
        return ArrayOf(*instruction.operand(0), leaf);
      case HloOpcode::kParameter:
        if (auto it = bound_.find(&instruction); it != bound_.end()) return it->second(leaf);
        break;
      default:
        break;
    }
    return {&instruction, leaf};
  }

  void Step(const HloInstruction& instruction) {
    switch (instruction.opcode()) {
      case HloOpcode::kFusion:
      case HloOpcode::kCopy:
        for (const HloInstruction* operand : instruction.operands()) ExpectWhole(*operand);
        Write(instruction);
        break;
      case HloOpcode::kWhile: {
        ExpectWhole(*instruction.operand(0));
        Write(instruction);
        for (const HloComputation* called : {instruction.while_condition(), instruction.while_body()}) {
          bound_[called->parameter_instruction(0)] = [&](size_t leaf) { return Array(&instruction, leaf); };
        }
        for (int iteration = 0; iteration < 2; ++iteration) {
          Run(*instruction.while_condition());
          ExpectWhole(*instruction.while_condition()->root_instruction());
          Run(*instruction.while_body());
          ExpectWhole(*instruction.while_body()->root_instruction());
          Write(instruction);
        }
        break;
      }
      case HloOpcode::kConditional:
        for (int64_t i = 0; i < instruction.branch_count(); ++i) {
          const HloInstruction& argument = *instruction.operand(i + 1);
          ExpectWhole(argument);
          bound_[instruction.branch_computation(i)->parameter_instruction(0)] = [&](size_t leaf) {
            return ArrayOf(argument, leaf);
          };
          auto before = memory_;
          Run(*instruction.branch_computation(i));
          ExpectWhole(*instruction.branch_computation(i)->root_instruction());
          memory_ = std::move(before);
        }
        Write(instruction);
        break;
      default:
        break;
    }
  }

  void Write(const HloInstruction& instruction) {
    std::vector<BufferSlice> slices = buffers_.SlicesOf(instruction);
    for (size_t i = 0; i < slices.size(); ++i) {
      auto& block = memory_[{slices[i].kind, slices[i].number}];
      uint64_t begin = slices[i].offset, end = begin + slices[i].size;
      std::erase_if(block, [&](const auto& e) { return e.first < end && e.second.first > begin; });
      if (end > begin) block[begin] = {end, Array(&instruction, i)};
    }
  }
  void ExpectWhole(const BufferSlice& slice, const Array& array) {
    if (slice.size == 0 || slice.kind == AllocationKind::kParameter || slice.kind == AllocationKind::kConstant) return;
    auto& block = memory_[{slice.kind, slice.number}];
    auto it = block.find(slice.offset);
    ASSERT_TRUE(it != block.end() && it->second == std::pair(slice.offset + slice.size, array))
        << array.first->name() << " leaf " << array.second << " is gone from " << slice.ToString();
  }

  const BufferAssignment& buffers_;
  std::map<std::pair<AllocationKind, int64_t>, std::map<uint64_t, std::pair<uint64_t, Array>>> memory_;
  std::map<const HloInstruction*, std::function<Array(size_t)>> bound_;
};

TEST(BufferAssignment, NoArrayIsOverwrittenBeforeItsLastUse) {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax")) {
    std::ifstream file(entry.path() / "module.hlo");
    std::stringstream text;
    text << file.rdbuf();
    auto module = Prepared(text.str(), entry.path().string());
    if (!module.ok()) {  // opcodes that cannot be read yet
      ASSERT_EQ(module.status().id(), ErrorId::kHloUnsupportedOpcode) << module.status().ToString();
      continue;
    }
    auto buffers = BufferAssignment::Create(**module);
    ASSERT_TRUE(buffers.ok()) << buffers.status().ToString();
    SymbolicMachine machine(*buffers);
    machine.Run(*(*module)->entry_computation());
    machine.ExpectWhole(*(*module)->entry_computation()->root_instruction());
    ASSERT_FALSE(::testing::Test::HasFailure()) << entry.path();
    for (const BufferValue& value : buffers->values()) {
      if (value.slice.kind == AllocationKind::kTemp) ASSERT_EQ(value.slice.offset % 256, 0u);
      ASSERT_LE(value.slice.kind == AllocationKind::kTemp ? value.slice.offset + value.slice.size : 0,
                buffers->temp_bytes());
    }
    ++checked;
  }
  EXPECT_GE(checked, 100);
}

TEST(BufferAssignment, ViewsAliasAndTheDeadMakeRoom) {
  // Three reductions in a row: each result dies when the next is computed.
  auto module = Prepared(R"(HloModule m
add { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y) }
ENTRY e {
  p = f32[64,64,64,64] parameter(0)
  zero = f32[] constant(0)
  a = f32[64,64,64] reduce(p, zero), dimensions={3}, to_apply=add
  b = f32[64,64] reduce(a, zero), dimensions={2}, to_apply=add
  c = f32[64] reduce(b, zero), dimensions={1}, to_apply=add
  d = f32[8,8] reshape(c)
  ROOT r = f32[8] reduce(d, zero), dimensions={1}, to_apply=add })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto buffers = BufferAssignment::Create(**module);
  ASSERT_TRUE(buffers.ok()) << buffers.status().ToString();
  EXPECT_EQ(buffers->temp_bytes(), 4u * (64 * 64 * 64 + 64 * 64));
  EXPECT_EQ(buffers->parameter_shapes().size(), 1u);
  EXPECT_EQ(buffers->output_shapes().size(), 1u);
}

TEST(BufferAssignment, AParameterThatIsReturnedIsCopied) {
  auto module = Prepared(R"(HloModule m
ENTRY e {
  p = f32[4] parameter(0)
  ROOT t = (f32[4], f32[4]) tuple(p, p) })");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto buffers = BufferAssignment::Create(**module);
  ASSERT_TRUE(buffers.ok()) << buffers.status().ToString();
  std::vector<BufferSlice> slices = buffers->SlicesOf(*(*module)->entry_computation()->root_instruction());
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0].ToString(), "output 0 [0:16]");
  EXPECT_EQ(slices[1].ToString(), "output 1 [0:16]");
}

}  // namespace
}  // namespace xla::gpu
