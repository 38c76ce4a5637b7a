// Modules in files, in every form that rocXLA reads and writes (module_forms.def).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

enum class ModuleForm : uint8_t {
#define MODULE_FORM(id, ...) id,
#include "xla/tools/module_forms.def"
#undef MODULE_FORM
};

// "hlo", "pb", ...: the names of --to.
std::vector<std::string> ModuleFormNames();
std::optional<ModuleForm> ModuleFormOfName(std::string_view name);
// By the extension: "a.hlo.pb" is an HLO proto.
std::optional<ModuleForm> ModuleFormOfPath(std::string_view path);
// By the first bytes of a portable artifact, else the extension, else what the content looks like.
ModuleForm DetectModuleForm(std::string_view path, std::string_view content);

// For the help of commands that read a module.
std::string ModuleHelp();

// Parses and verifies; `path` is for messages. Errors: those of the form's reader.
rocxla::StatusOr<std::unique_ptr<HloModule>> ParseModule(ModuleForm form, std::string_view content,
                                                         std::string_view path);
// The content of a module file in another form. From StableHLO to StableHLO it does not pass through HLO.
rocxla::StatusOr<std::string> ConvertModule(ModuleForm from, ModuleForm to, std::string_view content,
                                            std::string_view path);

}  // namespace xla::tools
