// Safetensors: what is accepted reads the same again after writing, and takes no more memory than the file.
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "base/safetensors.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  const TensorMap mixed = {{"in.0", {"F32", {2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}}},
                           {"in.1", {"F4", {3}, {0x21, 0x03}}},
                           {"none", {"F16", {0, 3}, {}}},
                           {"scalar", {"BOOL", {}, {1}}}};
  return {*SerializeSafetensors(mixed), *SerializeSafetensors({}),
          *SerializeSafetensors({{"x", {"C128", {1, 1, 1}, std::vector<uint8_t>(16, 7)}}})};
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  StatusOr<TensorMap> tensors = ParseSafetensors({data, size}, kFuzzOrigin);
  CountReading(tensors.status());
  if (!tensors.ok()) return 0;
  size_t bytes = 0;
  for (const auto& [name, tensor] : *tensors) bytes += tensor.bytes.size();
  CHECK(bytes <= size);
  StatusOr<std::string> file = SerializeSafetensors(*tensors);
  CHECK(file.ok()) << file.status().ToString();
  StatusOr<TensorMap> again =
      ParseSafetensors({reinterpret_cast<const uint8_t*>(file->data()), file->size()}, kFuzzOrigin);
  CHECK(again.ok() && *again == *tensors);
  return 0;
}
