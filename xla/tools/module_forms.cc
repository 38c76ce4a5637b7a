#include "xla/tools/module_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/proto/hlo_proto.h"
#include "xla/hlo/stablehlo/stablehlo_export.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"
#include "xla/hlo/stablehlo/vhlo/vhlo_import.h"

namespace xla::tools {
namespace {

using rocxla::StatusOr;

struct FormInfo {
  ModuleForm form;
  std::string_view name, extensions, what;
};
constexpr FormInfo kForms[] = {
#define MODULE_FORM(id, name, extensions, what) {ModuleForm::id, name, extensions, what},
#include "xla/tools/module_forms.def"
#undef MODULE_FORM
};

// Beyond this, a text may contain what it likes.
constexpr size_t kLookedAt = 4096;

bool IsBinary(std::string_view content) {
  return std::ranges::any_of(content.substr(0, kLookedAt),
                             [](char c) { return static_cast<unsigned char>(c) < ' ' && !std::isspace(c); });
}

// Without white space and comments ("// ...", "/* ... */", "# ...") at its beginning.
std::string_view SkipComments(std::string_view text) {
  for (;;) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    std::string_view end;
    if (text.starts_with("//") || text.starts_with("# ")) end = "\n";
    if (text.starts_with("/*")) end = "*/";
    if (end.empty()) return text;
    text.remove_prefix(std::min(text.find(end), text.size() - end.size()) + end.size());
  }
}

ModuleForm FormOfText(std::string_view content) {
  const std::string_view text = SkipComments(content);
  for (const std::string_view mlir : {"module ", "module{", "func.func", "#", "\"builtin.module\""})
    if (text.starts_with(mlir)) return ModuleForm::kStablehloText;
  for (const std::string_view proto : {"name:", "hlo_module", "entry_computation_name:", "computations"})
    if (text.starts_with(proto)) return ModuleForm::kHloProtoText;
  return ModuleForm::kHloText;
}

bool IsStablehlo(ModuleForm form) {
  return form == ModuleForm::kStablehloText || form == ModuleForm::kPortableArtifact;
}

}  // namespace

std::vector<std::string> ModuleFormNames() {
  std::vector<std::string> names;
  for (const FormInfo& info : kForms) names.emplace_back(info.name);
  return names;
}

std::optional<ModuleForm> ModuleFormOfName(std::string_view name) {
  for (const FormInfo& info : kForms)
    if (info.name == name) return info.form;
  return std::nullopt;
}

std::optional<ModuleForm> ModuleFormOfPath(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == path.npos || path.find('/', dot) != path.npos) return std::nullopt;
  const std::string wanted = fmt::format(" {} ", path.substr(dot));
  for (const FormInfo& info : kForms)
    if (fmt::format(" {} ", info.extensions).find(wanted) != std::string::npos) return info.form;
  return std::nullopt;
}

ModuleForm DetectModuleForm(std::string_view path, std::string_view content) {
  if (IsMlirBytecode(content)) return ModuleForm::kPortableArtifact;
  if (const auto form = ModuleFormOfPath(path)) return *form;
  return IsBinary(content) ? ModuleForm::kHloProto : FormOfText(content);
}

std::string ModuleHelp() {
  std::string forms;
  for (const FormInfo& info : kForms) {
    std::string extensions(info.extensions);
    for (size_t at; (at = extensions.find(' ')) != extensions.npos;) extensions.replace(at, 1, "|");
    forms += fmt::format("{}{} ({})", forms.empty() ? "" : ", ", info.what, extensions);
  }
  return forms + "; - reads standard input";
}

StatusOr<std::unique_ptr<HloModule>> ParseModule(ModuleForm form, std::string_view content, std::string_view path) {
  switch (form) {
    case ModuleForm::kHloText:
      return ParseAndReturnVerifiedModule(content, std::string(path));
    case ModuleForm::kHloProto:
      return ParseHloProto(content, path);
    case ModuleForm::kHloProtoText:
      return ParseHloProtoText(content, path);
    case ModuleForm::kStablehloText:
      return ConvertStablehloTextToHlo(content, path);
    case ModuleForm::kPortableArtifact:
      break;
  }
  return ConvertPortableArtifactToHlo(content, path);
}

StatusOr<std::string> ConvertModule(ModuleForm from, ModuleForm to, std::string_view content, std::string_view path) {
  if (IsStablehlo(from) && from == to) {
    RETURN_IF_ERROR(ParseModule(from, content, path).status());
    return std::string(content);
  }
  if (from == ModuleForm::kStablehloText && IsStablehlo(to)) return StablehloTextToPortableArtifact(content, path);
  if (from == ModuleForm::kPortableArtifact && IsStablehlo(to)) return PortableArtifactToStablehloText(content, path);
  ASSIGN_OR_RETURN(const std::unique_ptr<HloModule> module, ParseModule(from, content, path));
  switch (to) {
    case ModuleForm::kHloText:
      return module->ToString();
    case ModuleForm::kHloProto:
      return SerializeHloProto(*module);
    case ModuleForm::kHloProtoText:
      return PrintHloProto(*module);
    case ModuleForm::kStablehloText:
      return ConvertHloToStablehloText(*module);
    case ModuleForm::kPortableArtifact:
      break;
  }
  ASSIGN_OR_RETURN(const std::string text, ConvertHloToStablehloText(*module));
  return StablehloTextToPortableArtifact(text, path);
}

}  // namespace xla::tools
