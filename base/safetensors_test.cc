#include "base/safetensors.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

std::span<const uint8_t> Bytes(const std::string& s) { return {reinterpret_cast<const uint8_t*>(s.data()), s.size()}; }

std::string File(std::string_view header, std::string_view data) {
  std::string file(8, '\0');
  for (int i = 0; i < 8; ++i) file[i] = static_cast<char>(header.size() >> (8 * i));
  return file.append(header).append(data);
}

TensorMap Example() {
  return {{"in.0", {"F32", {2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}}},
          {"scalar", {"BOOL", {}, {1}}},
          {"none", {"F16", {0, 3}, {}}}};
}

TEST(Safetensors, RoundTrips) {
  StatusOr<TensorMap> read = ParseSafetensors(Bytes(*SerializeSafetensors(Example())), "t");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, Example());
}

TEST(Safetensors, FullDevicesAreReportedAndStayDevices) {
  EXPECT_EQ(WriteSafetensors("/dev/full", Example()).ToString(),
            "E6001 FileUnreadable: cannot write a file\n"
            "  where:    /dev/full\n"
            "  found:    No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(Safetensors, ReadsRecordedCases) {
  StatusOr<TensorMap> read = ReadSafetensors(ROCXLA_TEST_CASES "/jax/binary_add/io.safetensors");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->at("in.0").shape, (std::vector<int64_t>{33, 65}));
  EXPECT_EQ(read->at("out.0").bytes.size(), 33u * 65 * 4);
}

TEST(Safetensors, SaysWhatIsWrong) {
  auto error = [](const std::string& file) { return ParseSafetensors(Bytes(file), "f").status().ToString(); };
  EXPECT_EQ(error("abc"),
            "E6002 BadSafetensors: the header does not fit into the file\n"
            "  where:    f\n"
            "  found:    3 bytes in all\n"
            "  expected: 8 bytes of length and 0 of header");
  EXPECT_EQ(error(File(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", "12345678")),
            "E6002 BadSafetensors: the data does not fit the shape\n"
            "  where:    tensor 'x' of f\n"
            "  found:    8 bytes\n"
            "  expected: 12 bytes for F32[3]");
  EXPECT_EQ(error(File(R"({"x":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", "1234")),
            "E6002 BadSafetensors: unknown dtype\n"
            "  where:    tensor 'x' of f\n"
            "  found:    F33");
  EXPECT_EQ(
      error(File(
          R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"y":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
          "1234")),
      "E6002 BadSafetensors: tensors overlap\n"
      "  where:    f\n"
      "  found:    'y'\n"
      "  expected: separate data for each");
  EXPECT_EQ(ParseSafetensors(
                Bytes(File(R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", "")), "f")
                .status()
                .id(),
            ErrorId::kBadSafetensors);
}

ErrorId IdOf(std::string_view header, std::string_view data) {
  return ParseSafetensors(Bytes(File(header, data)), "f").status().id();
}

TEST(Safetensors, HostileHeadersAreErrors) {
  constexpr std::string_view kGood = R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})";
  EXPECT_EQ(IdOf(kGood, "1234"), ErrorId::kNone);
  for (const char* bad : {
           R"([])",
           R"(3)",
           R"({"x":3})",
           R"({"x":{}})",
           R"({"x":{"dtype":"U8","shape":[4]}})",
           R"({"x":{"dtype":"U8","shape":4,"data_offsets":[0,4]}})",
           R"({"x":{"dtype":"U8","shape":["4"],"data_offsets":[0,4]}})",
           R"({"x":{"dtype":"U8","shape":[4.0],"data_offsets":[0,4]}})",
           R"({"x":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}})",
           R"({"x":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,4]}})",
           R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0]}})",
           R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}})",
           R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[-4,0]}})",
           R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[1,5]}})",
           R"({"x":{"dtype":"U8","shape":[4],"data_offsets":[0,18446744073709551615]}})",
           R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",
           R"({"__metadata__":{"a":1},"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       })
    EXPECT_TRUE(IdOf(bad, "1234") == ErrorId::kBadSafetensors || IdOf(bad, "1234") == ErrorId::kBadJson) << bad;
  EXPECT_EQ(IdOf(R"({"__metadata__":{"a":"b"},"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", "1234"),
            ErrorId::kNone);
}

TEST(Safetensors, NamesAppearOnce) {
  EXPECT_EQ(
      IdOf(
          R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"x":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
          "1234"),
      ErrorId::kBadJson);
}

TEST(Safetensors, BytesOfNoTensorAreErrors) {
  auto error = [](const std::string& file) { return ParseSafetensors(Bytes(file), "f").status().ToString(); };
  EXPECT_EQ(error(File(R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", "123")),
            "E6002 BadSafetensors: bytes that belong to no tensor\n"
            "  where:    f\n"
            "  found:    bytes 0 to 1 of the data");
  EXPECT_EQ(error(File("{}", "123")),
            "E6002 BadSafetensors: bytes that belong to no tensor\n"
            "  where:    f\n"
            "  found:    bytes 0 to 3 of the data");
}

TEST(Safetensors, EveryTruncationIsAnError) {
  const std::string file = *SerializeSafetensors(Example());
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(ParseSafetensors(Bytes(file.substr(0, size)), "f").ok()) << size;
}

TEST(Safetensors, UnusableTensorsAreNotWritten) {
  EXPECT_EQ(SerializeSafetensors({{"x", {"F32", {2}, {1, 2, 3}}}}).status().ToString(),
            "E6002 BadSafetensors: the tensor cannot be written\n"
            "  where:    tensor 'x'\n"
            "  found:    3 bytes of data, but F32[2] has 8");
  EXPECT_FALSE(SerializeSafetensors({{"a\xff", {"U8", {}, {1}}}}).ok());
  EXPECT_FALSE(SerializeSafetensors({{"__metadata__", {"U8", {}, {1}}}}).ok());
  EXPECT_FALSE(SerializeSafetensors({{"x", {"F33", {}, {1}}}}).ok());
}

}  // namespace
}  // namespace rocxla
