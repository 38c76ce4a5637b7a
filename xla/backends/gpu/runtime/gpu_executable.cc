#include "xla/backends/gpu/runtime/gpu_executable.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/numerics/packing.h"

namespace xla::gpu {
namespace {

// Elements of 1, 2 and 4 bits lie packed in memory.
bool IsPacked(PrimitiveType type) { return BitWidth(type) < 8 && 8 % BitWidth(type) == 0; }

std::vector<uint8_t> InMemory(const Literal& literal, const Layout& layout) {
  std::vector<uint8_t> bytes = literal.BytesInLayout(layout);
  const PrimitiveType type = literal.shape().element_type();
  if (!IsPacked(type)) return bytes;
  return rocxla::PackElements(bytes, BitWidth(type), rocxla::PackOrder::kHighFirst);
}

Literal FromMemory(const Shape& shape, std::vector<uint8_t> bytes) {
  const PrimitiveType type = shape.element_type();
  if (IsPacked(type)) {
    bytes = rocxla::UnpackElements(bytes, static_cast<uint64_t>(ShapeUtil::ElementsIn(shape)), BitWidth(type),
                                   rocxla::PackOrder::kHighFirst,
                                   IsSigned(type) ? rocxla::Extension::kSign : rocxla::Extension::kZero);
  }
  return Literal::FromBytesInLayout(shape, bytes);
}

}  // namespace

StatusOr<const GpuExecutable::Loaded*> GpuExecutable::LoadOn(se::StreamExecutor& executor) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<Loaded>& slot = loaded_[&executor];
  if (slot) return static_cast<const Loaded*>(slot.get());
  auto loaded = std::make_unique<Loaded>(&executor);
  if (!parts_.code_object.empty()) {
    ASSIGN_OR_RETURN(loaded->module, executor.LoadModule(parts_.code_object));
    for (const auto& info : parts_.kernels) {
      ASSIGN_OR_RETURN(loaded->kernels[info.name], loaded->module->GetKernel(info.name));
    }
  }
  for (const HloInstruction* constant : parts_.buffers.constants()) {
    std::vector<uint8_t> bytes = InMemory(constant->literal(), constant->shape().layout());
    ASSIGN_OR_RETURN(se::ScopedDeviceAddress memory,
                     loaded->allocator.Allocate(executor.device_ordinal(), bytes.size()));
    if (!bytes.empty()) RETURN_IF_ERROR(executor.SynchronousMemcpy(*memory, bytes.data(), bytes.size()));
    loaded->constants.push_back(std::move(memory));
  }
  slot = std::move(loaded);
  return static_cast<const Loaded*>(slot.get());
}

Status GpuExecutable::CheckArguments(std::span<const se::DeviceAddressBase> arguments) const {
  const std::vector<Shape>& shapes = parts_.buffers.parameter_shapes();
  if (arguments.size() != shapes.size()) {
    return Error(ErrorId::kWrongInputs, {.what = "The module needs another number of arrays.",
                                         .where = parts_.module->name(),
                                         .found = fmt::format("{} arrays", arguments.size()),
                                         .expected = fmt::format("{} arrays", shapes.size())});
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    uint64_t bytes = ShapeUtil::ByteSizeOf(shapes[i]);
    if (arguments[i].size() == bytes) continue;
    return Error(ErrorId::kWrongInputs,
                 {.what = fmt::format("Array {} has the wrong size.", i),
                  .where = parts_.module->name(),
                  .found = fmt::format("{} bytes", arguments[i].size()),
                  .expected = fmt::format("{} ({} bytes)", shapes[i].ToStringWithLayout(), bytes)});
  }
  return OkStatus();
}

StatusOr<std::vector<se::ScopedDeviceAddress>> GpuExecutable::ExecuteOnStream(
    se::Stream& stream, std::span<const se::DeviceAddressBase> arguments, se::DeviceAddressAllocator& allocator) {
  RETURN_IF_ERROR(CheckArguments(arguments));
  se::StreamExecutor& executor = stream.parent();
  ASSIGN_OR_RETURN(const Loaded* loaded, LoadOn(executor));
  int device = executor.device_ordinal();
  BufferAllocations buffers;
  buffers.parameters.assign(arguments.begin(), arguments.end());
  for (const auto& constant : loaded->constants) buffers.constants.push_back(*constant);
  std::vector<se::ScopedDeviceAddress> outputs;
  for (const Shape& shape : parts_.buffers.output_shapes()) {
    ASSIGN_OR_RETURN(se::ScopedDeviceAddress memory, allocator.Allocate(device, ShapeUtil::ByteSizeOf(shape)));
    buffers.outputs.push_back(*memory);
    outputs.push_back(std::move(memory));
  }
  ASSIGN_OR_RETURN(se::ScopedDeviceAddress temp, allocator.Allocate(device, parts_.buffers.temp_bytes()));
  buffers.temp = *temp;
  Status status = parts_.thunks->Execute({.stream = &stream,
                                          .buffers = &buffers,
                                          .kernels = &loaded->kernels,
                                          .max_loop_iterations = parts_.max_loop_iterations});
  Status done = stream.BlockHostUntilDone();  // also after an error: the memory must not go while it is used
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(done);
  return outputs;
}

StatusOr<std::vector<Literal>> RunWithLiterals(GpuExecutable& executable, se::StreamExecutor& executor,
                                               std::span<const Literal> arguments) {
  const HloComputation& entry = *executable.module().entry_computation();
  if (static_cast<int64_t>(arguments.size()) != entry.num_parameters()) {
    return Error(ErrorId::kWrongInputs, {.what = "The module needs another number of inputs.",
                                         .where = executable.module().name(),
                                         .found = fmt::format("{} inputs", arguments.size()),
                                         .expected = fmt::format("{} parameters", entry.num_parameters())});
  }
  se::StreamExecutorAddressAllocator allocator(&executor);
  std::vector<se::ScopedDeviceAddress> memory;
  std::vector<se::DeviceAddressBase> addresses;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape& shape = entry.parameter_instruction(i)->shape();
    if (!ShapeUtil::Compatible(shape, arguments[i].shape())) {
      return Error(ErrorId::kWrongInputs, {.what = fmt::format("Input {} has the wrong shape.", i),
                                           .where = executable.module().name(),
                                           .found = arguments[i].shape().ToString(),
                                           .expected = shape.ToString()});
    }
    std::vector<const Literal*> leaves;
    if (shape.IsTuple()) {
      for (const Literal& element : arguments[i].tuple_elements()) leaves.push_back(&element);
    } else {
      leaves.push_back(&arguments[i]);
    }
    std::vector<Shape> leaf_shapes = LeavesOf(shape);
    for (size_t k = 0; k < leaves.size(); ++k) {
      std::vector<uint8_t> bytes = InMemory(*leaves[k], leaf_shapes[k].layout());
      ASSIGN_OR_RETURN(se::ScopedDeviceAddress address, allocator.Allocate(executor.device_ordinal(), bytes.size()));
      if (!bytes.empty()) RETURN_IF_ERROR(executor.SynchronousMemcpy(*address, bytes.data(), bytes.size()));
      addresses.push_back(*address);
      memory.push_back(std::move(address));
    }
  }
  ASSIGN_OR_RETURN(std::unique_ptr<se::Stream> stream, executor.CreateStream());
  ASSIGN_OR_RETURN(std::vector<se::ScopedDeviceAddress> outputs,
                   executable.ExecuteOnStream(*stream, addresses, allocator));
  std::vector<Literal> results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Shape& shape = executable.buffer_assignment().output_shapes()[i];
    std::vector<uint8_t> bytes(ShapeUtil::ByteSizeOf(shape));
    if (!bytes.empty()) RETURN_IF_ERROR(executor.SynchronousMemcpy(bytes.data(), *outputs[i], bytes.size()));
    results.push_back(FromMemory(shape, std::move(bytes)));
  }
  return results;
}

}  // namespace xla::gpu
