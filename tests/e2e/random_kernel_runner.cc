#include "tests/e2e/random_kernel_runner.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <sstream>

#include "base/error_ids.h"
#include "base/numerics/float_convert.h"
#include "emulator/exec/launch.h"
#include "triton/compile.h"

namespace rocxla::triton {
namespace {

constexpr uint64_t kMostInstructions = uint64_t{1} << 28;
constexpr uint64_t kMostOperations = uint64_t{1} << 26;

struct ElementType {
  std::string_view name;
  int bytes;
  std::optional<FloatType> format;
};
constexpr ElementType kElementTypes[] = {{"i1", 1, {}},
                                         {"i8", 1, {}},
                                         {"i16", 2, {}},
                                         {"i32", 4, {}},
                                         {"i64", 8, {}},
                                         {"f16", 2, FloatType::kF16},
                                         {"bf16", 2, FloatType::kBF16},
                                         {"f32", 4, FloatType::kF32},
                                         {"f64", 8, FloatType::kF64},
                                         {"f8E4M3FN", 1, FloatType::kF8E4M3FN},
                                         {"f8E4M3FNUZ", 1, FloatType::kF8E4M3FNUZ},
                                         {"f8E5M2", 1, FloatType::kF8E5M2},
                                         {"f8E5M2FNUZ", 1, FloatType::kF8E5M2FNUZ}};

const ElementType& TypeOf(const KernelBuffer& buffer) {
  return *std::ranges::find(kElementTypes, buffer.element, &ElementType::name);
}

uint64_t CodeAt(const std::vector<uint8_t>& bytes, size_t at, int size) {
  uint64_t code = 0;
  std::memcpy(&code, bytes.data() + at, static_cast<size_t>(size));
  return code;
}

// Codes of floats in the order of their numbers; both zeros are 0.
int64_t Ordered(const FloatFormat& format, uint64_t code) {
  const auto magnitude = static_cast<int64_t>(code & format.MagnitudeMask());
  return code & format.SignBit() ? -magnitude : magnitude;
}

bool Same(const ElementType& type, int ulps, uint64_t got, uint64_t want) {
  if (got == want) return true;
  if (!type.format) return false;
  const FloatFormat format = FormatOf(*type.format);
  if (format.IsNan(got) || format.IsNan(want)) return format.IsNan(got) && format.IsNan(want);
  return ulps > 0 && std::abs(Ordered(format, got) - Ordered(format, want)) <= ulps;
}

std::string Shown(const ElementType& type, uint64_t code) {
  if (!type.format) return fmt::format("{:#x}", code);
  return fmt::format("{} ({:#x})", DecodeToDouble(*type.format, code), code);
}

// "" when nothing differs.
std::string FirstDifference(const InterpretedKernel& interpreted, const std::vector<std::vector<uint8_t>>& got) {
  const auto& [kernel, expected] = interpreted;
  for (size_t b = 0; b < got.size(); ++b) {
    const KernelBuffer& buffer = kernel.buffers[b];
    const ElementType& type = TypeOf(buffer);
    const auto size = static_cast<size_t>(type.bytes);
    for (size_t at = 0; at < got[b].size(); at += size) {
      const auto undefined = expected[b].undefined.begin() + static_cast<std::ptrdiff_t>(at);
      if (std::any_of(undefined, undefined + type.bytes, [](uint8_t flag) { return flag != 0; })) continue;
      const uint64_t x = CodeAt(got[b], at, type.bytes), y = CodeAt(expected[b].bytes, at, type.bytes);
      if (!Same(type, buffer.ulps, x, y))
        return fmt::format("%buf{} ({}), element {}: got {}, want {}", b, type.name, at / size, Shown(type, x),
                           Shown(type, y));
    }
  }
  return "";
}

StatusOr<std::vector<std::vector<uint8_t>>> RunOnDevice(const RandomKernel& kernel, std::string_view target,
                                                        uint64_t seed) {
  CompileOptions options;
  ASSIGN_OR_RETURN(options.target, FindTarget(target));
  options.num_warps = kernel.num_warps;
  ASSIGN_OR_RETURN(CompiledKernel compiled, Compile(kernel.ttir, "kernel.ttir", options));
  emu::AddressSpace memory;
  ASSIGN_OR_RETURN(auto object, emu::CodeObject::Load(compiled.code_object, options.target, memory));
  ASSIGN_OR_RETURN(const emu::Kernel* entry, object->GetKernel(compiled.info.name));
  std::vector<void*> places;
  std::vector<std::byte> arguments;
  auto append = [&](const auto& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    arguments.insert(arguments.end(), bytes.begin(), bytes.end());
  };
  for (const KernelBuffer& buffer : kernel.buffers) {
    ASSIGN_OR_RETURN(void* place, memory.Allocate(buffer.bytes.size()));
    std::memcpy(place, buffer.bytes.data(), buffer.bytes.size());
    places.push_back(place);
    append(place);
  }
  for (int32_t number : kernel.numbers) append(number);
  emu::LaunchConfig config;
  for (size_t d = 0; d < 3; ++d) config.grid_blocks[d] = static_cast<uint32_t>(kernel.grid[d]);
  config.block_threads[0] = static_cast<uint32_t>(compiled.info.threads_per_block);
  config.dynamic_lds_bytes = static_cast<uint32_t>(compiled.info.shared_bytes);
  emu::LaunchOptions how;
  how.threads = 1;
  how.seed = seed;
  how.instruction_limit = kMostInstructions;
  RETURN_IF_ERROR(emu::Launch(*entry, config, arguments, memory, how).status());
  std::vector<std::vector<uint8_t>> results;
  for (size_t b = 0; b < places.size(); ++b) {
    results.emplace_back(kernel.buffers[b].bytes.size());
    std::memcpy(results.back().data(), places[b], results.back().size());
  }
  return results;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// One after the line, or the end of the region that it opens.
size_t EndOf(const std::vector<std::string>& lines, size_t first) {
  int depth = 0;
  for (size_t i = first; i < lines.size(); ++i) {
    for (char c : lines[i]) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth <= 0 && !lines[i].ends_with("else {") && !lines[i].ends_with("do {")) return i + 1;
  }
  return first + 1;
}

}  // namespace

StatusOr<InterpretedKernel> InterpretKernel(RandomKernel kernel) {
  std::vector<InterpretedBuffer> buffers;
  InterpretedLaunch launch;
  launch.grid = {kernel.grid[0], kernel.grid[1], kernel.grid[2]};
  launch.operation_limit = kMostOperations;
  for (const KernelBuffer& buffer : kernel.buffers) {
    launch.arguments.push_back({InterpretedArgument::Kind::kBuffer, buffers.size()});
    buffers.push_back({buffer.bytes});
  }
  for (int32_t number : kernel.numbers)
    launch.arguments.push_back({InterpretedArgument::Kind::kNumber, static_cast<uint32_t>(number)});
  RETURN_IF_ERROR(Interpret(kernel.ttir, "kernel.ttir", launch, buffers));
  return InterpretedKernel{std::move(kernel), std::move(buffers)};
}

StatusOr<InterpretedKernel> MakeInterpretedKernel(uint64_t seed, const RandomKernelOptions& options) {
  constexpr uint64_t kMost = 20;
  for (uint64_t attempt = 0;; ++attempt) {
    auto interpreted = InterpretKernel(MakeRandomKernel(seed + (attempt << 32), options));
    const bool again = interpreted.status().code() == StatusCode::kFailedPrecondition &&
                       interpreted.status().message().find("undefined value") != std::string::npos;
    if (!again || attempt == kMost) return interpreted;
  }
}

Outcome CompareOnDevice(const InterpretedKernel& kernel, std::string_view target, uint64_t seed) {
  auto got = RunOnDevice(kernel.kernel, target, seed);
  if (got.ok()) {
    std::string difference = FirstDifference(kernel, *got);
    return {difference.empty() ? Verdict::kAgrees : Verdict::kDiffers, std::move(difference)};
  }
  const ErrorId id = got.status().id();
  const bool unsupported =
      id == ErrorId::kTritonUnsupportedOp || id == ErrorId::kTritonOutOfSharedMemory || id == ErrorId::kTritonBadOption;
  return {unsupported ? Verdict::kUnsupported : Verdict::kDiffers, got.status().ToString()};
}

double DefinedShare(const InterpretedKernel& kernel) {
  size_t all = 0, undefined = 0;
  for (size_t b = 0; b < kernel.expected.size(); ++b) {
    if (!kernel.kernel.buffers[b].is_output) continue;
    const std::vector<uint8_t>& flags = kernel.expected[b].undefined;
    all += flags.size();
    undefined += static_cast<size_t>(std::ranges::count_if(flags, [](uint8_t flag) { return flag != 0; }));
  }
  return all == 0 ? 0 : 1 - static_cast<double>(undefined) / static_cast<double>(all);
}

InterpretedKernel Reduced(InterpretedKernel kernel, std::string_view target, uint64_t seed) {
  std::vector<std::string> lines = LinesOf(kernel.kernel.ttir);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = lines.size(); i-- > 0;) {
      std::vector<std::string> fewer(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(i));
      fewer.insert(fewer.end(), lines.begin() + static_cast<std::ptrdiff_t>(EndOf(lines, i)), lines.end());
      RandomKernel smaller = kernel.kernel;
      smaller.ttir = Joined(fewer);
      auto interpreted = InterpretKernel(std::move(smaller));
      if (!interpreted.ok() || CompareOnDevice(*interpreted, target, seed).verdict != Verdict::kDiffers) continue;
      kernel = *std::move(interpreted);
      lines = std::move(fewer);
      again = true;
    }
  }
  return kernel;
}

}  // namespace rocxla::triton
