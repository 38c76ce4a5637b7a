#include "base/npy.h"
#include "base/error_ids.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "base/npy_header.h"

namespace rocxla {
namespace {

std::span<const uint8_t> Bytes(const std::string& s) { return {reinterpret_cast<const uint8_t*>(s.data()), s.size()}; }

// A version 1.0 file with any header.
std::string File(std::string_view header, std::string_view data) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += static_cast<char>(header.size() >> 8);
  return file.append(header).append(data);
}

std::string Error(const std::string& file, std::string_view plain_bytes_as = "") {
  return ParseNpy(Bytes(file), "f", plain_bytes_as).status().ToString();
}

// What numpy.save writes for numpy.array([[1, 2, 3], [4, 5, 6]], dtype="<i2"): 128 bytes, then the data.
std::string NumpyFile() {
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  header += '\n';
  return File(header, std::string("\1\0\2\0\3\0\4\0\5\0\6\0", 12));
}

TEST(Npy, WritesWhatNumpyWrites) {
  const Tensor tensor = {"I16", {2, 3}, {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0}};
  EXPECT_EQ(*SerializeNpy(tensor), NumpyFile());
  StatusOr<Tensor> read = ParseNpy(Bytes(NumpyFile()), "f");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, tensor);
}

TEST(Npy, FortranOrderAndBigEndianAreRearranged) {
  const std::string file =
      File("{'shape': (2, 3), 'fortran_order': True, 'descr': '>u2'}", std::string("\0\1\0\4\0\2\0\5\0\3\0\6", 12));
  StatusOr<Tensor> read = ParseNpy(Bytes(file), "f");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, (Tensor{"U16", {2, 3}, {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0}}));
  EXPECT_EQ(SerializeNpy(*read, {1, ByteOrder::kBig, MemoryOrder::kFortran})->substr(128),
            file.substr(file.size() - 12));
}

TEST(Npy, ComplexNumbersSwapTheirParts) {
  const std::string file = File("{'descr': '>c8', 'fortran_order': False, 'shape': ()}", "abcdefgh");
  EXPECT_EQ(*ParseNpy(Bytes(file), "f"), (Tensor{"C64", {}, {'d', 'c', 'b', 'a', 'h', 'g', 'f', 'e'}}));
}

TEST(Npy, EveryDtypeAndLayoutRoundTrips) {
  std::mt19937 random(3);
  for (std::string_view dtype : AllDtypes())
    for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{{}, {4}, {2, 3, 4}, {3, 0}, {1, 6, 1}}) {
      Tensor tensor = {std::string(dtype), shape, {}};
      tensor.bytes.resize(DtypeBytes(dtype, static_cast<uint64_t>(tensor.elements())));
      for (uint8_t& byte : tensor.bytes) byte = static_cast<uint8_t>(random());
      if (tensor.elements() % 2 == 1 && DtypeBits(dtype) == 4) tensor.bytes.back() &= 0xf;
      for (int version : {1, 2, 3})
        for (ByteOrder bytes : {ByteOrder::kLittle, ByteOrder::kBig})
          for (MemoryOrder order : {MemoryOrder::kC, MemoryOrder::kFortran}) {
            StatusOr<std::string> file = SerializeNpy(tensor, {version, bytes, order});
            ASSERT_TRUE(file.ok()) << file.status().ToString();
            StatusOr<Tensor> read = ParseNpy(Bytes(*file), "f", DtypeNumpyCode(dtype)[0] == 'V' ? dtype : "");
            ASSERT_TRUE(read.ok()) << read.status().ToString();
            ASSERT_EQ(*read, tensor) << dtype;
          }
    }
}

TEST(Npy, PlainBytesNeedAName) {
  const std::string file = File("{'descr': '|V2', 'fortran_order': False, 'shape': (1,)}", "ab");
  EXPECT_EQ(Error(file),
            "E6009 BadNpy: the file holds plain bytes of no named type\n"
            "  where:    f\n"
            "  found:    'V2'\n"
            "  expected: to be told which: BF16");
  EXPECT_EQ(Error(file, "F8_E5M2"),
            "E6009 BadNpy: the file holds plain bytes of no named type\n"
            "  where:    f\n"
            "  found:    'V2', to be read as F8_E5M2\n"
            "  expected: to be told which: BF16");
  EXPECT_EQ(Error(file, "BF16"), "OK");
  EXPECT_EQ(Error(File("{'descr': '|V1', 'fortran_order': False, 'shape': (2,)}", "\x0f\x10"), "F4"),
            "E6009 BadNpy: an element is no F4\n"
            "  where:    f\n"
            "  found:    0x10 at index 1\n"
            "  expected: 4 bits");
}

TEST(Npy, SaysWhatIsWrong) {
  EXPECT_EQ(Error("NUMPY"),
            "E6009 BadNpy: the file does not begin as npy files do\n"
            "  where:    f\n"
            "  found:    5 bytes\n"
            "  expected: the byte 0x93, 'NUMPY', and a version");
  EXPECT_EQ(Error("\x93NUMPY\x04\x01"),
            "E6009 BadNpy: unknown version\n"
            "  where:    f\n"
            "  found:    4.1\n"
            "  expected: 1.0, 2.0 or 3.0");
  EXPECT_EQ(Error(File("{'descr': '<f4', 'fortran_order': 1, 'shape': ()}", "abcd")),
            "E6009 BadNpy: the header is not understood\n"
            "  where:    f, byte 34 of the header\n"
            "  found:    '1, 'shape': ()}'\n"
            "  expected: True or False");
  EXPECT_EQ(Error(File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", "abcd")),
            "E6009 BadNpy: the data does not fit the shape\n"
            "  where:    f\n"
            "  found:    4 bytes\n"
            "  expected: 24 bytes for (2, 3) of '<f4'");
  EXPECT_EQ(Error(File("{'descr': '<U3', 'fortran_order': False, 'shape': ()}", "abcd")),
            "E6009 BadNpy: the element type has no counterpart\n"
            "  where:    f\n"
            "  found:    'U3'\n"
            "  expected: one of b1, u1, i1, u2, i2, u4, i4, u8, i8, f2, f4, f8, c8, c16");
}

TEST(Npy, HostileHeadersAreErrors) {
  for (const char* bad : {
           "",
           "{",
           "{}",
           "[]",
           "{'descr': '<f4'}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
           "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}",
           "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': 'f4', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f4\\n', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
       })
    EXPECT_EQ(ParseNpy(Bytes(File(bad, "abcd")), "f").status().id(), ErrorId::kBadNpy) << bad;
  std::string many;
  for (int i = 0; i <= kMostNpyDimensions; ++i) many += "1,";
  EXPECT_EQ(ParseNpyHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (" + many + ")}", "f").status().id(),
            ErrorId::kBadNpy);
}

TEST(Npy, EveryTruncationAndExtensionIsAnError) {
  for (int version : {1, 2, 3}) {
    const std::string file = *SerializeNpy({"F64", {2}, std::vector<uint8_t>(16)}, {.version = version});
    for (size_t size = 0; size < file.size(); ++size)
      EXPECT_EQ(ParseNpy(Bytes(file.substr(0, size)), "f").status().id(), ErrorId::kBadNpy) << size;
    EXPECT_EQ(ParseNpy(Bytes(file + "x"), "f").status().id(), ErrorId::kBadNpy);
  }
}

TEST(Npy, UnusableTensorsAreNotWritten) {
  EXPECT_EQ(SerializeNpy({"F32", {2}, {1, 2, 3}}).status().ToString(),
            "E6009 BadNpy: the tensor cannot be written\n"
            "  where:    a tensor to be written\n"
            "  found:    3 bytes of data, but F32[2] has 8");
  EXPECT_FALSE(SerializeNpy({"F33", {}, {1, 2, 3, 4}}).ok());
  EXPECT_FALSE(SerializeNpy({"U8", std::vector<int64_t>(65, 1), {1}}).ok());
  EXPECT_FALSE(SerializeNpy({"U8", {}, {1}}, {.version = 4}).ok());
}

}  // namespace
}  // namespace rocxla
