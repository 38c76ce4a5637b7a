// Test data: a library with HIP's functions, none of which does anything but count its calls and fail on demand. Built
// as it is, and without hipMalloc.
//
// FAKE_HIP_FAIL in the environment lists what fails, with which error: "hipInit=100,hipMalloc=2"; the function
// fakeHipFail changes the list later. FAKE_HIP_VERSION is the version that it pretends to be (default 70000000), and
// FAKE_HIP_DEVICES the number of its GPUs (default 1).
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "base/hip/hip_types.h"

namespace rocxla {
namespace {

struct State {
  std::mutex mutex;
  std::map<std::string, int, std::less<>> calls;  // guarded by mutex, as below
  std::map<std::string, int, std::less<>> errors;

  State() {
    if (const char* list = std::getenv("FAKE_HIP_FAIL")) Set(list);
  }
  void Set(std::string_view list) {
    errors.clear();
    while (!list.empty()) {
      const std::string_view item = list.substr(0, list.find(','));
      const size_t equals = item.find('=');
      if (equals != std::string_view::npos)
        errors[std::string(item.substr(0, equals))] = std::atoi(item.data() + equals + 1);
      list.remove_prefix(item.size() == list.size() ? item.size() : item.size() + 1);
    }
  }
};
State& GetState() {
  static auto* state = new State;
  return *state;
}

int Variable(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

// Counts the call; what it is told to return.
int Called(std::string_view name) {
  State& state = GetState();
  std::lock_guard lock(state.mutex);
  ++state.calls[std::string(name)];
  const auto it = state.errors.find(name);
  return it == state.errors.end() ? 0 : it->second;
}

template <class Result>
Result Give(int error) {
  if constexpr (std::is_pointer_v<Result>) {
    return nullptr;
  } else {
    return static_cast<Result>(error);
  }
}

}  // namespace

extern "C" void fakeHipFail(const char* list) {
  State& state = GetState();
  std::lock_guard lock(state.mutex);
  state.Set(list);
}
extern "C" int fakeHipCalls(const char* name) {
  State& state = GetState();
  std::lock_guard lock(state.mutex);
  return state.calls[name];
}

extern "C" hipError_t hipGetDeviceCount(int* count) {
  const int error = Called("hipGetDeviceCount");
  if (error == 0) *count = Variable("FAKE_HIP_DEVICES", 1);
  return Give<hipError_t>(error);
}
extern "C" hipError_t hipRuntimeGetVersion(int* version) {
  const int error = Called("hipRuntimeGetVersion");
  if (error == 0) *version = Variable("FAKE_HIP_VERSION", 70000000);
  return Give<hipError_t>(error);
}
// A stream's callback is called at once.
extern "C" hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* user_data,
                                           unsigned) {
  const int error = Called("hipStreamAddCallback");
  if (error == 0) callback(stream, hipSuccess, user_data);
  return Give<hipError_t>(error);
}

// All the others, by the table; the three above are skipped by giving theirs another name.
#define hipGetDeviceCount fakeUnusedGetDeviceCount
#define hipRuntimeGetVersion fakeUnusedRuntimeGetVersion
#define hipStreamAddCallback fakeUnusedStreamAddCallback
#define HIP_FN(result, name, params, need) \
  extern "C" result name params { return Give<result>(Called(#name)); }
#include "base/hip/hip_api.def"
#undef HIP_FN

}  // namespace rocxla
