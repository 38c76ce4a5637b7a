#include "emulator/exec/recorded_case.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "base/safetensors.h"
#include "base/target/target.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {
namespace {

template <class T>
T LoadAt(const uint8_t* bytes, int64_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}
StatusOr<double> ElementAt(const std::string& dtype, const uint8_t* bytes, int64_t i) {
  if (dtype == "F32") return static_cast<double>(LoadAt<float>(bytes, i));
  if (dtype == "F64") return LoadAt<double>(bytes, i);
  if (dtype == "F16") return static_cast<double>(LoadAt<_Float16>(bytes, i));
  if (dtype == "BF16") return static_cast<double>(std::bit_cast<float>(uint32_t{LoadAt<uint16_t>(bytes, i)} << 16));
  if (dtype == "I32") return static_cast<double>(LoadAt<int32_t>(bytes, i));
  if (dtype == "U32") return static_cast<double>(LoadAt<uint32_t>(bytes, i));
  if (dtype == "I64") return static_cast<double>(LoadAt<int64_t>(bytes, i));
  if (dtype == "I16") return static_cast<double>(LoadAt<int16_t>(bytes, i));
  if (dtype == "I8") return static_cast<double>(LoadAt<int8_t>(bytes, i));
  if (dtype == "U8" || dtype == "BOOL") return static_cast<double>(bytes[i]);
  return UnimplementedError("cannot compare elements of type " + dtype);
}

// Buffers of a case in device memory.
class Case {
 public:
  explicit Case(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Status Read(const std::string& target) {
    ASSIGN_OR_RETURN(launch_, ReadJson(folder_ / "launch.json"));
    ASSIGN_OR_RETURN(options_, ReadJson(folder_ / "options.json"));
    ASSIGN_OR_RETURN(metadata_, ReadJson(folder_ / ("triton-" + target) / "metadata.json"));
    ASSIGN_OR_RETURN(tensors_, ReadSafetensors(folder_ / "io.safetensors"));
    return OkStatus();
  }

  StatusOr<std::vector<std::byte>> Arguments(AddressSpace& memory) {
    std::vector<std::byte> bytes;
    auto append = [&](const auto& value) {
      while (bytes.size() % sizeof(value) != 0) bytes.push_back(std::byte{0});
      auto* begin = reinterpret_cast<const std::byte*>(&value);
      bytes.insert(bytes.end(), begin, begin + sizeof(value));
    };
    for (const Json& argument : launch_.at("args")) {
      std::string kind = argument.at("kind"), name = argument.at("name");
      if (kind == "buffer") {
        const Tensor& initial = tensors_.at(argument.at("tensor"));
        ASSIGN_OR_RETURN(void* place, memory.Allocate(initial.bytes.size(), 256, name));
        std::memcpy(place, initial.bytes.data(), initial.bytes.size());
        buffers_[name] = static_cast<const uint8_t*>(place);
        append(place);
      } else if (kind == "i32") {
        append(argument.at("value").get<int32_t>());
      } else if (kind == "fp32") {
        append(argument.at("value").get<float>());
      } else {
        return UnimplementedError("argument kind " + kind);
      }
    }
    constexpr uint64_t kNoScratch = 0;
    append(kNoScratch);
    append(kNoScratch);
    return bytes;
  }

  LaunchConfig Config() const {
    LaunchConfig config;
    for (int i = 0; i < 3; i++) config.grid_blocks[i] = launch_.at("grid")[i];
    config.block_threads[0] = metadata_.at("warp_size").get<int>() * options_.at("num_warps").get<int>();
    config.dynamic_lds_bytes = metadata_.at("shared");
    return config;
  }
  std::string KernelName() const { return launch_.at("kernel"); }

  Status Compare(RecordedResult& result) const {
    for (const Json& output : launch_.at("outputs")) {
      std::string name = output.at("arg");
      const Tensor& want = tensors_.at(output.at("tensor"));
      double rtol = output.at("rtol"), atol = output.at("atol");
      for (int64_t i = 0; i < want.elements(); i++) {
        ASSIGN_OR_RETURN(double w, ElementAt(want.dtype, want.bytes.data(), i));
        ASSIGN_OR_RETURN(double g, ElementAt(want.dtype, buffers_.at(name), i));
        if (g == w || (std::isnan(g) && std::isnan(w))) continue;
        double ratio = std::fabs(g - w) / (atol + rtol * std::fabs(w));
        if (std::isnan(ratio)) ratio = INFINITY;
        if (ratio <= result.worst) continue;
        result.worst = ratio;
        result.worst_place = fmt::format("{}[{}]: got {}, want {}", name, i, g, w);
      }
    }
    return OkStatus();
  }

 private:
  std::filesystem::path folder_;
  Json launch_, options_, metadata_;
  TensorMap tensors_;
  std::map<std::string, const uint8_t*> buffers_;
};

}  // namespace

StatusOr<RecordedResult> RunRecordedCase(const std::filesystem::path& folder, const std::string& target,
                                         const LaunchOptions& options) {
  ASSIGN_OR_RETURN(GpuTarget gpu, FindTarget(target));
  ASSIGN_OR_RETURN(std::string image, ReadFile(folder / ("triton-" + target) / "kernel.hsaco"));
  Case recorded(folder);
  RETURN_IF_ERROR(recorded.Read(target));
  AddressSpace memory;
  std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(image.data()), image.size());
  ASSIGN_OR_RETURN(std::shared_ptr<CodeObject> object, CodeObject::Load(bytes, gpu, memory));
  ASSIGN_OR_RETURN(const Kernel* kernel, object->GetKernel(recorded.KernelName()));
  ASSIGN_OR_RETURN(std::vector<std::byte> arguments, recorded.Arguments(memory));
  RecordedResult result;
  ASSIGN_OR_RETURN(result.stats, Launch(*kernel, recorded.Config(), arguments, memory, options));
  RETURN_IF_ERROR(recorded.Compare(result));
  return result;
}

}  // namespace rocxla::emu
