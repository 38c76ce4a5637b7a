#include "xla/tools/literal_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>

#include "base/error_ids.h"

namespace xla::tools {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;
using rocxla::Tensor;

constexpr std::pair<PrimitiveType, std::string_view> kDtypes[] = {
#define SAFETENSORS_DTYPE(type, dtype) {type, dtype},
#include "xla/hlo/ir/safetensors_dtypes.def"
};

std::string TypeText(const Tensor& tensor) { return fmt::format("{}[{}]", tensor.dtype, fmt::join(tensor.shape, ",")); }

StatusOr<Literal> InputFor(const HloInstruction& parameter, const rocxla::TensorMap& tensors, std::string_view origin) {
  std::string key = fmt::format("in.{}", parameter.parameter_number());
  const Shape& shape = parameter.shape();
  std::string_view dtype = DtypeOf(shape.element_type());
  auto it = tensors.find(key);
  // Of a dynamic dimension the tensor has as many elements as there are.
  const auto fits = [&](const Tensor& tensor) {
    return tensor.dtype == dtype && ShapeUtil::IsValueOf(Shape::Array(shape.element_type(), tensor.shape), shape);
  };
  if (it == tensors.end() || dtype.empty() || !fits(it->second)) {
    return Error(
        ErrorId::kWrongInputs,
        {.what = fmt::format("tensor '{}' does not fit parameter {} ('{}')", key, parameter.parameter_number(),
                             parameter.name()),
         .where = std::string(origin),
         .found = it == tensors.end() ? "no such tensor" : TypeText(it->second),
         .expected = dtype.empty()
                         ? fmt::format("{}, which safetensors cannot hold", shape.ToString())
                         : fmt::format("{}[{}] for {}", dtype, fmt::join(shape.dimensions(), ","), shape.ToString()),
         .next =
             "Give a file with tensors in.0, in.1, ... in parameter order, or leave --inputs out for random data."});
  }
  return Literal::FromBytes(shape.IsDynamic() ? Shape::Array(shape.element_type(), it->second.shape) : shape,
                            it->second.bytes);
}

}  // namespace

std::string_view DtypeOf(PrimitiveType type) {
  for (const auto& [primitive, dtype] : kDtypes)
    if (primitive == type) return dtype;
  return "";
}

StatusOr<std::vector<Literal>> InputsFromTensors(const HloModule& module, const rocxla::TensorMap& tensors,
                                                 std::string_view origin) {
  std::vector<Literal> inputs;
  for (const HloInstruction* parameter : module.entry_computation()->parameter_instructions()) {
    ASSIGN_OR_RETURN(Literal input, InputFor(*parameter, tensors, origin));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

StatusOr<std::vector<Literal>> RandomInputs(const HloModule& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> inputs;
  for (const HloInstruction* parameter : module.entry_computation()->parameter_instructions()) {
    if (!parameter->shape().IsArray())
      return Error(ErrorId::kWrongInputs,
                   {.what = "no random data for this parameter",
                    .where = fmt::format("parameter {} ('{}')", parameter->parameter_number(), parameter->name()),
                    .found = parameter->shape().ToString(),
                    .expected = "an array"});
    Literal literal = Literal::Zeros(parameter->shape());
    PrimitiveType type = parameter->shape().element_type();
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      if (type == PRED)
        literal.SetFromInt64(i, static_cast<int64_t>(random() & 1));
      else if (IsInteger(type))
        literal.SetFromInt64(i, static_cast<int64_t>(random() & 7));
      else
        literal.SetFromDouble(i, std::uniform_real_distribution<double>(-1, 1)(random));
    }
    inputs.push_back(std::move(literal));
  }
  return inputs;
}

Tensor TensorFromLiteral(const Literal& array) {
  return {std::string(DtypeOf(array.shape().element_type())), array.shape().dimensions(), array.bytes()};
}

std::string Preview(const Literal& literal) {
  constexpr size_t kMostCharacters = 400;
  std::string text = fmt::format("{} {}", literal.shape().ToString(), literal.ToStringWithoutShape());
  if (text.size() > kMostCharacters) text = text.substr(0, kMostCharacters) + " ...";
  return text;
}

}  // namespace xla::tools
