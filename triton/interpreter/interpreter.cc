#include "triton/interpreter/interpreter.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Parser/Parser.h"
#include "triton/dialect/syntax_error.h"
#include "triton/interpreter/machine.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

// A parsed module with what it needs to live.
struct Program {
  Program(std::string_view ttir, std::string_view file_name)
      : context(Dialects(), MLIRContext::Threading::DISABLED), diagnostics(context, ttir, file_name) {
    // A copy: MLIR's lexer looks at the byte behind the text, which is zero only behind a string.
    module = parseSourceString<ModuleOp>(std::string(ttir), &context, file_name);
  }
  Status Valid() const { return module ? OkStatus() : SyntaxError(diagnostics); }

  static DialectRegistry Dialects() {
    DialectRegistry registry;
    tt::RegisterDialects(registry);
    return registry;
  }
  MLIRContext context;
  DiagnosticCollector diagnostics;
  OwningOpRef<ModuleOp> module;
};

StatusOr<tt::FuncOp> KernelOf(ModuleOp module, std::string_view file_name) {
  SmallVector<tt::FuncOp> kernels;
  for (auto function : module.getOps<tt::FuncOp>())
    if (!function.isPrivate() && !function.isExternal()) kernels.push_back(function);
  if (kernels.size() == 1) return kernels[0];
  return Error(ErrorId::kTritonSyntax, {.what = "a module has one kernel",
                                        .where = std::string(file_name),
                                        .found = fmt::format("{} public tt.func operations", kernels.size())});
}

StatusOr<SmallVector<Data>> ArgumentsOf(tt::FuncOp kernel, const InterpretedLaunch& launch, size_t buffers) {
  if (kernel.getNumArguments() != launch.arguments.size())
    return ExecutionError(kernel, "the launch has another number of arguments",
                          fmt::format("{}", launch.arguments.size()), fmt::format("{}", kernel.getNumArguments()));
  SmallVector<Data> arguments;
  for (auto [type, given] : llvm::zip(kernel.getArgumentTypes(), launch.arguments)) {
    const bool is_buffer = given.kind == InterpretedArgument::Kind::kBuffer;
    const bool number = type.isIntOrFloat() && BitsOf(type) <= 64;
    if (is_buffer ? !isa<tt::PointerType>(type) || given.value >= buffers : !number)
      return ExecutionError(kernel, fmt::format("argument {} does not fit the launch", arguments.size()));
    if (is_buffer) {
      arguments.push_back({{Memory::AddressOf(given.value)}});
    } else {
      arguments.push_back({ElementOf(llvm::APInt(BitsOf(type), given.value, false, true))});
    }
  }
  return arguments;
}

}  // namespace

Status Interpret(std::string_view ttir, std::string_view file_name, const InterpretedLaunch& launch,
                 std::span<InterpretedBuffer> buffers) {
  Program program(ttir, file_name);
  RETURN_IF_ERROR(program.Valid());
  ASSIGN_OR_RETURN(tt::FuncOp kernel, KernelOf(*program.module, file_name));
  ASSIGN_OR_RETURN(const SmallVector<Data> arguments, ArgumentsOf(kernel, launch, buffers.size()));
  Memory memory(buffers);
  Machine machine(*program.module, memory, launch.grid, launch.operation_limit);
  auto& [x, y, z] = machine.program;
  for (z = 0; z < launch.grid[2]; ++z)
    for (y = 0; y < launch.grid[1]; ++y)
      for (x = 0; x < launch.grid[0]; ++x) RETURN_IF_ERROR(machine.Call(kernel, arguments).status());
  return OkStatus();
}

Status CheckInterpretable(std::string_view ttir, std::string_view file_name) {
  Program program(ttir, file_name);
  RETURN_IF_ERROR(program.Valid());
  Status status;
  program.module->walk([&](Operation* op) {
    const bool branch = isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp>(op);
    // Other terminators are read by the operation around them.
    const bool read = isa<RegionBranchTerminatorOpInterface>(op) || op->hasTrait<OpTrait::ReturnLike>();
    if (!branch && !read && !isa<ModuleOp, tt::FuncOp>(op) && !Meanings::All().Find(op) && status.ok())
      status = NoMeaning(op, "the interpreter does not know this operation");
  });
  return status;
}

}  // namespace rocxla::triton
