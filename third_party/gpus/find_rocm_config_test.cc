#include "third_party/gpus/find_rocm_config.h"
#include "base/error_ids.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/file.h"

namespace rocxla {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

struct Outcome {
  int exit_code;
  std::string output;
  std::string errors;
};

// Every test makes a tree of its own and runs the program on it.
class FindRocmConfig : public testing::Test {
 protected:
  FindRocmConfig() {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms(0755));
  }
  ~FindRocmConfig() override { fs::remove_all(folder_); }

  void Write(const std::string& path, std::string_view text) {
    fs::create_directories((folder_ / path).parent_path());
    std::ofstream(folder_ / path) << text;
  }
  // A header with `macros` = {"A 1", "B 2"}.
  void Header(const std::string& path, std::initializer_list<std::string_view> macros) {
    std::string text = "#ifndef GUARD\n#define GUARD\n";
    for (std::string_view macro : macros) text += fmt::format("#define {}\n", macro);
    Write(path, text + "#endif\n");
  }
  // What XLA's script reads, as ROCm 7.1.1 has it; every number by hand from the formulas of its description.
  void Complete(const std::string& root, std::string_view minor = "1") {
    const std::string include = root + "/include/";
    Header(include + "rocm-core/rocm_version.h",
           {"ROCM_VERSION_MAJOR   7", fmt::format("ROCM_VERSION_MINOR   {}", minor), "ROCM_VERSION_PATCH   1"});
    Header(include + "hip/hip_version.h", {"HIP_VERSION_MAJOR 7", "HIP_VERSION_MINOR 1", "HIP_VERSION_PATCH 52802"});
    Header(include + "miopen/version.h",
           {"MIOPEN_VERSION_MAJOR 3", "MIOPEN_VERSION_MINOR 5", "MIOPEN_VERSION_PATCH 2"});
    Header(include + "rocblas/internal/rocblas-version.h",
           {"ROCBLAS_VERSION_MAJOR       5", "ROCBLAS_VERSION_MINOR       1", "ROCBLAS_VERSION_PATCH       0"});
    Header(include + "rocrand/rocrand_version.h", {"ROCRAND_VERSION 400100"});
    Header(include + "rocfft/rocfft-version.h",
           {"rocfft_version_major 1", "rocfft_version_minor 0", "rocfft_version_patch 35"});
    Header(include + "hipfft/hipfft-version.h",
           {"hipfftVersionMajor 1", "hipfftVersionMinor 0", "hipfftVersionPatch 21"});
    Header(include + "roctracer/roctracer.h", {"ROCTRACER_VERSION_MAJOR 4", "ROCTRACER_VERSION_MINOR 1"});
    Header(include + "hipsparse/hipsparse-version.h",
           {"hipsparseVersionMajor 4", "hipsparseVersionMinor 1", "hipsparseVersionPatch 0"});
    Header(include + "hipsolver/internal/hipsolver-version.h",
           {"hipsolverVersionMajor 3", "hipsolverVersionMinor 1", "hipsolverVersionPatch 0"});
    Header(include + "rocsolver/rocsolver-version.h",
           {"ROCSOLVER_VERSION_MAJOR 3", "ROCSOLVER_VERSION_MINOR 31", "ROCSOLVER_VERSION_PATCH 0"});
  }
  void Extras(const std::string& root) {
    const std::string include = root + "/include/";
    Header(include + "hipblaslt/hipblaslt-version.h",
           {"HIPBLASLT_VERSION_MAJOR 1", "HIPBLASLT_VERSION_MINOR 1", "HIPBLASLT_VERSION_PATCH 0",
            "HIPBLASLT_VERSION_TWEAK dabb6df2b9"});
    Header(include + "rccl/rccl.h", {"NCCL_MAJOR 2", "NCCL_MINOR 27", "NCCL_PATCH 7"});
    Header(include + "rocprim/rocprim_version.hpp",
           {"ROCPRIM_VERSION_MAJOR 4", "ROCPRIM_VERSION_MINOR 1", "ROCPRIM_VERSION_PATCH 0"});
    Header(include + "hipcub/hipcub_version.hpp",
           {"HIPCUB_VERSION 400100", "HIPCUB_VERSION_MAJOR 4", "HIPCUB_VERSION_MINOR 1", "HIPCUB_VERSION_PATCH 0"});
    Header(include + "amd_smi/amdsmi.h",
           {"AMDSMI_LIB_VERSION_MAJOR 26", "AMDSMI_LIB_VERSION_MINOR 1", "AMDSMI_LIB_VERSION_RELEASE 0"});
    const std::string libraries = root + "/lib/llvm/lib/clang/20/lib/amdgcn/bitcode/";
    Write(libraries + "ocml.bc", std::string("BC\0\1AMD clang version 20.0.0git (x)", 35));
    for (const char* name : {"oclc_abi_version_600.bc", "oclc_abi_version_500.bc", "oclc_isa_version_942.bc",
                             "oclc_isa_version_90a.bc", "oclc_unsafe_math_on.bc"})
      Write(libraries + name, "BC");
    Write(root + "/lib/llvm/lib/clang/9/lib/amdgcn/bitcode/ocml.bc", "BC");
  }
  std::string Root(const std::string& name = "rocm") const { return (folder_ / name).string(); }

  // Runs the program; the tree's own path is shown as DIR.
  Outcome Run(const std::string& arguments, const std::string& environment = "") {
    const std::string out = folder_.string() + ".out", err = folder_.string() + ".err";
    const std::string command =
        fmt::format("{} '{}' {} >'{}' 2>'{}'", environment, FIND_ROCM_CONFIG, arguments, out, err);
    const int status = std::system(command.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, Stable(out), Stable(err)};
    fs::remove(out);
    fs::remove(err);
    return outcome;
  }
  Outcome RunOn(const std::string& root, const std::string& arguments = "") {
    return Run(fmt::format("--rocm-path '{}' {}", root, arguments));
  }
  // Fails with the problems of E6102, nothing on standard output.
  void ExpectProblems(const std::string& lines) {
    Outcome outcome = RunOn(Root());
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.errors,
              "error: E6102 RocmIncomplete: the ROCm installation lacks what XLA's build asks for\n"
              "  where:    DIR/rocm\n"
              "  found:    " +
                  lines +
                  "\n"
                  "  next:     install ROCm's development packages; find_rocm_config --json shows what there is\n");
  }

  fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("find_rocm_config_{}", getpid());

 private:
  std::string Stable(const std::string& path) const {
    std::string text = ReadFile(path).value();
    for (size_t at; (at = text.find(folder_.string())) != text.npos;) text.replace(at, folder_.string().size(), "DIR");
    return text;
  }
};

constexpr const char* kCompleteLines =
    "hipfft_version_number: 10021\n"
    "hipruntime_version_number: 701\n"
    "hipsolver_version_number: 30100\n"
    "hipsparse_version_number: 40100\n"
    "miopen_version_number: 30502\n"
    "rocblas_version_number: 50100\n"
    "rocfft_version_number: 10035\n"
    "rocm_toolkit_path: DIR/rocm\n"
    "rocm_version_number: 70101\n"
    "rocrand_version_number: 400100\n"
    "rocsolver_version_number: 33100\n"
    "roctracer_version_number: 40100\n";

TEST_F(FindRocmConfig, PrintsACompleteTreeAsTheScriptDoes) {
  Complete("rocm");
  Outcome outcome = RunOn(Root());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(outcome.output, kCompleteLines);
  Extras("rocm");  // change nothing
  EXPECT_EQ(RunOn(Root()).output, kCompleteLines);
}

TEST_F(FindRocmConfig, TakesTheRootFromTheEnvironment) {
  Complete("rocm");
  EXPECT_EQ(Run("", "ROCM_PATH='" + Root() + "'").output, kCompleteLines);
  Complete("other", "2");
  EXPECT_THAT(Run("--rocm-path '" + Root("other") + "'", "ROCM_PATH='" + Root() + "'").output,
              HasSubstr("rocm_version_number: 70201\n"));
  // The path is printed as it was given.
  EXPECT_THAT(RunOn(Root() + "/").output, HasSubstr("rocm_toolkit_path: DIR/rocm/\n"));
}

TEST_F(FindRocmConfig, EachMissingHeaderIsNamed) {
  for (const RocmComponent& component : AllRocmComponents()) {
    if (component.printed != RocmComponent::kScript) continue;
    Complete("rocm");
    fs::remove(folder_ / "rocm" / component.headers[0]);
    ExpectProblems(
        fmt::format("{}: no version header; looked for {}", component.name, fmt::join(component.headers, ", ")));
  }
}

TEST_F(FindRocmConfig, EachMissingMacroIsNamed) {
  for (const RocmComponent& component : AllRocmComponents()) {
    if (component.printed != RocmComponent::kScript) continue;
    for (std::string_view macro : component.macros) {
      Complete("rocm");
      const std::string path = (folder_ / "rocm" / component.headers[0]).string();
      std::string text = ReadFile(path).value();
      text.replace(text.find(macro), macro.size(), "ANOTHER_NAME");
      ASSERT_TRUE(WriteFile(path, std::string_view(text)).ok());
      ExpectProblems(fmt::format("{}: {}: {} is not defined", component.name, component.headers[0], macro));
    }
  }
}

TEST_F(FindRocmConfig, EverythingThatIsMissingIsToldAtOnce) {
  Complete("rocm");
  fs::remove_all(folder_ / "rocm/include/miopen");
  fs::remove_all(folder_ / "rocm/include/hipfft");
  Header("rocm/include/rocblas/internal/rocblas-version.h", {"ROCBLAS_VERSION_MAJOR five"});
  ExpectProblems(
      "MIOpen: no version header; looked for include/miopen/version.h, miopen/include/miopen/version.h\n"
      "            rocBLAS: include/rocblas/internal/rocblas-version.h: ROCBLAS_VERSION_MAJOR is 'five', not a decimal "
      "number below 1000000000\n"
      "            rocBLAS: include/rocblas/internal/rocblas-version.h: ROCBLAS_VERSION_MINOR is not defined\n"
      "            rocBLAS: include/rocblas/internal/rocblas-version.h: ROCBLAS_VERSION_PATCH is not defined\n"
      "            hipFFT: no version header; looked for include/hipfft/hipfft-version.h, "
      "hipfft/include/hipfft-version.h");
}

TEST_F(FindRocmConfig, MalformedHeaderAndAbsurdValues) {
  Complete("rocm");
  Header("rocm/include/rocrand/rocrand_version.h", {"ROCRAND_VERSION 99999999999999999999"});
  ExpectProblems(
      "rocRAND: include/rocrand/rocrand_version.h: ROCRAND_VERSION is '99999999999999999999', not a decimal number "
      "below 1000000000");
  Write("rocm/include/rocrand/rocrand_version.h", std::string("\0\xff\xfe#define", 10));
  ExpectProblems("rocRAND: include/rocrand/rocrand_version.h: ROCRAND_VERSION is not defined");
  // A minor version of 150 is what the script would print too; only the JSON says that it is ambiguous.
  Complete("rocm", "150");
  EXPECT_THAT(RunOn(Root()).output, HasSubstr("rocm_version_number: 85001\n"));
  EXPECT_THAT(RunOn(Root(), "--json").output,
              HasSubstr("ROCM_VERSION_MINOR is 150: with 100 or more, the number 85001 stands for other versions too"));
}

TEST_F(FindRocmConfig, FoldersInPlaceOfFiles) {
  Complete("rocm");
  fs::remove(folder_ / "rocm/include/hip/hip_version.h");
  fs::create_directory(folder_ / "rocm/include/hip/hip_version.h");
  ExpectProblems("HIP: include/hip/hip_version.h: a folder");
  // And a file in place of a folder.
  Complete("second");
  fs::remove_all(folder_ / "second/include/miopen");
  Write("second/include/miopen", "");
  EXPECT_THAT(RunOn(Root("second")).errors, HasSubstr("  found:    MIOpen: no version header"));
}

TEST_F(FindRocmConfig, UnreadableFiles) {
  Complete("rocm");
  fs::permissions(folder_ / "rocm/include/hip/hip_version.h", fs::perms::none);
  fs::permissions(folder_ / "rocm/include/miopen", fs::perms::none);
  const uid_t user = geteuid();
  if (user == 0) {
    ASSERT_EQ(seteuid(65534), 0);  // root may read everything
  }
  StatusOr<RocmReport> report = ScanRocm(Root());
  ASSERT_EQ(seteuid(user), 0);
  fs::permissions(folder_ / "rocm/include/miopen", fs::perms(0755));
  ASSERT_TRUE(report.ok());
  EXPECT_THAT(report->components[1].problems, ElementsAre("include/hip/hip_version.h: Permission denied"));
  EXPECT_THAT(report->components[2].problems, ElementsAre("include/miopen/version.h: Permission denied"));
  EXPECT_TRUE(report->components[0].found());
}

TEST_F(FindRocmConfig, SymbolicLinks) {
  Complete("rocm-7.1.1");
  fs::create_directory_symlink("rocm-7.1.1", folder_ / "rocm");
  EXPECT_EQ(RunOn(Root()).output, kCompleteLines);
  Json json = ParseJson(RunOn(Root(), "--json").output, "output").value();
  EXPECT_EQ(json["rocm_toolkit_path"], "DIR/rocm");
  EXPECT_EQ(json["resolved_path"], "DIR/rocm-7.1.1");
  // A link to nothing is as good as no file; a loop is told.
  fs::remove(folder_ / "rocm/include/hip/hip_version.h");
  fs::create_symlink("nowhere", folder_ / "rocm/include/hip/hip_version.h");
  ExpectProblems("HIP: no version header; looked for include/hip/hip_version.h, hip/include/hip/hip_version.h");
  fs::remove(folder_ / "rocm/include/hip/hip_version.h");
  fs::create_symlink("hip_version.h", folder_ / "rocm/include/hip/hip_version.h");
  ExpectProblems("HIP: include/hip/hip_version.h: Too many levels of symbolic links");
}

TEST_F(FindRocmConfig, TwoVersionsSideBySide) {
  Complete("opt/rocm-7.1.1");
  Complete("opt/rocm-7.2.1", "2");
  EXPECT_THAT(RunOn(Root("opt/rocm-7.1.1")).output, HasSubstr("rocm_version_number: 70101\n"));
  EXPECT_THAT(RunOn(Root("opt/rocm-7.2.1")).output, HasSubstr("rocm_version_number: 70201\n"));
  // No link says which one is meant: the error shows what there is.
  StatusOr<RocmReport> report = ScanRocm(Root("opt/rocm"));
  EXPECT_EQ(report.status().id(), ErrorId::kRocmNotFound);
  EXPECT_THAT(report.status().message(), HasSubstr("next:     set ROCM_PATH to what there is: " + folder_.string() +
                                                   "/opt/rocm-7.1.1, " + folder_.string() + "/opt/rocm-7.2.1"));
}

TEST_F(FindRocmConfig, NoSuchFolderOrAFile) {
  Write("file", "");
  Outcome outcome = RunOn(Root("file"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(outcome.errors, testing::StartsWith("error: E6101 RocmNotFound: the ROCm folder cannot be used\n"
                                                  "  where:    DIR/file\n"
                                                  "  found:    not a folder\n"
                                                  "  expected: a folder with ROCm's include/\n"
                                                  "  next:     "));
  outcome = Run("", "ROCM_PATH='" + Root("nothing") + "'");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("  where:    DIR/nothing\n  found:    no such folder\n"));
  // An empty folder lacks all eleven.
  fs::create_directory(folder_ / "empty");
  StatusOr<RocmReport> report = ScanRocm(Root("empty"));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(CheckRocm(*report, {}).id(), ErrorId::kRocmIncomplete);
  size_t lines = 0;
  for (const RocmComponentReport& component : report->components) lines += component.problems.size();
  EXPECT_EQ(lines, AllRocmComponents().size());
}

TEST_F(FindRocmConfig, OldLayoutWithAFolderPerComponent) {
  Complete("rocm");
  fs::create_directories(folder_ / "rocm/rocblas/include/internal");
  fs::rename(folder_ / "rocm/include/rocblas/internal/rocblas-version.h",
             folder_ / "rocm/rocblas/include/internal/rocblas-version.h");
  EXPECT_EQ(RunOn(Root()).output, kCompleteLines);
}

TEST_F(FindRocmConfig, DebianLayout) {
  // What Debian's libamdhip64-dev, librocblas-dev and rocm-device-libs put below /usr.
  Write("usr/include/stdio.h", "");
  Header("usr/include/hip/hip_version.h", {"HIP_VERSION_MAJOR 5", "HIP_VERSION_MINOR 7", "HIP_VERSION_PATCH 31921"});
  Header("usr/include/rocblas/internal/rocblas-version.h",
         {"ROCBLAS_VERSION_MAJOR 3", "ROCBLAS_VERSION_MINOR 1", "ROCBLAS_VERSION_PATCH 0"});
  Write("usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", "Debian clang version 15.0.5wchar_size");
  Write("usr/lib/x86_64-linux-gnu/amdgcn/bitcode/oclc_abi_version_400.bc", "BC");
  Outcome outcome = RunOn(Root("usr"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_THAT(outcome.errors, HasSubstr("  next:     install the distribution's -dev packages of these components, or "
                                        "ROCm itself; find_rocm_config --json shows what there is\n"));
  outcome = RunOn(Root("usr"), "--json");
  EXPECT_EQ(outcome.exit_code, 1);
  Json json = ParseJson(outcome.output, "output").value();
  EXPECT_EQ(json["layout"], "distribution");
  EXPECT_EQ(json["hipruntime_version_number"], 507);
  EXPECT_EQ(json["components"]["rocblas"]["version"], "3.1.0");
  EXPECT_EQ(json["device_libraries"]["folder"], "DIR/usr/lib/x86_64-linux-gnu/amdgcn/bitcode");
  EXPECT_EQ(json["device_libraries"]["compiler_version"], "15.0.5");
  EXPECT_EQ(json["device_libraries"]["abi_versions"], Json({400}));
  EXPECT_EQ(json["missing"].size(), AllRocmComponents().size() - 2);
  // With every component installed, it serves the build rules.
  Complete("usr");
  EXPECT_EQ(RunOn(Root("usr")).exit_code, 0);
}

TEST_F(FindRocmConfig, JsonHasWhatTheScriptLacks) {
  Complete("rocm");
  Json json = ParseJson(RunOn(Root(), "--json").output, "output").value();
  EXPECT_EQ(json["missing"], Json({"hipblaslt", "rccl", "rocprim", "hipcub", "amdsmi"}));
  EXPECT_EQ(json["components"]["rccl"]["required"], false);
  EXPECT_EQ(json["layout"], "rocm");
  Extras("rocm");
  Outcome outcome = RunOn(Root(), "--json");
  EXPECT_EQ(outcome.exit_code, 0);
  json = ParseJson(outcome.output, "output").value();
  EXPECT_EQ(json["missing"], Json::array());
  EXPECT_EQ(json["rocm_version_number"], 70101);
  EXPECT_EQ(json["hipblaslt_version_number"], 10100);
  EXPECT_EQ(json["rccl_version_number"], 22707);
  EXPECT_EQ(json["rocprim_version_number"], 40100);
  EXPECT_EQ(json["hipcub_version_number"], 40100);
  EXPECT_EQ(
      json["components"]["amdsmi"],
      Json({{"name", "AMD SMI"},
            {"required", false},
            {"header", "DIR/rocm/include/amd_smi/amdsmi.h"},
            {"version", "26.1.0"},
            {"number", 260100},
            {"macros",
             {{"AMDSMI_LIB_VERSION_MAJOR", 26}, {"AMDSMI_LIB_VERSION_MINOR", 1}, {"AMDSMI_LIB_VERSION_RELEASE", 0}}}}));
  EXPECT_EQ(json["device_libraries"], Json({{"folder", "DIR/rocm/lib/llvm/lib/clang/20/lib/amdgcn/bitcode"},
                                            {"compiler_version", "20.0.0"},
                                            {"abi_versions", {500, 600}},
                                            {"isa_versions", {"90a", "942"}}}));
}

TEST_F(FindRocmConfig, WhatOnlyJsonPrintsNeverFailsTheRest) {
  Complete("rocm");
  Header("rocm/include/rccl/rccl.h", {"NCCL_MAJOR broken"});
  fs::create_directories(folder_ / "rocm/include/amd_smi/amdsmi.h");
  EXPECT_EQ(RunOn(Root()).output, kCompleteLines);
  Outcome outcome = RunOn(Root(), "--json");
  EXPECT_EQ(outcome.exit_code, 0);
  Json json = ParseJson(outcome.output, "output").value();
  EXPECT_EQ(json["components"]["amdsmi"]["problems"], Json({"include/amd_smi/amdsmi.h: a folder"}));
}

TEST_F(FindRocmConfig, MinimumVersionIsAskedForOnlyByTheOption) {
  Complete("rocm", "0");
  EXPECT_EQ(RunOn(Root()).exit_code, 0);
  EXPECT_EQ(RunOn(Root(), "--minimum-version 7.0.1").exit_code, 0);
  Outcome outcome = RunOn(Root(), "--minimum-version 7.1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.errors,
            "error: E6103 RocmTooOld: XLA requires ROCm 7.1.0 or higher\n"
            "  where:    DIR/rocm/include/rocm-core/rocm_version.h\n"
            "  found:    ROCm 7.0.1\n"
            "  expected: ROCm 7.1.0 or higher\n"
            "  next:     install a newer ROCm, or set ROCM_PATH to one\n");
  // Together with what is missing, in one message.
  fs::remove_all(folder_ / "rocm/include/miopen");
  EXPECT_THAT(RunOn(Root(), "--minimum-version 7.1").errors,
              HasSubstr("miopen/include/miopen/version.h\n            ROCm: 7.0.1 is older than 7.1.0\n"));
}

// Little output is only noticed to be lost at the end, much of it at once.
TEST_F(FindRocmConfig, OutputThatIsLostIsAFailure) {
  Complete("rocm");
  Extras("rocm");
  for (const char* option : {"", "--json"}) {
    const std::string errors = Root("errors");
    const int status = std::system(
        fmt::format("'{}' --rocm-path '{}' {} >/dev/full 2>'{}'", FIND_ROCM_CONFIG, Root(), option, errors).c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 1) << option;
    EXPECT_EQ(ReadFile(errors).value(),
              "error: E6001 FileUnreadable: what the program printed is lost\n"
              "  where:    standard output\n"
              "  found:    No space left on device\n");
  }
}

TEST_F(FindRocmConfig, BadUsage) {
  for (const char* version : {"7", "7.", "7.1.", "7.1.2.3", "x", "7.100", "-7.1", "7.1x", "99999999999999999999.1"}) {
    EXPECT_EQ(ParseRocmRelease(version).status().id(), ErrorId::kBadUsage) << version;
  }
  EXPECT_EQ(ParseRocmRelease("7.1").value(), 70100);
  EXPECT_EQ(ParseRocmRelease("6.4.2").value(), 60402);
  Outcome outcome = RunOn(Root(), "--minimum-version 7");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.errors,
            "error: E6006 BadUsage: the minimum version is no ROCm version\n"
            "  where:    --minimum-version\n"
            "  found:    '7'\n"
            "  expected: MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 7.1\n");
  EXPECT_EQ(RunOn(Root(), "--minimum-version ''").exit_code, 2) << "no demand at all is not what was meant";
  EXPECT_EQ(Run("--no-such-option").exit_code, 2);
  EXPECT_EQ(Run("--help").exit_code, 0);
}

}  // namespace
}  // namespace rocxla
