// Platform: the devices that one runtime (the real ROCm, or the embedded device) offers.
#pragma once
#include <memory>
#include <string>

#include "xla/stream_executor/device_description.h"
#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {

class Platform {
 public:
  // The address of an id object is the identity; one per platform.
  using Id = const void*;

  virtual ~Platform() = default;
  virtual Id id() const = 0;
  virtual const std::string& Name() const = 0;

  // The number of usable devices; -1 when the runtime could not be initialised, 0 when it could not count them.
  // InitStatus() has the reason.
  virtual int VisibleDeviceCount() const = 0;
  // OK, or why the runtime could not be initialised or its devices counted. The first answer is remembered.
  virtual Status InitStatus() const = 0;
  // Opens nothing. DeviceNotFound for an ordinal outside 0 .. VisibleDeviceCount() - 1.
  virtual StatusOr<std::unique_ptr<DeviceDescription>> DescriptionForDevice(int ordinal) const = 0;
  // Opens the device at the first call, gives the same pointer afterwards. The platform owns it.
  virtual StatusOr<StreamExecutor*> ExecutorForDevice(int ordinal) = 0;
  // The executor that ExecutorForDevice has already made, else ExecutorNotFound.
  virtual StatusOr<StreamExecutor*> FindExisting(int ordinal) = 0;
};

}  // namespace stream_executor
