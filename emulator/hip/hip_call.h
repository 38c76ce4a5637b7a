// What every embedded HIP function needs: its declaration, the calling thread's state, and how it fails.
#pragma once
#include <string>

#include "base/hip/hip_types.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

class EmbeddedDevice;

// The functions, one per row of the table; a row without a definition fails to link.
namespace embedded {
#define HIP_FN(result, name, params, need) result name params;
#include "base/hip/hip_api.def"
#undef HIP_FN
}  // namespace embedded

// Of the calling thread.
int CurrentDevice();
void SetCurrentDevice(int ordinal);
hipError_t LastError();
hipError_t TakeLastError();
const std::string& LastErrorDetail();

// Remembers an error for hipGetLastError and rocxlaGetLastErrorDetail, and returns its code. `detail`: what was wrong,
// for the user.
hipError_t Fail(hipError_t code, std::string detail);
// The same for the outcome of work; hipSuccess when that is fine.
hipError_t Report(const WorkResult& result);

// The failures that many functions share.
hipError_t NullPointer(const char* what);  // "null pointer for the ..."
hipError_t NotLive(const char* kind);      // "not a live stream: ..."
hipError_t NoDevice(int ordinal);
// hipSuccess for a device, or what is wrong with a location that should be one.
hipError_t CheckDeviceLocation(const hipMemLocation& location);
// The thread's current device; null when there is none: then NoDevice(CurrentDevice()) says so.
EmbeddedDevice* CurrentEmbeddedDevice();

// Fails on a stream's own thread: a host function may not wait for what comes after it.
hipError_t CheckNotInHostFunction(const char* function);
// The same, and fails during a capture that a call which waits for everything would disturb.
hipError_t CheckMayWait(const char* function);

}  // namespace rocxla::emu
