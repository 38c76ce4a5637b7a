#include "xla/backends/gpu/codegen/index_expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace xla::gpu {
namespace {

int64_t FloorDivide(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q * b > a ? q - 1 : q;
}
int64_t FloorModulo(int64_t a, int64_t b) { return a - FloorDivide(a, b) * b; }

Interval Scaled(Interval range, int64_t factor) {
  return factor >= 0 ? Interval{range.lo * factor, range.hi * factor} : Interval{range.hi * factor, range.lo * factor};
}

IndexTerm QuotientTerm(IndexTerm::Kind kind, const IndexExpr& inner, int64_t divisor) {
  return {.kind = kind, .inner = std::make_shared<const IndexExpr>(inner), .divisor = divisor};
}

bool LiesWithin(const IndexExpr& expr, int64_t size) { return Interval{0, size - 1}.Contains(expr.Range()); }

int Compare(const IndexExpr& a, const IndexExpr& b);

int Compare(const IndexTerm& a, const IndexTerm& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.kind == IndexTerm::Kind::kVariable) return a.variable < b.variable ? -1 : a.variable > b.variable;
  if (a.divisor != b.divisor) return a.divisor < b.divisor ? -1 : 1;
  return Compare(*a.inner, *b.inner);
}

int Compare(const IndexExpr& a, const IndexExpr& b) {
  if (a.constant() != b.constant()) return a.constant() < b.constant() ? -1 : 1;
  if (a.terms().size() != b.terms().size()) return a.terms().size() < b.terms().size() ? -1 : 1;
  for (auto x = a.terms().begin(), y = b.terms().begin(); x != a.terms().end(); ++x, ++y) {
    if (int order = Compare(x->first, y->first)) return order;
    if (x->second != y->second) return x->second < y->second ? -1 : 1;
  }
  return 0;
}

}  // namespace

Interval IndexTerm::Range() const {
  switch (kind) {
    case Kind::kVariable:
      return range;
    case Kind::kFloorDiv: {
      Interval in = inner->Range();
      return {FloorDivide(in.lo, divisor), FloorDivide(in.hi, divisor)};
    }
    case Kind::kMod:
      return {0, divisor - 1};
  }
  return {};
}

std::string IndexTerm::ToString() const {
  if (kind == Kind::kVariable) return fmt::format("d{}", variable);
  std::string text = inner->ToString();
  if (text.find(' ') != std::string::npos && text[0] != '(') text = "(" + text + ")";
  return fmt::format("({} {} {})", text, kind == Kind::kMod ? "mod" : "floordiv", divisor);
}

bool IndexTerm::operator==(const IndexTerm& other) const { return Compare(*this, other) == 0; }
bool IndexTerm::operator<(const IndexTerm& other) const { return Compare(*this, other) < 0; }

IndexExpr IndexExpr::Variable(int id, Interval range) {
  if (range.lo == range.hi) return IndexExpr(range.lo);
  IndexExpr out;
  out.terms_[{.kind = IndexTerm::Kind::kVariable, .variable = id, .range = range}] = 1;
  return out;
}

bool IndexExpr::IsAffine() const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const auto& t) { return t.first.kind == IndexTerm::Kind::kVariable; });
}

int64_t IndexExpr::CoefficientOf(int variable) const {
  for (const auto& [term, coefficient] : terms_) {
    if (term.kind == IndexTerm::Kind::kVariable && term.variable == variable) return coefficient;
  }
  return 0;
}

std::vector<int> IndexExpr::Variables() const {
  std::set<int> found;
  for (const auto& [term, coefficient] : terms_) {
    if (term.kind == IndexTerm::Kind::kVariable) {
      found.insert(term.variable);
    } else {
      for (int id : term.inner->Variables()) found.insert(id);
    }
  }
  return {found.begin(), found.end()};
}

Interval IndexExpr::Range() const {
  Interval sum{constant_, constant_};
  for (const auto& [term, coefficient] : terms_) {
    Interval part = Scaled(term.Range(), coefficient);
    sum = {sum.lo + part.lo, sum.hi + part.hi};
  }
  return sum;
}

IndexExpr IndexExpr::Substitute(const std::function<const IndexExpr*(int)>& substitute) const {
  IndexExpr out(constant_);
  for (const auto& [term, coefficient] : terms_) {
    IndexExpr part;
    if (term.kind == IndexTerm::Kind::kVariable) {
      const IndexExpr* replacement = substitute(term.variable);
      part = replacement ? *replacement : Variable(term.variable, term.range);
    } else {
      IndexExpr inner = term.inner->Substitute(substitute);
      part = term.kind == IndexTerm::Kind::kMod ? inner.Mod(term.divisor) : inner.FloorDiv(term.divisor);
    }
    out = out + part * coefficient;
  }
  return out;
}

int64_t IndexExpr::Evaluate(const std::function<int64_t(int)>& value) const {
  int64_t sum = constant_;
  for (const auto& [term, coefficient] : terms_) {
    switch (term.kind) {
      case IndexTerm::Kind::kVariable:
        sum += coefficient * value(term.variable);
        break;
      case IndexTerm::Kind::kFloorDiv:
        sum += coefficient * FloorDivide(term.inner->Evaluate(value), term.divisor);
        break;
      case IndexTerm::Kind::kMod:
        sum += coefficient * FloorModulo(term.inner->Evaluate(value), term.divisor);
        break;
    }
  }
  return sum;
}

std::string IndexExpr::ToString() const {
  std::string out;
  for (const auto& [term, coefficient] : terms_) {
    if (!out.empty()) out += " + ";
    out += term.ToString();
    if (coefficient != 1) out += fmt::format("*{}", coefficient);
  }
  if (out.empty()) return fmt::format("{}", constant_);
  if (constant_ != 0) out += fmt::format(" + {}", constant_);
  return out;
}

void IndexExpr::Add(const IndexTerm& term, int64_t coefficient) {
  if (coefficient == 0) return;
  int64_t& sum = terms_[term];
  sum += coefficient;
  if (sum == 0) terms_.erase(term);
}

void IndexExpr::MergeQuotients() {
  for (auto it = terms_.begin(); it != terms_.end();) {
    const auto [mod, coefficient] = *it++;
    if (mod.kind != IndexTerm::Kind::kMod) continue;
    IndexExpr quotient = mod.inner->FloorDiv(mod.divisor);
    if (quotient.constant_ != 0 || quotient.terms_.size() != 1 || quotient.terms_.begin()->second != 1) continue;
    auto partner = terms_.find(quotient.terms_.begin()->first);
    if (partner == terms_.end() || partner->second != coefficient * mod.divisor) continue;
    terms_.erase(partner);
    terms_.erase(mod);
    *this = *this + *mod.inner * coefficient;  // merges further pairs itself
    return;
  }
}

IndexExpr operator+(const IndexExpr& a, const IndexExpr& b) {
  IndexExpr out = a;
  out.constant_ += b.constant_;
  for (const auto& [term, coefficient] : b.terms_) out.Add(term, coefficient);
  out.MergeQuotients();
  return out;
}

IndexExpr operator*(const IndexExpr& a, int64_t factor) {
  IndexExpr out(a.constant_ * factor);
  if (factor == 0) return out;
  for (const auto& [term, coefficient] : a.terms_) out.terms_[term] = coefficient * factor;
  return out;
}

std::pair<IndexExpr, IndexExpr> IndexExpr::PullOut(int64_t divisor) const {
  IndexExpr quotient(FloorDivide(constant_, divisor)), rest(FloorModulo(constant_, divisor));
  for (const auto& [term, coefficient] : terms_) {
    IndexExpr& side = coefficient % divisor == 0 ? quotient : rest;
    side.terms_[term] = coefficient % divisor == 0 ? coefficient / divisor : coefficient;
  }
  return {quotient, rest};
}

IndexExpr IndexExpr::FloorDiv(int64_t divisor) const {
  if (divisor == 1) return *this;
  auto [quotient, rest] = PullOut(divisor);
  if (LiesWithin(rest, divisor)) return quotient;
  // rest = g*a + b with b in [0, g) and g | divisor: rest / divisor = a / (divisor / g).
  for (const auto& [term, coefficient] : rest.terms_) {
    int64_t g = std::gcd(coefficient, divisor);
    if (g == 1) continue;
    auto [a, b] = rest.PullOut(g);
    if (LiesWithin(b, g)) return quotient + a.FloorDiv(divisor / g);
  }
  // (x / a) / b = x / (a*b)
  if (rest.constant_ == 0 && rest.terms_.size() == 1 && rest.terms_.begin()->second == 1 &&
      rest.terms_.begin()->first.kind == IndexTerm::Kind::kFloorDiv) {
    const IndexTerm& term = rest.terms_.begin()->first;
    return quotient + term.inner->FloorDiv(term.divisor * divisor);
  }
  IndexExpr out = quotient;
  out.Add(QuotientTerm(IndexTerm::Kind::kFloorDiv, rest, divisor), 1);
  return out;
}

IndexExpr IndexExpr::Mod(int64_t divisor) const {
  if (divisor == 1) return IndexExpr(0);
  IndexExpr rest = PullOut(divisor).second;
  if (LiesWithin(rest, divisor)) return rest;
  // rest = g*a + b with b in [0, g) and g | divisor: rest % divisor = g * (a % (divisor / g)) + b.
  for (const auto& [term, coefficient] : rest.terms_) {
    int64_t g = std::gcd(coefficient, divisor);
    if (g == 1) continue;
    auto [a, b] = rest.PullOut(g);
    if (LiesWithin(b, g)) return a.Mod(divisor / g) * g + b;
  }
  // (x % (a*b)) % b = x % b
  if (rest.constant_ == 0 && rest.terms_.size() == 1 && rest.terms_.begin()->second == 1) {
    const IndexTerm& term = rest.terms_.begin()->first;
    if (term.kind == IndexTerm::Kind::kMod && term.divisor % divisor == 0) return term.inner->Mod(divisor);
  }
  IndexExpr out;
  out.Add(QuotientTerm(IndexTerm::Kind::kMod, rest, divisor), 1);
  return out;
}

IndexExpr LinearIndex(const std::vector<IndexExpr>& indices, const std::vector<int64_t>& strides) {
  IndexExpr sum;
  for (size_t i = 0; i < indices.size(); ++i) sum = sum + indices[i] * strides[i];
  return sum;
}

std::vector<IndexExpr> Delinearize(const IndexExpr& linear, const std::vector<int64_t>& dimensions) {
  std::vector<IndexExpr> out(dimensions.size());
  int64_t stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    IndexExpr shifted = linear.FloorDiv(stride);
    out[i] = i == 0 ? shifted : shifted.Mod(dimensions[i]);
    if (dimensions[i] == 1) out[i] = 0;
    stride *= std::max<int64_t>(dimensions[i], 1);
  }
  return out;
}

}  // namespace xla::gpu
