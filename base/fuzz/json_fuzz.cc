// JSON: what is accepted reads the same again after writing.
#include "base/fuzz/fuzz_entry.h"
#include "base/json.h"
#include "base/logging.h"

namespace rocxla {

std::vector<std::string> FuzzSeeds() {
  return {R"({"rtol": 1e-3, "list": [1, -2, 3.5e10, null, true, false], "s": "a\u00e4\n\"b", "o": {"x": {}}})",
          "[[[[]]], {}, \"\xc3\xa4\"]", " 18446744073709551615 ",
          R"({"a":{"a":{"a":[{"a":1},{"b":-9223372036854775808}]}}})"};
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  StatusOr<Json> json = ParseJson({reinterpret_cast<const char*>(data), size}, kFuzzOrigin);
  CountReading(json.status());
  if (!json.ok()) return 0;
  StatusOr<Json> again = ParseJson(JsonText(*json), kFuzzOrigin);
  CHECK(again.ok()) << again.status().ToString();
  CHECK(*again == *json) << JsonText(*json);
  return 0;
}
