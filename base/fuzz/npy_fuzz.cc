// npy: what is accepted, under any name for plain bytes, reads the same again after writing.
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "base/npy.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  const std::vector<uint8_t> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  return {*SerializeNpy({"F32", {3, 1}, bytes}),
          *SerializeNpy({"I16", {2, 3}, bytes}, {2, ByteOrder::kBig, MemoryOrder::kC}),
          *SerializeNpy({"U8", {2, 2, 3}, bytes}, {3, ByteOrder::kLittle, MemoryOrder::kFortran}),
          *SerializeNpy({"BF16", {6}, bytes}), *SerializeNpy({"F4", {3}, {0x21, 0x03}})};
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  for (const char* plain_bytes_as : {"", "BF16", "F4"}) {
    StatusOr<Tensor> tensor = ParseNpy({data, size}, kFuzzOrigin, plain_bytes_as);
    CountReading(tensor.status());
    if (!tensor.ok()) continue;
    CHECK(tensor->bytes.size() <= size);
    StatusOr<std::string> file = SerializeNpy(*tensor, {1, ByteOrder::kBig, MemoryOrder::kFortran});
    CHECK(file.ok()) << file.status().ToString();
    StatusOr<Tensor> again =
        ParseNpy({reinterpret_cast<const uint8_t*>(file->data()), file->size()}, kFuzzOrigin, plain_bytes_as);
    CHECK(again.ok() && *again == *tensor);
  }
  return 0;
}
