#include "base/status.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

#include <memory>

namespace rocxla {
namespace {

TEST(Status, RendersTheAnswersThatAreThere) {
  Status s = Error(ErrorId::kHloSyntax,
                   {.what = "unexpected token", .where = "a.hlo:1:2\n  add(\n      ^", .next = "close it"});
  EXPECT_EQ(s.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(s.ToString(),
            "E1001 HloSyntax: unexpected token\n"
            "  where:    a.hlo:1:2\n"
            "              add(\n"
            "                  ^\n"
            "  next:     close it");
  EXPECT_EQ(InternalError("x").ToString(), "INTERNAL: x");
  EXPECT_EQ(OkStatus().ToString(), "OK");
}

StatusOr<std::unique_ptr<int>> Make(bool good) {
  if (!good) return NotFoundError("nothing");
  return std::make_unique<int>(4);
}
StatusOr<int> Twice(bool good) {
  ASSIGN_OR_RETURN(std::unique_ptr<int> x, Make(good));
  return *x * 2;
}

TEST(StatusOr, CarriesMoveOnlyValuesAndErrors) {
  EXPECT_EQ(*Twice(true), 8);
  EXPECT_EQ(Twice(false).status(), NotFoundError("nothing"));
}

TEST(ErrorTable, EveryRowIsFoundByItsNumber) {
#define ERROR_CODE(number, name_, code_, summary_)              \
  EXPECT_EQ(InfoOf(ErrorId::k##name_).name, #name_);            \
  EXPECT_EQ(InfoOf(ErrorId::k##name_).code, StatusCode::code_); \
  EXPECT_EQ(static_cast<int>(ErrorId::k##name_), number);
#include "base/error_codes.def"
#undef ERROR_CODE
}

}  // namespace
}  // namespace rocxla
