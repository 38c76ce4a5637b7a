// HLO protos: any bytes, in both forms, end in a module or an error that says where; what is accepted is written again
// and reads the same.
#include "base/error_ids.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/proto/hlo_proto.h"

namespace rocxla {
namespace {

void Check(const StatusOr<std::unique_ptr<xla::HloModule>>& module) {
  CountReading(module.status());
  if (!module.ok()) return;
  const StatusOr<std::string> bytes = xla::SerializeHloProto(**module);
  // What the text form cannot say does not get in, so all of it gets out again; but constants may be absent.
  if (!bytes.ok()) {
    CHECK(bytes.status().id() == ErrorId::kHloNotInProto || bytes.status().id() == ErrorId::kHloSyntax)
        << bytes.status().ToString();
    return;
  }
  const auto again = xla::ParseHloProto(*bytes, "again");
  CHECK(again.ok()) << again.status().ToString();
  CHECK((*again)->ToString() == (*module)->ToString());
}

}  // namespace

std::vector<std::string> FuzzSeeds() {
  std::vector<std::string> seeds;
  for (const char* text :
       {"HloModule m, is_scheduled=true, num_partitions=2\nENTRY e { p = f32[2]{0} parameter(0), "
        "sharding={mesh['d'=2], "
        "[{'d'}]}\n c = f32[2]{0} constant({1, nan})\n ROOT a = f32[2]{0} add(p, c), metadata={op_name=\"x\"} }",
        "HloModule w\nc { p = s32[] parameter(0)\n k = s32[] constant(3)\n ROOT l = pred[] compare(p, k), direction=LT "
        "}\n"
        "b { p = s32[] parameter(0)\n ROOT a = s32[] add(p, p) }\n"
        "ENTRY e { p = s32[] parameter(0)\n ROOT w = s32[] while(p), condition=c, body=b }"}) {
    const auto module = xla::ParseAndReturnVerifiedModule(text);
    CHECK(module.ok()) << module.status().ToString();
    seeds.push_back(*xla::SerializeHloProto(**module));
    seeds.push_back(*xla::PrintHloProto(**module));
  }
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  rocxla::Check(xla::ParseHloProto(bytes, rocxla::kFuzzOrigin));
  rocxla::Check(xla::ParseHloProtoText(bytes, rocxla::kFuzzOrigin));
  return 0;
}
