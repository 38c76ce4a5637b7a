// OCML and OCKL consist of some 2,000 functions, of which a kernel wants a few. The first kernel that calls a function
// extracts it, with what it calls, from the whole library into a bitcode of its own; that is kept, and later kernels
// read only that.
#include "triton/amdgpu/device_libraries.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

#include "base/error_ids.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

// ROCXLA_OCML_BITCODE, ROCXLA_OCKL_BITCODE: the libraries' paths at build time.
#define EMBED(symbol, path)                                           \
  asm(".pushsection .rodata\n"                                        \
      ".balign 16\n"                                                  \
      ".hidden " #symbol                                              \
      "_begin\n"                                                      \
      ".global " #symbol "_begin\n" #symbol "_begin: .incbin \"" path \
      "\"\n"                                                          \
      ".hidden " #symbol                                              \
      "_end\n"                                                        \
      ".global " #symbol "_end\n" #symbol                             \
      "_end: .byte 0\n"                                               \
      ".popsection\n");                                               \
  extern "C" {                                                        \
  extern const char symbol##_begin[];                                 \
  extern const char symbol##_end[];                                   \
  }
EMBED(rocxla_ocml, ROCXLA_OCML_BITCODE)
EMBED(rocxla_ockl, ROCXLA_OCKL_BITCODE)
#undef EMBED

using namespace llvm;
namespace rocxla::triton {
namespace {

// The library that a function of this name would be in: printf and what else is no mathematics is in OCKL.
MemoryBufferRef LibraryOf(StringRef symbol) {
  if (symbol.starts_with("__ockl_"))
    return MemoryBufferRef(StringRef(rocxla_ockl_begin, rocxla_ockl_end - rocxla_ockl_begin), "ockl");
  return MemoryBufferRef(StringRef(rocxla_ocml_begin, rocxla_ocml_end - rocxla_ocml_begin), "ocml");
}

Status LibraryError(llvm::Error error, StringRef symbol) {
  return InternalError(fmt::format("device library function {}: {}", symbol.str(), toString(std::move(error))));
}

// Bitcode of `symbol` and all it needs; empty when the library lacks it.
StatusOr<std::string> Extract(StringRef symbol) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> library = getLazyBitcodeModule(LibraryOf(symbol), context);
  if (!library) return LibraryError(library.takeError(), symbol);
  Function* found = (*library)->getFunction(symbol);
  if (!found || found->isDeclaration()) return std::string();
  Module closure(symbol, context);
  closure.setTargetTriple((*library)->getTargetTriple());
  closure.setDataLayout((*library)->getDataLayout());
  closure.getOrInsertFunction(symbol, found->getFunctionType());
  if (Linker::linkModules(closure, std::move(*library), Linker::Flags::LinkOnlyNeeded))
    return InternalError(fmt::format("device library function {} does not link", symbol.str()));
  std::string bitcode;
  raw_string_ostream os(bitcode);
  WriteBitcodeToFile(closure, os);
  return bitcode;
}

// The result of Extract, kept for the life of the process.
StatusOr<StringRef> Cached(StringRef symbol) {
  static std::mutex mutex;
  static std::map<std::string, std::string, std::less<>> cache;
  std::lock_guard lock(mutex);
  auto known = cache.find(symbol);
  if (known == cache.end()) {
    ASSIGN_OR_RETURN(std::string bitcode, Extract(symbol));
    known = cache.emplace(symbol.str(), std::move(bitcode)).first;
  }
  return StringRef(known->second);
}

Status LinkFunction(Module& module, StringRef symbol) {
  ASSIGN_OR_RETURN(StringRef bitcode, Cached(symbol));
  if (bitcode.empty())
    return rocxla::Error(ErrorId::kTritonUnsupportedOp,
                         {.what = fmt::format("there is no device library function '{}'", symbol.str()),
                          .expected = "a function of OCML or OCKL, such as __ocml_<name>_f32 or __ocml_<name>_f64"});
  auto library = parseBitcodeFile(MemoryBufferRef(bitcode, symbol), module.getContext());
  if (!library) return LibraryError(library.takeError(), symbol);
  if ((*library)->getFunction(symbol)->getFunctionType() != module.getFunction(symbol)->getFunctionType())
    return rocxla::Error(ErrorId::kTritonUnsupportedOp,
                         {.what = fmt::format("'{}' is called with other types than it has", symbol.str())});
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(module, std::move(*library), Linker::Flags::LinkOnlyNeeded))
    return InternalError(fmt::format("device library function {} does not link", symbol.str()));
  return OkStatus();
}

// gfx942 -> 9402, gfx90a -> 9010, gfx1100 -> 11000: the last two digits, hexadecimal, are minor version and stepping.
int IsaVersion(std::string_view name) {
  unsigned major = 0, minor = 0, stepping = 0;
  StringRef digits = StringRef(name).drop_front(3);
  digits.drop_back(2).getAsInteger(10, major);
  digits.drop_back(1).take_back(1).getAsInteger(16, minor);
  digits.take_back(1).getAsInteger(16, stepping);
  return static_cast<int>(major * 1000 + minor * 100 + stepping);
}

std::optional<int> ControlConstant(StringRef name, const GpuTarget& target) {
  static constexpr std::pair<const char*, int> kFixed[] = {{"__oclc_finite_only_opt", 0},
                                                           {"__oclc_unsafe_math_opt", 0},
                                                           {"__oclc_daz_opt", 0},
                                                           {"__oclc_correctly_rounded_sqrt32", 1},
                                                           {"__oclc_ABI_version", 500}};
  for (auto [known, value] : kFixed)
    if (name == known) return value;
  if (name == "__oclc_wavefrontsize64") return target.wave_size == 64;
  if (name == "__oclc_ISA_version") return IsaVersion(target.name);
  return std::nullopt;
}

}  // namespace

bool HasDeviceFunction(std::string_view symbol) {
  StatusOr<StringRef> bitcode = Cached(StringRef(symbol));
  return bitcode.ok() && !bitcode->empty();
}

Status LinkDeviceLibraries(Module& module, const GpuTarget& target) {
  std::vector<std::string> wanted;
  for (const Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic()) wanted.push_back(function.getName().str());
  if (wanted.empty()) return OkStatus();
  for (const std::string& symbol : wanted)
    if (module.getFunction(symbol)->isDeclaration()) RETURN_IF_ERROR(LinkFunction(module, symbol));
  for (GlobalVariable& variable : module.globals()) {
    if (auto value = ControlConstant(variable.getName(), target)) {
      variable.setInitializer(ConstantInt::get(variable.getValueType(), *value));
      variable.setConstant(true);
      variable.setVisibility(GlobalValue::DefaultVisibility);
      variable.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  for (Function& function : module) {
    if (function.isDeclaration() || function.getCallingConv() == CallingConv::AMDGPU_KERNEL) continue;
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  return OkStatus();
}

}  // namespace rocxla::triton
