// Batch normalisation, in double. With the mean and (biased) variance of each feature over all other dimensions:
//   y = (x - mean) / sqrt(variance + epsilon) * scale + offset
#include <cmath>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

std::vector<double> DoublesOf(const Literal& literal) {
  std::vector<double> values(literal.element_count());
  for (size_t i = 0; i < values.size(); ++i) values[i] = literal.GetAsDouble(static_cast<int64_t>(i));
  return values;
}

// Which feature an element belongs to, and how many elements each has.
struct Features {
  Features(const HloInstruction& instruction, const Shape& shape) {
    const auto dimension = instruction.attributes().Get<int64_t>(AttributeId::kFeatureIndex);
    count = shape.dimensions(dimension);
    for (int64_t d = dimension + 1; d < shape.rank(); ++d) inner *= shape.dimensions(d);
    elements = ShapeUtil::ElementsIn(shape);
    epsilon = instruction.attributes().Get<float>(AttributeId::kEpsilon);
  }
  int64_t Of(int64_t element) const { return element / inner % count; }
  double Each() const { return static_cast<double>(elements) / static_cast<double>(count); }

  // The sum over each feature's elements of f(element).
  template <class F>
  std::vector<double> Sums(const F& f) const {
    std::vector<double> sums(count);
    for (int64_t i = 0; i < elements; ++i) sums[Of(i)] += f(i);
    return sums;
  }

  int64_t count = 1, inner = 1, elements = 0;
  double epsilon = 0;
};

Literal Normalized(const Shape& shape, const Features& features, const std::vector<double>& x,
                   const std::vector<double>& scale, const std::vector<double>& offset, const std::vector<double>& mean,
                   const std::vector<double>& variance) {
  std::vector<double> y(x.size());
  for (int64_t i = 0; i < features.elements; ++i) {
    const int64_t f = features.Of(i);
    y[i] = (x[i] - mean[f]) / std::sqrt(variance[f] + features.epsilon) * scale[f] + offset[f];
  }
  return LiteralOf(shape, y);
}

}  // namespace

StatusOr<Literal> Eval_kBatchNormTraining(const HloInstruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape());
  const std::vector<double> x = DoublesOf(*operands[0]);
  std::vector<double> mean = features.Sums([&](int64_t i) { return x[i]; });
  for (double& value : mean) value /= features.Each();
  std::vector<double> variance = features.Sums([&](int64_t i) { return std::pow(x[i] - mean[features.Of(i)], 2); });
  for (double& value : variance) value /= features.Each();
  std::vector<Literal> results;
  results.push_back(Normalized(instruction.shape().tuple_shapes(0), features, x, DoublesOf(*operands[1]),
                               DoublesOf(*operands[2]), mean, variance));
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(1), mean));
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(2), variance));
  return Literal::Tuple(std::move(results));
}

StatusOr<Literal> Eval_kBatchNormInference(const HloInstruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape());
  return Normalized(instruction.shape(), features, DoublesOf(*operands[0]), DoublesOf(*operands[1]),
                    DoublesOf(*operands[2]), DoublesOf(*operands[3]), DoublesOf(*operands[4]));
}

// With s = 1 / sqrt(variance + epsilon), and sums over each feature's n elements:
//   grad_offset = sum(g), grad_scale = sum(g (x - mean)) s
//   grad_x = scale s / n (n g - sum(g) - (x - mean) s^2 sum(g (x - mean)))
StatusOr<Literal> Eval_kBatchNormGrad(const HloInstruction& instruction, Operands operands) {
  const Features features(instruction, operands[0]->shape());
  const std::vector<double> x = DoublesOf(*operands[0]), scale = DoublesOf(*operands[1]);
  const std::vector<double> mean = DoublesOf(*operands[2]), variance = DoublesOf(*operands[3]);
  const std::vector<double> g = DoublesOf(*operands[4]);
  const auto centred = [&](int64_t i) { return x[i] - mean[features.Of(i)]; };
  std::vector<double> sum = features.Sums([&](int64_t i) { return g[i]; });
  std::vector<double> products = features.Sums([&](int64_t i) { return g[i] * centred(i); });
  std::vector<double> grad_x(x.size()), grad_scale(features.count);
  const double n = features.Each();
  for (int64_t i = 0; i < features.elements; ++i) {
    const int64_t f = features.Of(i);
    const double s = 1 / std::sqrt(variance[f] + features.epsilon);
    grad_x[i] = scale[f] * s / n * (n * g[i] - sum[f] - centred(i) * s * s * products[f]);
  }
  for (int64_t f = 0; f < features.count; ++f) {
    grad_scale[f] = products[f] / std::sqrt(variance[f] + features.epsilon);
  }
  std::vector<Literal> results;
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(0), grad_x));
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(1), grad_scale));
  results.push_back(LiteralOf(instruction.shape().tuple_shapes(2), sum));
  return Literal::Tuple(std::move(results));
}

}  // namespace xla::evaluator
