// HLO text: any bytes end in a module or an error that says where; what is accepted is printed and reads the same.
#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace rocxla {
namespace {

// What the recorded modules, which JAX wrote, do not have.
constexpr std::string_view kOthers[] = {
    R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, num_partitions=2
FileNames
1 "a.py"
ENTRY %e (p: (f32[2], s4[3])) -> f32[2] {
  %p = (f32[2]{0}, s4[3]{0:E(4)}) parameter(0), sharding={{replicated}, {devices=[2]0,1}}
  %c = f32[2]{0} constant({nan(0x1), -inf}), /*a comment*/ control-predecessors={%p}
  %g = f32[2]{0} get-tuple-element((f32[2]{0}, s4[3]{0:E(4)}) %p), index=0
  ROOT %a = f32[2]{0} add(%g, %c), metadata={op_name="x\n\"y\"" source_line=3 stack_frame_id=1}, backend_config={"k":[1]}
})",
    R"(f { x = c64[2,2] constant({ { (1, -2), 3 }, { (0, inf), 4 } })  y = s32[9] constant({...})  z = token[] after-all()
  t = (c64[2,2], s32[9], token[]) tuple(x, y, z) })",
    R"(sum { x = bf16[] parameter(0)  y = bf16[] parameter(1)  ROOT z = bf16[] add(x, y) }
ENTRY e { p = bf16[4,6]{0,1:T(8,128)S(1)} parameter(0)  z = bf16[] constant(-0)
  s = bf16[4,6] all-reduce-start(p), replica_groups=[2,2]<=[4], channel_id=1, use_global_device_ids=true, to_apply=sum
  d = bf16[4,6] all-reduce-done(s)
  ROOT r = bf16[2,3] reduce-window(d, z), window={size=2x2 stride=2x2 pad=0_0x0_0 rhs_reversal=0x1}, to_apply=sum // end
})"};

}  // namespace

std::vector<std::string> FuzzSeeds() {
  constexpr uint64_t kLongest = 700;  // the driver cuts each seed at every place
  std::vector<std::string> seeds(std::begin(kOthers), std::end(kOthers));
  for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax")) {
    const std::filesystem::path path = folder.path() / "module.hlo";
    std::error_code error;
    if (std::filesystem::file_size(path, error) > kLongest || error) continue;
    const StatusOr<std::string> text = ReadFile(path);
    CHECK(text.ok()) << text.status().ToString();
    seeds.push_back(*text);
  }
  std::sort(seeds.begin(), seeds.end());
  CHECK(seeds.size() > 20) << "the recorded modules are missing";
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rocxla;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto module = xla::ParseAndReturnVerifiedModule(text, kFuzzOrigin);
  CountReading(module.status());
  if (!module.ok()) return 0;
  const std::string printed = (*module)->ToString();
  const auto again = xla::ParseAndReturnVerifiedModule(printed, "printed");
  CHECK(again.ok()) << again.status().ToString() << "\n" << printed;
  CHECK(xla::Equal(**module, **again, xla::CompareNames::kYes)) << printed;
  return 0;
}
