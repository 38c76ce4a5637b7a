// IndexExpr: integer expressions over variables with known ranges: sums of variables, quotients and remainders by
// constants.
//
// Expressions are always simplified: building (x*8 + y) / 8 with y in [0, 8) gives x, and (x / 8) * 8 + x % 8 gives x
// again. So the indices of a value inside a fusion, found by composing the maps of the instructions between it and the
// root, come out in the form that the emitters can turn into contiguous accesses (design: tiles of three dimensions, no
// division per element). Division and remainder are those of floor: -1 / 8 = -1, -1 % 8 = 7.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace xla::gpu {

struct Interval {  // inclusive
  int64_t lo = 0;
  int64_t hi = 0;
  bool Contains(const Interval& other) const { return lo <= other.lo && other.hi <= hi; }
  bool operator==(const Interval&) const = default;
};

class IndexExpr;

// What an expression is a weighted sum of.
struct IndexTerm {
  enum class Kind : uint8_t { kVariable, kFloorDiv, kMod };
  Kind kind = Kind::kVariable;
  int variable = 0;                        // kVariable
  Interval range;                          // kVariable
  std::shared_ptr<const IndexExpr> inner;  // kFloorDiv, kMod
  int64_t divisor = 1;                     // kFloorDiv, kMod; > 0

  Interval Range() const;
  std::string ToString() const;
  bool operator==(const IndexTerm& other) const;
  bool operator<(const IndexTerm& other) const;  // a total order, for canonical sums
};

class IndexExpr {
 public:
  IndexExpr() = default;                                // 0
  IndexExpr(int64_t constant) : constant_(constant) {}  // NOLINT: constants are expressions
  // The variable `id`, whose values lie in `range`. One id must always come with one range.
  static IndexExpr Variable(int id, Interval range);

  int64_t constant() const { return constant_; }
  const std::map<IndexTerm, int64_t>& terms() const { return terms_; }  // coefficients, none 0
  bool IsConstant() const { return terms_.empty(); }
  // True if no quotient or remainder is left.
  bool IsAffine() const;
  // The coefficient of a variable outside of quotients and remainders.
  int64_t CoefficientOf(int variable) const;
  // The variables in it, also inside of quotients; ascending.
  std::vector<int> Variables() const;
  // A range that contains every value.
  Interval Range() const;
  // Replaces variables; `substitute` returns the expression for an id, or nullptr to keep it.
  IndexExpr Substitute(const std::function<const IndexExpr*(int)>& substitute) const;
  // With values for all variables.
  int64_t Evaluate(const std::function<int64_t(int)>& value) const;
  std::string ToString() const;  // "d0*8 + d1 floordiv 4 + 3"

  IndexExpr FloorDiv(int64_t divisor) const;
  IndexExpr Mod(int64_t divisor) const;
  friend IndexExpr operator+(const IndexExpr& a, const IndexExpr& b);
  friend IndexExpr operator-(const IndexExpr& a, const IndexExpr& b) { return a + b * -1; }
  friend IndexExpr operator*(const IndexExpr& a, int64_t factor);
  bool operator==(const IndexExpr& other) const = default;

 private:
  void Add(const IndexTerm& term, int64_t coefficient);
  // k*(x % c) + k*c*(x / c) -> k*x, until there is no such pair.
  void MergeQuotients();
  // Splits into `divisor` * first + second, second holding what cannot be pulled out.
  std::pair<IndexExpr, IndexExpr> PullOut(int64_t divisor) const;

  int64_t constant_ = 0;
  std::map<IndexTerm, int64_t> terms_;
};

// The row-major number of `indices` in an array of `dimensions`, with each dimension's element stride.
IndexExpr LinearIndex(const std::vector<IndexExpr>& indices, const std::vector<int64_t>& strides);
// The indices of element `linear` of a row-major array.
std::vector<IndexExpr> Delinearize(const IndexExpr& linear, const std::vector<int64_t>& dimensions);

}  // namespace xla::gpu
