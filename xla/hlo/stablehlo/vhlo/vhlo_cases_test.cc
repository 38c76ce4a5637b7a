// Every recorded JAX program from its portable artifact, against its recorded results; the same program from artifacts
// that StableHLO wrote for older versions; and all of them written again.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "xla/hlo/evaluator/recorded_case_test_util.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"
#include "xla/hlo/stablehlo/vhlo/exporter.h"
#include "xla/hlo/stablehlo/vhlo/importer.h"
#include "xla/hlo/stablehlo/vhlo/vhlo_import.h"

namespace xla {
namespace {

std::vector<std::filesystem::path> Artifacts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax"))
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
      if (file.path().extension() == ".mlirbc") paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::filesystem::path> CurrentArtifacts() {
  std::vector<std::filesystem::path> paths = Artifacts();
  std::erase_if(paths, [](const auto& path) { return path.filename() != "module.mlirbc"; });
  return paths;
}

std::string Read(const std::filesystem::path& path) {
  const auto bytes = rocxla::ReadFile(path);
  EXPECT_TRUE(bytes.ok()) << bytes.status().ToString();
  return bytes.ok() ? *bytes : "";
}

// With locations.
std::string Printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

TEST(PortableArtifacts, AllAreHere) {
  EXPECT_GE(CurrentArtifacts().size(), 169u);
  EXPECT_GE(Artifacts().size(), CurrentArtifacts().size() + 100);
}

class PortableArtifact : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PortableArtifact, GivesTheRecordedResults) {
  const auto module = ConvertPortableArtifactToHlo(Read(GetParam()), "module.mlirbc");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  recorded::ExpectRecordedResults(**module, GetParam().parent_path());
}

INSTANTIATE_TEST_SUITE_P(Recorded, PortableArtifact, testing::ValuesIn(CurrentArtifacts()),
                         [](const auto& info) { return info.param.parent_path().filename().string(); });

TEST(PortableArtifacts, OlderVersionsMeanTheSame) {
  for (const std::filesystem::path& path : Artifacts()) {
    if (path.filename() == "module.mlirbc") continue;
    SCOPED_TRACE(path.string());
    const auto module = ConvertPortableArtifactToHlo(Read(path), path.filename().string());
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const auto text = ConvertStablehloTextToHlo(Read(path.parent_path() / "module.mlir"), "module.mlir");
    ASSERT_TRUE(text.ok()) << text.status().ToString();
    EXPECT_EQ((*module)->ToString(), (*text)->ToString());
  }
}

// Read, written, read: the same operations, and the same bytes when written once more.
TEST(PortableArtifacts, AreWrittenAsTheyWereRead) {
  for (const std::filesystem::path& path : Artifacts()) {
    SCOPED_TRACE(path.string());
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    stablehlo::LoadDialects(context);
    const auto module = vhlo::ReadPortableArtifact(Read(path), "module.mlirbc", context);
    ASSERT_TRUE(module.ok()) << module.status().ToString();
    const auto bytes = vhlo::WritePortableArtifact(**module);
    ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
    const auto again = vhlo::ReadPortableArtifact(*bytes, "again", context);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    EXPECT_EQ(Printed(**again), Printed(**module));
    EXPECT_EQ(*vhlo::WritePortableArtifact(**again), *bytes);
  }
}

}  // namespace
}  // namespace xla
