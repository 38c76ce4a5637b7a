#include "triton/testing/file_check.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// The text in the form that FileCheck compares, as a buffer of `sources`.
StringRef AddSource(FileCheck& check, SourceMgr& sources, StringRef text, StringRef name) {
  std::unique_ptr<MemoryBuffer> original = MemoryBuffer::getMemBuffer(text, name, /*RequiresNullTerminator=*/false);
  SmallString<0> storage;
  StringRef canonical = check.CanonicalizeFile(*original, storage);
  std::unique_ptr<MemoryBuffer> copy = MemoryBuffer::getMemBufferCopy(canonical, name);
  StringRef kept = copy->getBuffer();
  sources.AddNewSourceBuffer(std::move(copy), SMLoc());
  return kept;
}

}  // namespace

std::string FileCheckFault(std::string_view checks, const std::vector<std::string>& prefixes, std::string_view input) {
  FileCheckRequest request;
  request.CheckPrefixes.assign(prefixes.begin(), prefixes.end());
  request.AllowUnusedPrefixes = true;
  FileCheck check(request);
  std::string report;
  SourceMgr sources;
  sources.setDiagHandler(
      [](const SMDiagnostic& diagnostic, void* text) {
        raw_string_ostream os(*static_cast<std::string*>(text));
        diagnostic.print("", os, /*ShowColors=*/false);
      },
      &report);
  if (!check.ValidateCheckPrefixes()) return "unusable prefixes";
  if (check.readCheckFile(sources, AddSource(check, sources, checks, "checks")))
    return report.empty() ? "no directives" : report;
  const bool holds = check.checkInput(sources, AddSource(check, sources, input, "input"));
  if (holds) return "";
  return report.empty() ? "FileCheck failed" : report;
}

}  // namespace rocxla::triton
