#include "emulator/exec/fault.h"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <vector>

#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

u32 PcOf(const FaultPlace& place, const Wave& wave) { return place.executable->program.code[wave.pc].pc; }

// "pc 0x40", from the kernel's entry: functions that it calls may lie before.
std::string PcText(const FaultPlace& place, u32 pc) {
  return fmt::format("pc {:#x}", static_cast<i32>(pc - place.executable->entry));
}

std::string PlaceAt(const FaultPlace& place, u32 pc, std::string_view lane) {
  const Kernel& kernel = *place.kernel;
  std::string text =
      fmt::format("kernel '{}', workgroup {},{},{}, wave {}{}, {}: {}", kernel.name, place.block[0], place.block[1],
                  place.block[2], place.wave_index, lane, PcText(place, pc),
                  Disassemble(CodeOf(kernel), pc, kernel.object->target(), place.executable->program.lanes));
  std::string line = kernel.object->SourceLine(kernel.code_begin + pc);
  return line.empty() ? text : text + "\n" + line;
}

std::string Place(const FaultPlace& place, const Wave& wave, std::string_view lane) {
  return PlaceAt(place, PcOf(place, wave), lane);
}

std::string_view SpaceName(Space space) {
  switch (space) {
    case Space::kLds:
      return "LDS";
    case Space::kScratch:
      return "scratch";
    default:
      return "global memory";
  }
}

// ", argument 2" or ", argument 'x'": which of the kernel's pointers lead into the allocation.
std::string ArgumentsInto(const FaultPlace& place, const Range& r) {
  std::string text;
  size_t number = 0;
  if (place.kernarg == nullptr) return text;
  for (const KernelArgument& argument : place.kernel->metadata.arguments) {
    const size_t position = number++;
    u64 value = 0;
    if (argument.is_hidden() || argument.size != sizeof value) continue;
    std::memcpy(&value, reinterpret_cast<const char*>(place.kernarg) + argument.offset, sizeof value);
    if (value < r.begin || value > r.end()) continue;
    text +=
        argument.name.empty() ? fmt::format(", argument {}", position) : fmt::format(", argument '{}'", argument.name);
  }
  return text;
}

std::string DescribeRange(const FaultPlace& place, const Range& r) {
  return fmt::format("'{}' ({} bytes at {:#x}{})", r.label, r.size, r.begin, ArgumentsInto(place, r));
}

// Farther away than this, an allocation has nothing to do with an address.
constexpr u64 kNear = u64{1} << 30;
// Offsets from a null pointer: the members and first elements of what is not there.
constexpr u64 kNearNull = u64{1} << 16;

std::string Bytes(u64 count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }
// Where an address lies relative to what is allocated.
std::string Relation(const FaultPlace& place, const AddressSpace& memory, u64 address, u32 bytes) {
  if (auto range = memory.Find(reinterpret_cast<const void*>(address))) {
    return fmt::format("{} beyond the end of {}", Bytes(address + bytes - range->end()), DescribeRange(place, *range));
  }
  if (address == 0) return "a null pointer";
  if (address < kNearNull) return fmt::format("{} after a null pointer", Bytes(address));
  if (auto freed = memory.FindFreed(address)) {
    return fmt::format("in {}, which has been freed", DescribeRange(place, *freed));
  }
  auto nearest = memory.Nearest(address);
  if (!nearest) return "nothing is allocated";
  const bool after = address >= nearest->end();
  const u64 distance = after ? address - nearest->end() : nearest->begin - address;
  if (distance > kNear) return "far from every allocation";
  return fmt::format("{} {} {}", Bytes(distance), after ? "after the end of" : "before",
                     DescribeRange(place, *nearest));
}

constexpr char kCheckKernel[] =
    "Check the sizes and pointers that the kernel was given, and its masks; a trace shows every instruction.";
constexpr char kCheckLds[] =
    "Check the dynamic LDS size of the launch (the compiler's metadata says what the kernel needs).";
constexpr char kCheckScratch[] =
    "Check the indices of local arrays, and how deep functions call themselves: the stack of a kernel whose depth the "
    "compiler does not know has 16 KiB per lane.";

// A store to what is allocated, but read-only.
Status ReadOnlyFault(std::string what, std::string where, const FaultPlace& place, u64 address, const Range& range) {
  return Error(ErrorId::kEmulatorMemoryFault,
               {.what = what + " is to read-only memory",
                .where = std::move(where),
                .found = fmt::format("address {:#x}: code in {}", address, DescribeRange(place, range)),
                .expected = "an address outside the executable segments of code objects",
                .next = "Check the pointer; a kernel cannot change code while it is loaded."});
}

Status MemoryFault(const FaultPlace& place, const Wave& wave) {
  const Fault& f = wave.fault;
  bool scalar = f.space == Space::kScalarMem || f.space == Space::kScalarBuffer;
  std::string where = Place(place, wave, scalar ? "" : fmt::format(", lane {}", f.lane));
  std::string what = fmt::format("a {} of {} in {}", f.store ? "store" : "load", Bytes(f.bytes), SpaceName(f.space));
  if (f.kind == FaultKind::kMisaligned) {  // everything else may lie anywhere
    return Error(ErrorId::kEmulatorMemoryFault, {.what = fmt::format("an atomic operation on {} in {} is misaligned",
                                                                     Bytes(f.bytes), SpaceName(f.space)),
                                                 .where = where,
                                                 .found = fmt::format("address {:#x}", f.address),
                                                 .expected = fmt::format("a multiple of {}", f.bytes),
                                                 .next = kCheckKernel});
  }
  bool block = f.space == Space::kLds || f.space == Space::kScratch;
  if (block) {
    u32 size = f.space == Space::kLds ? wave.lds_bytes : wave.scratch_bytes;
    return Error(ErrorId::kEmulatorMemoryFault,
                 {.what = what + " is out of bounds",
                  .where = where,
                  .found = fmt::format("offset {}", static_cast<i64>(f.address)),
                  .expected = fmt::format("offsets below {}, the size of the {}", size,
                                          f.space == Space::kLds ? "workgroup's LDS" : "lane's scratch memory"),
                  .next = f.space == Space::kLds ? kCheckLds : kCheckScratch});
  }
  const auto range = wave.memory->Find(reinterpret_cast<const void*>(f.address));
  if (f.store && range && f.address + f.bytes <= range->end())
    return ReadOnlyFault(std::move(what), std::move(where), place, f.address, *range);
  return Error(ErrorId::kEmulatorMemoryFault,
               {.what = what + " is outside every allocation",
                .where = where,
                .found = fmt::format("address {:#x}: {}", f.address, Relation(place, *wave.memory, f.address, f.bytes)),
                .expected = "an address inside a live allocation",
                .next = kCheckKernel});
}

Status InstructionFault(const FaultPlace& place, const Wave& wave) {
  const Program& program = place.executable->program;
  const Problem& problem = program.problems[program.code[wave.pc].target];
  std::string where = Place(place, wave, "");
  if (problem.id == ErrorId::kEmulatorTrap) {
    return Error(problem.id, {.what = problem.what,
                              .where = where,
                              .next = "See what the kernel has printed: a failed assertion names itself there."});
  }
  if (problem.id == ErrorId::kEmulatorUnsupportedInstruction) {
    return Error(problem.id, {.what = fmt::format("the embedded GPU cannot execute this instruction: {}", problem.what),
                              .where = where,
                              .expected = "an instruction of emulator/isa/*.def",
                              .next = "Compile without it, or add it to the tables (see emulator/README.md)."});
  }
  return Error(problem.id, {.what = problem.what,
                            .where = where,
                            .expected = "an instruction of the device",
                            .next = "Check that the code object was compiled for this device."});
}

// Where a jump leads that finds no code.
std::string DescribeTarget(const FaultPlace& place, const AddressSpace& memory, u64 address) {
  auto range = memory.Find(reinterpret_cast<const void*>(address));
  return range ? "in " + DescribeRange(place, *range) : Relation(place, memory, address, 4);
}

}  // namespace

Status WildJumpStatus(const FaultPlace& place, const Wave& wave) {
  u64 address = wave.jump_address;
  return Error(ErrorId::kEmulatorUndecodableInstruction,
               {.what = "the wave jumps to an address outside the kernel's code",
                .where = Place(place, wave, ""),
                .found = fmt::format("address {:#x}: {}", address, DescribeTarget(place, *wave.memory, address)),
                .expected = "a multiple of 4 within the executable segment of the kernel's code object",
                .next = "Check the function pointer that is called, and what may have overwritten return addresses."});
}

std::string Describe(const FaultPlace& place, const Wave& wave) { return Place(place, wave, ""); }

std::string DescribeInstruction(const FaultPlace& place, u32 micro) {
  const u32 pc = place.executable->program.code[micro].pc;
  const GpuTarget& target = place.kernel->object->target();
  return fmt::format("{}: {}", PcText(place, pc),
                     Disassemble(CodeOf(*place.kernel), pc, target, place.executable->program.lanes));
}

Status FaultStatus(const FaultPlace& place, const Wave& wave) {
  if (wave.fault.kind == FaultKind::kInstruction) return InstructionFault(place, wave);
  if (wave.fault.kind == FaultKind::kSwizzledBuffer) {
    return Error(
        ErrorId::kEmulatorUnsupportedInstruction,
        {.what = "the embedded GPU cannot execute this instruction: its buffer resource is swizzled",
         .where = Place(place, wave, ""),
         .expected = "a buffer resource of plain memory, as compilers make it",
         .next = "Check the four registers of the resource: the highest bits of the second ask for swizzling."});
  }
  if (wave.fault.kind == FaultKind::kRegisterIndex) {
    return Error(ErrorId::kEmulatorMemoryFault, {.what = "an indexed register does not exist",
                                                 .where = Place(place, wave, ""),
                                                 .found = fmt::format("M0 {:#x}", wave.scalar[kM0]),
                                                 .expected = "a register below v256 or s106",
                                                 .next = "Check the index that the kernel puts into M0."});
  }
  return MemoryFault(place, wave);
}

namespace {

// "a loop from pc 0x10 to pc 0x3c", if the wave stopped at a branch backwards.
std::string LoopOf(const FaultPlace& place, const Wave& wave) {
  if (wave.stop != Stop::kPreempted || wave.branch < wave.pc) return "";
  const std::vector<Micro>& code = place.executable->program.code;
  return fmt::format("a loop from {} to {}", PcText(place, code[wave.pc].pc), PcText(place, code[wave.branch].pc));
}

}  // namespace

Status TimeoutStatus(const FaultPlace& place, const Wave& wave, u64 limit) {
  std::string loop = LoopOf(place, wave);
  return Error(ErrorId::kEmulatorTimeout,
               {.what = fmt::format("the launch executed more than {} instructions", limit),
                .where = Place(place, wave, ""),
                .found = loop.empty() ? "" : fmt::format("{}, after {} instructions of the wave", loop, wave.executed),
                .next = "if the kernel is not in an endless loop, raise ROCXLA_EMULATOR_MAX_INSTRUCTIONS"});
}

Status DeadlockStatus(FaultPlace place, const std::vector<WaitingWave>& waiting, const Wave* looping) {
  const std::vector<Micro>& code = place.executable->program.code;
  std::string found;
  if (looping != nullptr) {
    std::string loop = LoopOf(place, *looping);
    found = fmt::format("wave {} runs meanwhile{}", place.wave_index, loop.empty() ? "" : ", in " + loop);
  }
  std::string list;
  for (const WaitingWave& w : waiting) {
    list += fmt::format("{}wave {} at {}", list.empty() ? "" : ", ", w.index, PcText(place, code[w.wave->pc - 1].pc));
  }
  place.wave_index = waiting.front().index;
  return Error(ErrorId::kEmulatorDeadlock,
               {.what = "waves wait at barriers that can never complete: " + list,
                .where = PlaceAt(place, code[waiting.front().wave->pc - 1].pc, ""),
                .found = found,
                .expected = "every wave of the workgroup that has not ended arrives at the barrier",
                .next = "Check the conditions around barriers."});
}

}  // namespace rocxla::emu
