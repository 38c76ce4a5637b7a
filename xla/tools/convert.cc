// rocxla convert: a module in another form.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "base/error_ids.h"
#include "base/file.h"
#include "xla/tools/module_forms.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

constexpr char kStandardStream[] = "-";

struct Arguments {
  std::string module, output, to;
};

StatusOr<ModuleForm> OutputForm(const Arguments& arguments) {
  if (const auto form = ModuleFormOfName(arguments.to)) return *form;
  if (const auto form = ModuleFormOfPath(arguments.output)) return *form;
  return Error(ErrorId::kBadUsage,
               {.what = "the output's name does not say in which form the module is to be written",
                .found = arguments.output,
                .expected = fmt::format("--to with one of {}", fmt::join(ModuleFormNames(), ", "))});
}

Status Run(const Arguments& arguments) {
  ASSIGN_OR_RETURN(const ModuleForm to, OutputForm(arguments));
  ASSIGN_OR_RETURN(const std::string content, rocxla::ReadFile(arguments.module));
  const ModuleForm from = DetectModuleForm(arguments.module, content);
  ASSIGN_OR_RETURN(const std::string converted, ConvertModule(from, to, content, arguments.module));
  if (arguments.output != kStandardStream) return rocxla::WriteFile(arguments.output, converted);
  std::fwrite(converted.data(), 1, converted.size(), stdout);
  return rocxla::OkStatus();
}

}  // namespace

Action SetUpConvert(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("module", arguments->module, ModuleHelp())->required();
  app.add_option("-o,--output", arguments->output, "file that receives the module; - is standard output")
      ->required()
      ->check(NotEmpty);
  app.add_option("--to", arguments->to, "form of the output (default: by its extension)")
      ->check(CLI::IsMember(ModuleFormNames()));
  return [arguments](const rocxla::DebugOptions&) {
    Status status = Run(*arguments);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
