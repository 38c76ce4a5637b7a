// TtirBuilder: writes one Triton IR kernel as text.
//
// Values are typed; every method checks nothing about its operands beyond what it prints, because its only callers are
// the emitters, and the tile compiler verifies the text. Pure operations are numbered once: writing the same operation
// on the same operands twice in one scope returns the first result. Constants stand at the top of the function.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xla::gpu {

enum class TtirElement : uint8_t {
#define TTIR_TYPE(id, text, bits, cls) id,
#include "xla/backends/gpu/codegen/ttir_types.def"
#undef TTIR_TYPE
};
std::string_view TextOf(TtirElement element);
int BitsOf(TtirElement element);
bool IsFloat(TtirElement element);

using TileShape = std::vector<int64_t>;

// A scalar (empty shape) or a tensor, of elements or of pointers to elements.
struct TtirType {
  TtirElement element = TtirElement::kI32;
  TileShape shape;
  bool pointer = false;

  std::string ToString() const;  // "tensor<64x1x!tt.ptr<f32>>"
  TtirType WithShape(TileShape other) const { return {element, std::move(other), pointer}; }
  TtirType WithElement(TtirElement other) const { return {other, shape, pointer}; }
  bool operator==(const TtirType&) const = default;
};

// An SSA value: its name ("%12") and type. Default-constructed: no value.
struct TtirValue {
  std::string name;
  TtirType type;
  explicit operator bool() const { return !name.empty(); }
};

// The shape that both broadcast to: sizes of 1 stretch, a scalar stretches to anything.
TileShape BroadcastShape(const TileShape& a, const TileShape& b);

class TtirBuilder {
 public:
  using Values = std::vector<TtirValue>;
  using BodyFn = std::function<Values(const TtirValue& iv, const Values& carried)>;
  using ReducerFn = std::function<Values(const Values& lhs, const Values& rhs)>;

  // Adds a pointer argument of `bytes` bytes, aligned to 16.
  TtirValue PointerArgument(TtirElement pointee, uint64_t bytes);

  TtirValue IntConstant(int64_t value, TtirType type);
  TtirValue FloatConstant(double value, TtirType type);
  TtirValue I32(int64_t value) { return IntConstant(value, {TtirElement::kI32, {}}); }
  TtirValue BoolConstant(bool value, TileShape shape) {
    return IntConstant(value ? 1 : 0, {TtirElement::kI1, std::move(shape)});
  }

  // An operation whose operands and result share one type: "arith.addi", "math.exp".
  TtirValue Unary(std::string_view op, const TtirValue& x);
  // Broadcasts the operands to their common shape first. Folds x+0 and x*1 of integers.
  TtirValue Binary(std::string_view op, const TtirValue& a, const TtirValue& b);
  TtirValue Compare(std::string_view op, std::string_view predicate, const TtirValue& a, const TtirValue& b);
  TtirValue Select(const TtirValue& condition, const TtirValue& on_true, const TtirValue& on_false);
  // "arith.extf", "tt.bitcast", ...: to another element type, same shape.
  TtirValue Cast(std::string_view op, const TtirValue& x, TtirElement to);

  TtirValue ProgramId(int axis);  // 0, 1, 2
  // start, start+1, .. along dimension `dim` of a tensor of `rank` dimensions whose other sizes are 1.
  TtirValue Iota(int64_t size, int dim, int rank);
  TtirValue Splat(const TtirValue& scalar, TileShape shape);
  // Stretches scalars and sizes of 1 to `shape`; the identity when nothing changes.
  TtirValue BroadcastTo(const TtirValue& x, const TileShape& shape);
  TtirValue ExpandDims(const TtirValue& x, int dim);
  TtirValue AddPtr(const TtirValue& pointer, const TtirValue& offset);
  // `mask` may be no value.
  TtirValue Load(const TtirValue& pointer, const TtirValue& mask, const TtirValue& other);
  void Store(const TtirValue& pointer, const TtirValue& value, const TtirValue& mask);
  TtirValue Dot(const TtirValue& a, const TtirValue& b, const TtirValue& accumulator);
  // Reduces dimension `dim` of all operands together; the results have it removed.
  Values Reduce(std::span<const TtirValue> operands, int dim, const ReducerFn& reducer);
  // for iv in [begin, end) step `step`; the results are the carried values after the last iteration.
  Values For(const TtirValue& begin, const TtirValue& end, const TtirValue& step, const Values& init,
             const BodyFn& body);

  // The module with this kernel. Call once, last.
  std::string Finish(std::string_view kernel_name);

 private:
  TtirValue NewValue(TtirType type);
  TtirValue Pure(const std::string& text, TtirType type);
  void Line(std::string_view text);
  void PushScope();
  void PopScope();

  int next_id_ = 0;
  int depth_ = 2;
  std::vector<std::string> arguments_;
  struct Constant {
    TtirValue value;
    std::string literal;
  };
  TtirValue ConstantOf(const std::string& literal, TtirType type);

  std::string body_;
  std::map<std::string, size_t> constant_by_text_;
  std::vector<Constant> constants_;  // in the order of first use
  std::vector<std::map<std::string, TtirValue>> scopes_{1};
};

}  // namespace xla::gpu
