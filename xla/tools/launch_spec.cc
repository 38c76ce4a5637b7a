#include "xla/tools/launch_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/json.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
namespace se = stream_executor;
using rocxla::ErrorId;
using rocxla::Json;
using rocxla::Status;
using rocxla::StatusOr;
using rocxla::Tensor;

template <class T>
std::vector<uint8_t> BytesOf(T value) {
  std::vector<uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

// The integer kinds of a scalar in launch.json. As in Triton's signatures, a pattern may be written with either sign:
// an i8 may be -1 or 255.
struct IntegerKind {
  std::string_view name;
  int bits;
};
constexpr IntegerKind kIntegerKinds[] = {{"i1", 1},   {"i8", 8},   {"u8", 8},   {"i16", 16}, {"u16", 16},
                                         {"i32", 32}, {"u32", 32}, {"i64", 64}, {"u64", 64}};

StatusOr<std::vector<uint8_t>> IntegerBytes(const Json& argument, IntegerKind kind, const std::string& origin) {
  if (kind.bits == 64 && argument.contains("value") && argument["value"].is_number_unsigned())
    return BytesOf(argument["value"].get<uint64_t>());
  ASSIGN_OR_RETURN(int64_t value, rocxla::JsonInteger(argument, "value", origin));
  const int64_t lowest = kind.bits == 64 ? INT64_MIN : -(int64_t{1} << (kind.bits - 1));
  const int64_t highest = kind.bits == 64 ? INT64_MAX : (int64_t{1} << kind.bits) - 1;
  if (value < lowest || value > highest)
    return Error(ErrorId::kBadJson, {.what = "a scalar does not fit its kind",
                                     .where = origin,
                                     .found = fmt::format("{} as {}", value, kind.name),
                                     .expected = fmt::format("{} to {}", lowest, highest)});
  std::vector<uint8_t> bytes = BytesOf(kind.bits == 1 ? value & 1 : value);
  bytes.resize(std::max(kind.bits / 8, 1));
  return bytes;
}

// The scalar kinds of launch.json.
StatusOr<std::vector<uint8_t>> ScalarBytes(const Json& argument, std::string_view kind, const std::string& origin) {
  if (kind == "fp32" || kind == "fp64") {
    ASSIGN_OR_RETURN(double value, rocxla::JsonNumber(argument, "value", origin));
    return kind == "fp32" ? BytesOf(static_cast<float>(value)) : BytesOf(value);
  }
  for (const IntegerKind& integer : kIntegerKinds)
    if (integer.name == kind) return IntegerBytes(argument, integer, origin);
  return Error(ErrorId::kBadJson, {.what = "unknown argument kind",
                                   .where = origin,
                                   .found = fmt::format("\"{}\"", kind),
                                   .expected = "buffer, i1, i8, i16, i32, i64, u8 to u64, fp32 or fp64"});
}

// What is misspelt, or is not known yet, must not be ignored.
Status CheckFields(const Json& object, std::string_view what, std::initializer_list<std::string_view> known,
                   const std::string& origin) {
  if (!object.is_object())
    return Error(ErrorId::kBadJson, {.what = fmt::format("{} is no object", what),
                                     .where = origin,
                                     .found = object.type_name(),
                                     .expected = fmt::format("an object with {}", fmt::join(known, ", "))});
  for (const auto& item : object.items()) {
    if (std::ranges::find(known, item.key()) != known.end()) continue;
    return Error(ErrorId::kBadJson, {.what = fmt::format("{} has an unknown field", what),
                                     .where = origin,
                                     .found = fmt::format("\"{}\"", item.key()),
                                     .expected = fmt::format("{}", fmt::join(known, ", "))});
  }
  return rocxla::OkStatus();
}

// A buffer without a tensor holds zeros.
StatusOr<size_t> ZeroBytes(const Json& json, const std::string& origin) {
  constexpr int64_t kMost = int64_t{1} << 40;
  ASSIGN_OR_RETURN(int64_t bytes, rocxla::JsonInteger(json, "bytes", origin));
  if (bytes >= 0 && bytes <= kMost) return static_cast<size_t>(bytes);
  return Error(ErrorId::kBadJson, {.what = "a buffer has no usable size",
                                   .where = origin,
                                   .found = fmt::format("{} bytes", bytes),
                                   .expected = fmt::format("0 to {}", kMost)});
}

StatusOr<LaunchArgument> ParseArgument(const Json& json, const LaunchSpec& spec, const std::string& origin) {
  LaunchArgument argument;
  RETURN_IF_ERROR(CheckFields(json, "an argument", {"name", "kind", "tensor", "bytes", "value"}, origin));
  ASSIGN_OR_RETURN(argument.name, rocxla::JsonString(json, "name", origin));
  if (std::ranges::find(spec.arguments, argument.name, &LaunchArgument::name) != spec.arguments.end())
    return Error(ErrorId::kBadJson,
                 {.what = "two arguments have the same name", .where = origin, .found = argument.name});
  ASSIGN_OR_RETURN(std::string kind, rocxla::JsonString(json, "kind", origin));
  if (kind != "buffer") {
    ASSIGN_OR_RETURN(argument.scalar, ScalarBytes(json, kind, origin));
    return argument;
  }
  if (!json.contains("tensor") && json.contains("bytes")) {
    ASSIGN_OR_RETURN(argument.zero_bytes, ZeroBytes(json, origin));
    return argument;
  }
  ASSIGN_OR_RETURN(argument.tensor, rocxla::JsonString(json, "tensor", origin));
  if (!spec.tensors.contains(argument.tensor))
    return Error(ErrorId::kWrongInputs,
                 {.what = "io.safetensors beside launch.json lacks a tensor",
                  .where = origin,
                  .found = spec.tensors.empty() ? "no such file, or no tensors in it" : "",
                  .expected = argument.tensor,
                  .next = R"(Add it, or write "bytes" in place of "tensor" for a buffer of zeros.)"});
  return argument;
}

StatusOr<LaunchOutput> ParseOutput(const Json& json, const LaunchSpec& spec, const std::string& origin) {
  RETURN_IF_ERROR(CheckFields(json, "an output", {"arg", "tensor", "rtol", "atol"}, origin));
  ASSIGN_OR_RETURN(std::string name, rocxla::JsonString(json, "arg", origin));
  auto argument = std::find_if(spec.arguments.begin(), spec.arguments.end(), [&](auto& a) { return a.name == name; });
  if (argument == spec.arguments.end() || !argument->is_buffer())
    return Error(ErrorId::kBadJson, {.what = "an output names no buffer argument", .where = origin, .found = name});
  LaunchOutput output{static_cast<size_t>(argument - spec.arguments.begin()), "", {}};
  ASSIGN_OR_RETURN(output.tensor, rocxla::JsonString(json, "tensor", origin));
  ASSIGN_OR_RETURN(output.tolerance, ToleranceFromJson(json, origin));
  const size_t bytes = argument->tensor.empty() ? argument->zero_bytes : spec.tensors.at(argument->tensor).bytes.size();
  auto want = spec.tensors.find(output.tensor);
  if (want == spec.tensors.end() || want->second.bytes.size() != bytes)
    return Error(ErrorId::kWrongInputs,
                 {.what = "the recorded output does not fit its buffer", .where = origin, .found = output.tensor});
  return output;
}

StatusOr<int> JsonSmallInteger(const Json& object, std::string_view field, int lowest, int highest,
                               const std::string& origin) {
  ASSIGN_OR_RETURN(int64_t value, rocxla::JsonInteger(object, field, origin));
  if (value >= lowest && value <= highest) return static_cast<int>(value);
  return Error(ErrorId::kBadJson, {.what = fmt::format("field \"{}\" is out of range", field),
                                   .where = origin,
                                   .found = fmt::format("{}", value),
                                   .expected = fmt::format("{} to {}", lowest, highest)});
}

// An absent list is empty; anything but a list is an error.
StatusOr<Json> JsonList(const Json& object, const char* field, const std::string& origin) {
  auto list = object.find(field);
  if (list == object.end()) return Json(Json::array());
  if (list->is_array()) return Json(*list);
  return Error(ErrorId::kBadJson, {.what = fmt::format("field \"{}\" is not usable", field),
                                   .where = origin,
                                   .found = list->type_name(),
                                   .expected = "a list"});
}

Status ReadOptions(const fs::path& path, LaunchSpec& spec) {
  if (!fs::exists(path)) return rocxla::OkStatus();
  ASSIGN_OR_RETURN(Json options, rocxla::ReadJson(path));
  if (!options.is_object())
    return Error(ErrorId::kBadJson, {.what = "the launch options are no object",
                                     .where = path.string(),
                                     .found = options.type_name(),
                                     .expected = "{\"num_warps\": 4, \"num_ctas\": 1, \"num_stages\": 2}"});
  for (auto [field, place] :
       {std::pair("num_warps", &spec.num_warps), {"num_ctas", &spec.num_ctas}, {"num_stages", &spec.num_stages}}) {
    if (!options.contains(field)) continue;
    const std::string_view name = field;
    ASSIGN_OR_RETURN(*place, JsonSmallInteger(options, name, name == "num_stages" ? 0 : 1, 1024, path.string()));
  }
  return rocxla::OkStatus();
}

// One to three counts, of blocks or threads.
StatusOr<std::array<uint32_t, 3>> ParseCounts(const Json& json, const char* field, std::string_view what,
                                              const std::string& origin) {
  std::array<uint32_t, 3> counts{1, 1, 1};
  auto list = json.find(field);
  bool usable = list != json.end() && list->is_array() && !list->empty() && list->size() <= 3;
  for (size_t i = 0; usable && i < list->size(); ++i) {
    usable = (*list)[i].is_number_unsigned() && (*list)[i].get<uint64_t>() <= INT32_MAX;
    if (usable) counts[i] = (*list)[i].get<uint32_t>();
  }
  if (usable) return counts;
  constexpr size_t kShown = 60;
  return Error(ErrorId::kBadJson,
               {.what = fmt::format("field \"{}\" is not usable", field),
                .where = origin,
                .found = list == json.end() ? "no such field" : list->dump().substr(0, kShown),
                .expected = fmt::format("one to three {} counts from 0 to {}, such as [4, 1, 1]", what, INT32_MAX)});
}

// The fields of launch.json beside its arguments and outputs.
Status ParseLaunch(const Json& json, LaunchSpec& spec, const std::string& origin) {
  RETURN_IF_ERROR(
      CheckFields(json, "the launch", {"kernel", "grid", "block", "dynamic_lds_bytes", "args", "outputs"}, origin));
  ASSIGN_OR_RETURN(spec.kernel, rocxla::JsonString(json, "kernel", origin));
  ASSIGN_OR_RETURN(spec.grid, ParseCounts(json, "grid", "block", origin));
  if (json.contains("block")) {
    ASSIGN_OR_RETURN(spec.block, ParseCounts(json, "block", "thread", origin));
  }
  if (json.contains("dynamic_lds_bytes")) {
    ASSIGN_OR_RETURN(spec.dynamic_lds_bytes, JsonSmallInteger(json, "dynamic_lds_bytes", 0, INT32_MAX, origin));
  }
  return rocxla::OkStatus();
}

// Buffers on a device that are freed with this object.
class DeviceBuffers {
 public:
  explicit DeviceBuffers(se::StreamExecutor& device) : device_(device) {}
  ~DeviceBuffers() {
    for (const se::DeviceAddressBase& buffer : buffers_) (void)device_.Deallocate(buffer);
  }
  StatusOr<se::DeviceAddressBase> Upload(const std::vector<uint8_t>& bytes) {
    ASSIGN_OR_RETURN(se::DeviceAddressBase buffer, device_.Allocate(bytes.size()));
    buffers_.push_back(buffer);
    if (!bytes.empty()) RETURN_IF_ERROR(device_.SynchronousMemcpy(buffer, bytes.data(), bytes.size()));
    return buffer;
  }
  StatusOr<se::DeviceAddressBase> Zeros(size_t bytes, se::Stream& stream) {
    ASSIGN_OR_RETURN(se::DeviceAddressBase buffer, device_.Allocate(bytes));
    buffers_.push_back(buffer);
    if (bytes != 0) RETURN_IF_ERROR(stream.MemZero(buffer, bytes));
    return buffer;
  }

 private:
  se::StreamExecutor& device_;
  std::vector<se::DeviceAddressBase> buffers_;
};

}  // namespace

StatusOr<LaunchSpec> ReadLaunchSpec(const fs::path& launch_json) {
  const std::string origin = launch_json.string();
  fs::path folder = launch_json.parent_path();
  ASSIGN_OR_RETURN(Json json, rocxla::ReadJson(launch_json));
  LaunchSpec spec;
  if (fs::exists(folder / "io.safetensors")) {
    ASSIGN_OR_RETURN(spec.tensors, rocxla::ReadSafetensors(folder / "io.safetensors"));
  }
  RETURN_IF_ERROR(ParseLaunch(json, spec, origin));
  ASSIGN_OR_RETURN(const Json arguments, JsonList(json, "args", origin));
  for (const Json& item : arguments) {
    ASSIGN_OR_RETURN(LaunchArgument argument, ParseArgument(item, spec, origin));
    spec.arguments.push_back(std::move(argument));
  }
  ASSIGN_OR_RETURN(const Json outputs, JsonList(json, "outputs", origin));
  for (const Json& item : outputs) {
    ASSIGN_OR_RETURN(LaunchOutput output, ParseOutput(item, spec, origin));
    spec.outputs.push_back(std::move(output));
  }
  RETURN_IF_ERROR(ReadOptions(folder / "options.json", spec));
  return spec;
}

se::ThreadDim BlockOf(const LaunchSpec& spec, se::StreamExecutor& device) {
  if (spec.block) return {{(*spec.block)[0], (*spec.block)[1], (*spec.block)[2]}};
  return {{static_cast<uint64_t>(spec.num_warps) * device.GetDeviceDescription().threads_per_warp(), 1, 1}};
}

StatusOr<uint32_t> SharedBytesOf(const fs::path& code_object) {
  fs::path metadata = code_object.parent_path() / "metadata.json";
  if (!fs::exists(metadata)) return 0u;
  ASSIGN_OR_RETURN(Json json, rocxla::ReadJson(metadata));
  ASSIGN_OR_RETURN(int shared, JsonSmallInteger(json, "shared", 0, INT32_MAX, metadata.string()));
  return static_cast<uint32_t>(shared);
}

StatusOr<std::vector<Tensor>> RunLaunch(const LaunchSpec& spec, std::span<const uint8_t> code_object,
                                        uint32_t shared_bytes, se::StreamExecutor& device) {
  ASSIGN_OR_RETURN(std::shared_ptr<se::Module> module, device.LoadModule(code_object));
  ASSIGN_OR_RETURN(std::unique_ptr<se::Kernel> kernel, module->GetKernel(spec.kernel));
  ASSIGN_OR_RETURN(std::unique_ptr<se::Stream> stream, device.CreateStream());
  DeviceBuffers buffers(device);
  std::vector<se::DeviceAddressBase> addresses(spec.arguments.size());
  se::KernelArgs args(spec.dynamic_lds_bytes.value_or(shared_bytes));
  for (size_t i = 0; i < spec.arguments.size(); ++i) {
    const LaunchArgument& argument = spec.arguments[i];
    if (!argument.is_buffer()) {
      args.AddBytes(std::as_bytes(std::span(argument.scalar)), static_cast<uint32_t>(argument.scalar.size()));
      continue;
    }
    if (argument.tensor.empty()) {
      ASSIGN_OR_RETURN(addresses[i], buffers.Zeros(argument.zero_bytes, *stream));
    } else {
      ASSIGN_OR_RETURN(addresses[i], buffers.Upload(spec.tensors.at(argument.tensor).bytes));
    }
    args.Add(addresses[i]);
  }
  constexpr size_t kTritonScratchArguments = 2;
  if (kernel->arguments().size() == spec.arguments.size() + kTritonScratchArguments)
    for (size_t i = 0; i < kTritonScratchArguments; ++i) args.Add(se::DeviceAddressBase());

  se::LaunchDimensions dims;
  dims.blocks = {{spec.grid[0], spec.grid[1], spec.grid[2]}};
  dims.threads = BlockOf(spec, device);
  RETURN_IF_ERROR(kernel->Launch(dims, *stream, args));
  RETURN_IF_ERROR(stream->BlockHostUntilDone());

  std::vector<Tensor> results;
  for (const LaunchOutput& output : spec.outputs) {
    Tensor result = spec.tensors.at(output.tensor);  // dtype and shape; the bytes come next
    RETURN_IF_ERROR(device.SynchronousMemcpy(result.bytes.data(), addresses[output.argument], result.bytes.size()));
    results.push_back(std::move(result));
  }
  return results;
}

StatusOr<std::vector<Comparison>> CompareOutputs(const LaunchSpec& spec, std::span<const Tensor> results) {
  std::vector<Comparison> comparisons;
  for (size_t i = 0; i < spec.outputs.size(); ++i) {
    ASSIGN_OR_RETURN(Comparison comparison,
                     Compare(results[i], spec.tensors.at(spec.outputs[i].tensor), spec.outputs[i].tolerance));
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace xla::tools
