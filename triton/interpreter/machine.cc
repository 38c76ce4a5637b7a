#include "triton/interpreter/machine.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;
namespace rocxla::triton {

Shape ExtentsOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getShape() : Shape();
}
size_t ElementsOf(Value value) {
  size_t count = 1;
  for (int64_t extent : ExtentsOf(value)) count *= static_cast<size_t>(extent);
  return count;
}
unsigned BitsOf(Type element) { return isa<tt::PointerType>(element) ? 64 : element.getIntOrFloatBitWidth(); }
int BytesOf(Type element) { return static_cast<int>((BitsOf(element) + 7) / 8); }

APInt IntegerOf(const Element& element, Type type) { return {BitsOf(type), element.bits}; }
APFloat FloatOf(const Element& element, Type type) {
  return {cast<FloatType>(type).getFloatSemantics(), IntegerOf(element, type)};
}
Element ElementOf(const APInt& number) { return {number.getZExtValue()}; }
Element ElementOf(const APFloat& number) { return {number.bitcastToAPInt().getZExtValue()}; }
int64_t SignedOf(const Element& element, Type type) { return IntegerOf(element, type).getSExtValue(); }
Element Rounded(double number, Type type) {
  APFloat value(number);
  bool loses_info;
  value.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses_info);
  return ElementOf(value);
}

SmallVector<int64_t, 4> CoordinatesOf(int64_t place, Shape shape) {
  SmallVector<int64_t, 4> coordinates(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = place % shape[d];
    place /= shape[d];
  }
  return coordinates;
}
int64_t PlaceOf(ArrayRef<int64_t> coordinates, Shape shape) {
  int64_t place = 0;
  for (auto [coordinate, extent] : llvm::zip(coordinates, shape)) place = place * extent + coordinate;
  return place;
}

Status ExecutionError(Operation* op, std::string what, std::string found, std::string expected) {
  std::string text = fmt::format("{}: {}", op->getName().getStringRef().str(), what);
  for (auto [name, answer] : {std::pair("where", LocationText(op->getLoc())), {"found", found}, {"expected", expected}})
    if (!answer.empty()) text += fmt::format("\n  {}: {}", name, answer);
  return FailedPreconditionError(std::move(text));
}
Status NoMeaning(Operation* op, std::string why) {
  return Error(ErrorId::kTritonUnsupportedOp,
               {.what = fmt::format("{}: {}", op->getName().getStringRef().str(), std::move(why)),
                .where = LocationText(op->getLoc())});
}

const Meanings& Meanings::All() {
  static const Meanings* const all = [] {
    auto* meanings = new Meanings;
    AddPointwise(*meanings);
    AddControl(*meanings);
    AddShapes(*meanings);
    AddCombining(*meanings);
    AddProducts(*meanings);
    AddAccesses(*meanings);
    AddBlocks(*meanings);
    return meanings;
  }();
  return *all;
}

const Data& Machine::Get(Value value) const { return values_.find(value)->second; }
SmallVector<Data> Machine::GetAll(ValueRange values) const {
  SmallVector<Data> all;
  for (Value value : values) all.push_back(Get(value));
  return all;
}
void Machine::SetAll(ValueRange values, SmallVector<Data> data) {
  for (auto [value, one] : llvm::zip_equal(values, data)) Set(value, std::move(one));
}
StatusOr<bool> Machine::Condition(Operation* op, Value value) const {
  const Element& condition = Scalar(value);
  if (condition.undefined) return ExecutionError(op, "what runs next depends on an undefined value");
  return condition.bits != 0;
}

Status Machine::RunOp(Operation* op) {
  if (operations_left_-- == 0) return ExecutionError(op, "the kernel does not seem to end");
  Meaning meaning = Meanings::All().Find(op);
  return meaning ? meaning(*this, op) : NoMeaning(op, "the interpreter does not know this operation");
}

StatusOr<Operation*> Machine::RunRegion(Region& region, SmallVector<Data> arguments) {
  Block* block = &region.front();
  for (;;) {
    SetAll(block->getArguments(), std::move(arguments));
    if (operations_left_-- == 0) return ExecutionError(block->getTerminator(), "the kernel does not seem to end");
    for (Operation& op : block->without_terminator()) RETURN_IF_ERROR(RunOp(&op));
    Operation* end = block->getTerminator();
    auto go = [&](Block* to, ValueRange passed) {
      block = to;
      arguments = GetAll(passed);
    };
    if (auto branch = dyn_cast<cf::BranchOp>(end)) {
      go(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<cf::CondBranchOp>(end)) {
      ASSIGN_OR_RETURN(const bool yes, Condition(end, branch.getCondition()));
      go(yes ? branch.getTrueDest() : branch.getFalseDest(),
         yes ? branch.getTrueDestOperands() : branch.getFalseDestOperands());
    } else if (auto choice = dyn_cast<cf::SwitchOp>(end)) {
      RETURN_IF_ERROR(Condition(end, choice.getFlag()).status());
      const APInt flag = IntegerOf(Scalar(choice.getFlag()), choice.getFlag().getType());
      Block* to = choice.getDefaultDestination();
      ValueRange passed = choice.getDefaultOperands();
      for (unsigned i = 0; i < choice.getCaseDestinations().size(); ++i) {
        if ((*choice.getCaseValues()).getValues<APInt>()[i] != flag) continue;
        to = choice.getCaseDestinations()[i];
        passed = choice.getCaseOperands(i);
      }
      go(to, passed);
    } else {
      return end;
    }
  }
}

StatusOr<SmallVector<Data>> Machine::Call(tt::FuncOp function, SmallVector<Data> arguments) {
  llvm::DenseMap<Value, Data> caller;
  std::swap(caller, values_);
  auto end = RunRegion(function.getBody(), std::move(arguments));
  if (!end.ok()) return end.status();
  SmallVector<Data> returned = GetAll((*end)->getOperands());
  std::swap(caller, values_);
  return returned;
}

}  // namespace rocxla::triton
