#include "triton/lowering/debug_info.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace rocxla::triton {

DebugInfo::DebugInfo(Function& kernel, mlir::Location location) : builder_(*kernel.getParent()) {
  Module& module = *kernel.getParent();
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
  module.addModuleFlag(Module::Warning, "Dwarf Version", 5);
  SourcePosition at = PositionOf(location).value_or(SourcePosition{"kernel.ttir", 0, 0});
  DIFile* file = FileOf(at.file);
  DICompileUnit* unit = builder_.createCompileUnit(
      DISourceLanguageName(dwarf::DW_LANG_C), file, "rocxla", /*isOptimized=*/true,
      /*Flags=*/"", /*RV=*/0, /*SplitName=*/"", DICompileUnit::DebugEmissionKind::LineTablesOnly);
  DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  subprogram_ =
      builder_.createFunction(unit, kernel.getName(), kernel.getName(), file, at.line, type, at.line, DINode::FlagZero,
                              DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  kernel.setSubprogram(subprogram_);
  scopes_[file] = subprogram_;
}

DIFile* DebugInfo::FileOf(StringRef path) {
  return builder_.createFile(sys::path::filename(path), sys::path::parent_path(path));
}

DIScope* DebugInfo::ScopeIn(DIFile* file) {
  DIScope*& scope = scopes_[file];
  if (!scope) scope = builder_.createLexicalBlockFile(subprogram_, file);
  return scope;
}

DebugLoc DebugInfo::Of(mlir::Location location) {
  LLVMContext& context = subprogram_->getContext();
  auto at = PositionOf(location);
  if (!at) return DILocation::get(context, 0, 0, subprogram_);
  return DILocation::get(context, at->line, at->column, ScopeIn(FileOf(at->file)));
}

}  // namespace rocxla::triton
