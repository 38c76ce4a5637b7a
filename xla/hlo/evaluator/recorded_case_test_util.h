// Recorded programs in tests: their inputs, their results, and whether others are close enough.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "base/safetensors.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"

namespace xla::recorded {

// The dtype of safetensors that holds elements of a type as they are in a Literal.
inline std::string DtypeOf(PrimitiveType type) {
  static const std::map<PrimitiveType, std::string> dtypes = {
#define SAFETENSORS_DTYPE(type, dtype) {type, dtype},
#include "xla/hlo/ir/safetensors_dtypes.def"
  };
  const auto it = dtypes.find(type);
  return it == dtypes.end() ? "" : it->second;
}

inline Literal LiteralFrom(const rocxla::TensorMap& tensors, const std::string& name, const Shape& shape) {
  const auto it = tensors.find(name);
  if (it == tensors.end()) {
    ADD_FAILURE() << "no tensor " << name;
    return Literal::Zeros(shape);
  }
  EXPECT_EQ(it->second.dtype, DtypeOf(shape.element_type())) << name;
  EXPECT_EQ(it->second.shape, shape.dimensions()) << name;
  return Literal::FromBytes(shape, it->second.bytes);
}

// |got - want| <= atol + rtol * |want|, NaN equals NaN; integers and pred exactly.
inline bool Close(const Literal& got, const Literal& want, int64_t i, double rtol, double atol) {
  const PrimitiveType type = want.shape().element_type();
  const int width = ByteWidth(type);
  if (std::memcmp(got.bytes().data() + i * width, want.bytes().data() + i * width, width) == 0) return true;
  if (!IsFloat(type) && !IsComplex(type)) return false;
  const bool tolerant = rtol > 0 || atol > 0;  // without tolerance 0.0 is not -0.0
  const auto near = [&](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return (a == b && tolerant) || (tolerant && std::fabs(a - b) <= atol + rtol * std::fabs(b));
  };
  if (IsFloat(type)) return near(got.GetAsDouble(i), want.GetAsDouble(i));
  const int parts = type == C64 ? 4 : 8;
  for (int64_t offset : {int64_t{0}, int64_t{parts}}) {
    float f[2];
    double d[2];
    const Literal* sides[] = {&got, &want};
    for (int s = 0; s < 2; ++s) {
      const uint8_t* at = sides[s]->bytes().data() + i * width + offset;
      if (type == C64) std::memcpy(&f[s], at, 4);
      if (type == C64) d[s] = f[s];
      if (type == C128) std::memcpy(&d[s], at, 8);
    }
    if (!near(d[0], d[1])) return false;
  }
  return true;
}

inline void ExpectClose(const Literal& got, const Literal& want, double rtol, double atol) {
  ASSERT_TRUE(ShapeUtil::Compatible(got.shape(), want.shape()));
  int64_t wrong = 0;
  int64_t first = -1;
  for (int64_t i = 0; i < want.element_count(); ++i) {
    if (Close(got, want, i, rtol, atol)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  const int width = ByteWidth(want.shape().element_type());
  ADD_FAILURE() << fmt::format("{} of {} elements of {} differ; element {}: got {}, want {}", wrong,
                               want.element_count(), want.shape().ToString(), first,
                               ElementToString(want.shape().element_type(), got.bytes().data() + first * width),
                               ElementToString(want.shape().element_type(), want.bytes().data() + first * width));
}

inline std::vector<Literal> Arguments(const HloModule& module, const rocxla::TensorMap& tensors) {
  std::vector<Literal> arguments;
  for (const Shape& shape : module.entry_computation()->ComputeProgramShape().parameters) {
    arguments.push_back(LiteralFrom(tensors, fmt::format("in.{}", arguments.size()), shape));
  }
  return arguments;
}

// Evaluates the program of a case's folder and compares with what was recorded there; the results.
inline std::vector<Literal> ExpectRecordedResults(const HloModule& module, const std::filesystem::path& folder) {
  const auto tensors = rocxla::ReadSafetensors(folder / "io.safetensors");
  const auto json = rocxla::ReadJson(folder / "case.json");
  if (!tensors.ok() || !json.ok()) {
    ADD_FAILURE() << tensors.status().ToString() << json.status().ToString();
    return {};
  }
  const auto results = Evaluate(module, Arguments(module, *tensors));
  if (!results.ok()) {
    ADD_FAILURE() << results.status().ToString();
    return {};
  }
  for (size_t i = 0; i < results->size(); ++i) {
    SCOPED_TRACE(fmt::format("out.{}", i));
    const Literal want = LiteralFrom(*tensors, fmt::format("out.{}", i), (*results)[i].shape());
    ExpectClose((*results)[i], want, (*json)["rtol"].get<double>(), (*json)["atol"].get<double>());
  }
  return *results;
}

}  // namespace xla::recorded
