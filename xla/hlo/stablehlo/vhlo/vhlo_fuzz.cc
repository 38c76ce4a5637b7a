// Portable artifacts: any bytes end in a module or an error that says where; what is accepted can be written again, and
// reads the same.
#include "base/error_ids.h"
#include "base/fuzz/fuzz_entry.h"
#include "base/logging.h"
#include "mlir/Parser/Parser.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/stablehlo_to_hlo.h"
#include "xla/hlo/stablehlo/vhlo/exporter.h"
#include "xla/hlo/stablehlo/vhlo/importer.h"

namespace rocxla {
namespace {

constexpr const char* kPrograms[] = {
    R"(module @m attributes {mhlo.num_partitions = 2 : i32} {
      func.func public @main(%a: tensor<4x4xf32> {mhlo.sharding = "{replicated}"}, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
        %1 = func.call @f(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
        %c = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
        %p = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<4xi1>) -> tensor<4x4xi1>
        %2 = stablehlo.select %p, %0, %1 : tensor<4x4xi1>, tensor<4x4xf32>
        return %2 : tensor<4x4xf32>
      }
      func.func private @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
        %0 = stablehlo.exponential %a : tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
      }
    })",
    R"(module @w {
      func.func @main(%n: tensor<i32>) -> tensor<i32> {
        %c = stablehlo.constant dense<3> : tensor<i32>
        %0 = stablehlo.while(%i = %n) : tensor<i32>
        cond {
          %1 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %1 = stablehlo.add %i, %c : tensor<i32>
          stablehlo.return %1 : tensor<i32>
        }
        return %0 : tensor<i32>
      }
    })"};

}  // namespace

std::vector<std::string> FuzzSeeds() {
  std::vector<std::string> seeds;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  xla::stablehlo::LoadDialects(context);
  for (const char* program : kPrograms) {
    const auto module = mlir::parseSourceString<mlir::ModuleOp>(program, mlir::ParserConfig(&context));
    CHECK(module) << program;
    for (const xla::vhlo::Version version : {9, 1005, xla::vhlo::kNewestVersion}) {
      const auto bytes = xla::vhlo::WritePortableArtifact(*module, version);
      CHECK(bytes.ok()) << bytes.status().ToString();
      seeds.push_back(*bytes);
    }
  }
  return seeds;
}

}  // namespace rocxla

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  xla::stablehlo::LoadDialects(context);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto module = xla::vhlo::ReadPortableArtifact(bytes, rocxla::kFuzzOrigin, context);
  rocxla::CountReading(module.status());
  if (!module.ok()) return 0;
  if (const auto hlo = xla::ConvertStablehloToHlo(**module); hlo.ok()) (void)(*hlo)->ToString();
  const auto written = xla::vhlo::WritePortableArtifact(**module);
  if (!written.ok()) {
    CHECK(written.status().id() == rocxla::ErrorId::kVhloUnsupported) << written.status().ToString();
    return 0;
  }
  const auto again = xla::vhlo::ReadPortableArtifact(*written, "again", context);
  CHECK(again.ok()) << again.status().ToString();
  return 0;
}
