#include "emulator/hip/graph_parameters.h"

#include "emulator/hip/kernel_arguments.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {
WorkResult NoParameters() { return {hipErrorInvalidValue, "null pointer for the node's parameters"}; }
}  // namespace

WorkResult MakeKernel(const hipKernelNodeParams* params, Operation& operation) {
  if (params == nullptr) return NoParameters();
  std::shared_ptr<Function> function = Runtime::Get().functions.Find(static_cast<hipFunction_t>(params->func));
  if (function == nullptr) return {hipErrorInvalidDeviceFunction, "not a function of a live module"};
  PackedArguments arguments = PackArguments(*function->kernel, params->kernelParams, params->extra);
  if (!arguments.error.empty()) return {hipErrorInvalidValue, std::move(arguments.error)};
  const auto [gx, gy, gz] = params->gridDim;
  const auto [bx, by, bz] = params->blockDim;
  const LaunchConfig config{{gx, gy, gz}, {bx, by, bz}, params->sharedMemBytes};
  operation = KernelOperation{std::move(function), config, std::move(arguments.bytes)};
  return {};
}

WorkResult MakeCopy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, Operation& operation) {
  if (bytes == 0) return {hipErrorInvalidValue, "a copy node of no bytes"};
  CopyOperation copy{.dst = dst, .src = src, .width = bytes};
  WorkResult result = CheckCopy(Runtime::Get(), copy, kind);
  operation = copy;
  return result;
}

WorkResult MakeFill(const hipMemsetParams* params, Operation& operation) {
  if (params == nullptr) return NoParameters();
  if (params->width == 0 || params->height == 0) return {hipErrorInvalidValue, "a fill node of no bytes"};
  const FillOperation fill{.dst = params->dst,
                           .value = params->value,
                           .element_bytes = params->elementSize,
                           .width = params->width,
                           .height = params->height,
                           .pitch = params->pitch};
  operation = fill;
  return CheckFill(Runtime::Get(), fill);
}

WorkResult MakeHost(const hipHostNodeParams* params, Operation& operation) {
  if (params == nullptr || params->fn == nullptr) return NoParameters();
  operation = HostOperation{params->fn, params->userData};
  return {};
}

}  // namespace rocxla::emu
