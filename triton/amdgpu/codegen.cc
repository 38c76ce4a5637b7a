#include "triton/amdgpu/codegen.h"

#include <fmt/format.h>

#include <optional>

#include "base/error_ids.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "triton/amdgpu/device_libraries.h"
#include "triton/amdgpu/llvm_defects.h"
#include "triton/amdgpu/llvm_session.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

constexpr int kCodeObjectVersion = 500;  // v5: what ROCm 5.7 and newer load

Status CodegenError(std::string what, std::string found) {
  const bool is_users_assembly = found.find("<inline asm>") != found.npos;
  return rocxla::Error(ErrorId::kTritonCodegen,
                       {.what = std::move(what),
                        .found = std::move(found),
                        .next = is_users_assembly ? "Write the kernel's inline assembly for this AMD GPU."
                                                  : "this is a bug of rocXLA: please report the Triton IR with it"});
}

StatusOr<std::unique_ptr<TargetMachine>> MachineOf(const GpuTarget& target) {
  std::string error;
  Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target* backend = TargetRegistry::lookupTarget(triple, error);
  if (!backend) return InternalError(error);
  std::unique_ptr<TargetMachine> machine(backend->createTargetMachine(
      triple, target.name, "", TargetOptions(), Reloc::PIC_, std::nullopt, CodeGenOptLevel::Aggressive));
  if (!machine) return InternalError(fmt::format("LLVM has no target machine for {}", target.name));
  return machine;
}

// Collects LLVM's errors, whose default handler would end the process.
class DiagnosticLog {
 public:
  explicit DiagnosticLog(LLVMContext& context) : context_(context) {
    context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo* info, void* self) {
          if (info->getSeverity() != DS_Error) return;
          raw_string_ostream os(static_cast<DiagnosticLog*>(self)->text_);
          DiagnosticPrinterRawOStream printer(os);
          info->print(printer);
          os << '\n';
        },
        this);
  }
  ~DiagnosticLog() { context_.setDiagnosticHandlerCallBack(nullptr); }
  Status status() const {
    if (text_.empty()) return OkStatus();
    return CodegenError("LLVM cannot generate code for this kernel", StringRef(text_).trim().str());
  }

 private:
  LLVMContext& context_;
  std::string text_;
};

std::string TextOf(const Module& module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

void Optimize(Module& module, TargetMachine& machine) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);
}

Status Emit(Module& module, TargetMachine& machine, CodeGenFileType type, SmallVectorImpl<char>& out) {
  raw_svector_ostream os(out);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type)) return InternalError("LLVM cannot emit this file type");
  passes.run(module);
  return OkStatus();
}

Status Generate(Module& module, const GpuTarget& target, bool keep_text, GeneratedObject& out) {
  DiagnosticLog log(module.getContext());
  ASSIGN_OR_RETURN(std::unique_ptr<TargetMachine> machine, MachineOf(target));
  RETURN_IF_ERROR(LinkDeviceLibraries(module, target));
  for (Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("target-cpu", target.name);
  std::string broken;
  raw_string_ostream os(broken);
  if (verifyModule(module, &os)) return CodegenError("the generated LLVM IR is not valid", broken);
  Optimize(module, *machine);
  AvoidLlvmDefects(module, target);
  RETURN_IF_ERROR(log.status());
  if (keep_text) {
    out.optimized_llvm_ir = TextOf(module);
    SmallVector<char, 0> text;
    std::unique_ptr<Module> copy = CloneModule(module);
    RETURN_IF_ERROR(Emit(*copy, *machine, CodeGenFileType::AssemblyFile, text));
    out.isa.assign(text.begin(), text.end());
  }
  SmallVector<char, 0> object;
  RETURN_IF_ERROR(Emit(module, *machine, CodeGenFileType::ObjectFile, object));
  out.object.assign(object.begin(), object.end());
  return log.status();
}

}  // namespace

Status SetTarget(Module& module, const GpuTarget& target) {
  return RunConfined([&] {
    ASSIGN_OR_RETURN(std::unique_ptr<TargetMachine> machine, MachineOf(target));
    module.setTargetTriple(machine->getTargetTriple());
    module.setDataLayout(machine->createDataLayout());
    module.addModuleFlag(Module::Error, "amdhsa_code_object_version", kCodeObjectVersion);
    module.setPICLevel(PICLevel::BigPIC);
    return OkStatus();
  });
}

StatusOr<GeneratedObject> GenerateObject(Module& module, const GpuTarget& target, bool keep_text) {
  std::shared_lock lock(LlvmOptionsMutex());
  GeneratedObject out;
  RETURN_IF_ERROR(RunConfined([&] { return Generate(module, target, keep_text, out); }));
  return out;
}

}  // namespace rocxla::triton
