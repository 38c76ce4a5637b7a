#include "base/safetensors.h"

#include <gtest/gtest.h>

#include <random>

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
  StatusOr<TensorMap> read = ParseSafetensors(Bytes(SerializeSafetensors(Example())), "t");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  ASSERT_EQ(read->size(), 3u);
  for (const auto& [name, tensor] : Example()) {
    EXPECT_EQ(read->at(name).dtype, tensor.dtype);
    EXPECT_EQ(read->at(name).shape, tensor.shape);
    EXPECT_EQ(read->at(name).bytes, tensor.bytes);
  }
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

TEST(Safetensors, MutatedFilesNeverCrash) {
  const std::string good = SerializeSafetensors(Example());
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (int n = random() % 3 + 1; n; --n) bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    accepted += ParseSafetensors(Bytes(bad), "f").ok();
  }
  EXPECT_GT(accepted, 0);      // changes in the data or in names are fine
  EXPECT_LT(accepted, 20000);  // others are not
}

}  // namespace
}  // namespace rocxla
