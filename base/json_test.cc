#include "base/json.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

TEST(Json, ErrorsNameLineAndColumn) {
  EXPECT_EQ(ParseJson("{\"a\": 1,}", "case.json").status().ToString(),
            "E6003 BadJson: not well-formed JSON\n"
            "  where:    case.json:1:9\n"
            "  found:    syntax error while parsing object key - unexpected '}'; expected string literal");
  EXPECT_EQ(ParseJson("{\n \"a\": [1,\n  \"\u00e4\u00f6\" nul]}", "f").status().ToString(),
            "E6003 BadJson: not well-formed JSON\n"
            "  where:    f:3:11\n"
            "  found:    syntax error while parsing array - invalid literal; last read: '\"\u00e4\u00f6\" nul]'; "
            "expected ']'");
  EXPECT_EQ(ParseJson("", "f").status().ToString(),
            "E6003 BadJson: not well-formed JSON\n"
            "  where:    f:1:1\n"
            "  found:    syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal");
}

TEST(Json, NumbersAreFinite) {
  EXPECT_EQ(ParseJson("[1e999]", "f").status().ToString(),
            "E6003 BadJson: not well-formed JSON\n"
            "  where:    f:1:6\n"
            "  found:    number overflow parsing '1e999'");
  for (const char* bad : {"NaN", "[Infinity]", "-inf", "0x10", "01", "1.", ".5", "+1"})
    EXPECT_EQ(ParseJson(bad, "f").status().id(), ErrorId::kBadJson) << bad;
}

TEST(Json, DuplicateNamesAreErrors) {
  EXPECT_EQ(ParseJson(R"({"a": {"b": 1, "c": 2, "b": 3}})", "f").status().ToString(),
            "E6003 BadJson: a name appears twice in one object\n"
            "  where:    f\n"
            "  found:    \"b\"\n"
            "  expected: every name once");
  EXPECT_TRUE(ParseJson(R"({"a": {"a": 1}, "b": {"a": 1}})", "f").ok());
}

TEST(Json, DeepNestingAndForeignBytesAreNoDanger) {
  std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_EQ(ParseJson(deep, "f").status().ToString(),
            "E6003 BadJson: JSON is nested too deeply\n"
            "  where:    f:1:201\n"
            "  expected: 200 levels at most");
  EXPECT_TRUE(ParseJson(std::string(200, '[') + std::string(200, ']'), "f").ok());
  EXPECT_TRUE(ParseJson("\"" + std::string(300, '[') + "\\\"[\"", "f").ok());
  EXPECT_EQ(ParseJson("\"a\xff\"", "f").status().id(), ErrorId::kBadJson);
  EXPECT_EQ(ParseJson("\"\xed\xa0\x80\"", "f").status().id(), ErrorId::kBadJson);  // half of a surrogate pair
  EXPECT_EQ(JsonText(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(Json, EveryKindOfValueArrives) {
  const char* text = R"({"a":[null,true,false,-1,18446744073709551615,0.5,"x\u0041\n"],"b":{"c":[],"d":{}}})";
  StatusOr<Json> json = ParseJson(text, "f");
  ASSERT_TRUE(json.ok()) << json.status().ToString();
  EXPECT_EQ(json->dump(), R"({"a":[null,true,false,-1,18446744073709551615,0.5,"xA\n"],"b":{"c":[],"d":{}}})");
}

TEST(Json, EveryTruncationIsAnError) {
  const std::string text = R"({"a":[null,true,-1.5e3,"x\u0041\n"],"b":{"c":[],"d":{}}})";
  ASSERT_TRUE(ParseJson(text, "f").ok());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(ParseJson(text.substr(0, size), "f").status().id(), ErrorId::kBadJson) << size;
}

TEST(Json, FieldsAreTyped) {
  StatusOr<Json> json = ParseJson(R"({"rtol": 0.5, "n": 3, "s": "x", "big": 9223372036854775808})", "case.json");
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(*JsonNumber(*json, "rtol", "case.json"), 0.5);
  EXPECT_EQ(*JsonInteger(*json, "n", "case.json"), 3);
  EXPECT_EQ(*JsonString(*json, "s", "case.json"), "x");
  EXPECT_EQ(JsonInteger(*json, "rtol", "case.json").status().ToString(),
            "E6003 BadJson: field \"rtol\" is not usable\n"
            "  where:    case.json\n"
            "  found:    number\n"
            "  expected: a whole number");
  EXPECT_EQ(JsonInteger(*json, "big", "case.json").status().id(), ErrorId::kBadJson);
  EXPECT_EQ(JsonString(*json, "absent", "case.json").status().id(), ErrorId::kBadJson);
  EXPECT_EQ(JsonString(Json(3), "absent", "case.json").status().id(), ErrorId::kBadJson);
}

}  // namespace
}  // namespace rocxla
