#include "base/json.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

TEST(Json, ErrorsNameThePlace) {
  EXPECT_EQ(ParseJson("{\"a\": 1,}", "case.json").status().ToString(),
            "E6003 BadJson: not well-formed JSON\n"
            "  where:    case.json, byte 9\n"
            "  found:    syntax error while parsing object key - unexpected '}'; expected string literal");
}

TEST(Json, DeepNestingAndForeignBytesAreNoDanger) {
  std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_EQ(ParseJson(deep, "f").status().ToString(),
            "E6003 BadJson: JSON is nested too deeply\n"
            "  where:    f, byte 201\n"
            "  expected: 200 levels at most");
  EXPECT_EQ(JsonText(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(Json, FieldsAreTyped) {
  StatusOr<Json> json = ParseJson(R"({"rtol": 0.5, "n": 3, "s": "x"})", "case.json");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(*JsonNumber(*json, "rtol", "case.json"), 0.5);
  EXPECT_EQ(*JsonInteger(*json, "n", "case.json"), 3);
  EXPECT_EQ(*JsonString(*json, "s", "case.json"), "x");
  EXPECT_EQ(JsonInteger(*json, "rtol", "case.json").status().ToString(),
            "E6003 BadJson: field \"rtol\" is not usable\n"
            "  where:    case.json\n"
            "  found:    number\n"
            "  expected: a whole number");
  EXPECT_EQ(JsonString(*json, "absent", "case.json").status().id(), ErrorId::kBadJson);
  EXPECT_EQ(JsonString(Json(3), "absent", "case.json").status().id(), ErrorId::kBadJson);
}

}  // namespace
}  // namespace rocxla
