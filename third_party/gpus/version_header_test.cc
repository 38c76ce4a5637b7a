#include "third_party/gpus/version_header.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace rocxla {
namespace {

namespace fs = std::filesystem;

// "42", or the message of the failure.
std::string Read(std::string_view text) {
  StatusOr<int64_t> value = ReadVersionMacro(text, "V_MAJOR");
  return value.ok() ? std::to_string(*value) : value.status().message();
}

TEST(ReadVersionMacro, ReadsWhatHeadersContain) {
  EXPECT_EQ(Read("#define V_MAJOR 42"), "42");
  EXPECT_EQ(Read("// x\n#define V_MAJOR      42\r\n#define V_MINOR 1\n"), "42");
  EXPECT_EQ(Read("#define V_MAJOR 42 // the answer\n"), "42");
  EXPECT_EQ(Read("#define V_MAJOR 42/* the answer */\n"), "42");
  EXPECT_EQ(Read("#define V_MAJOR 42UL\n"), "42");
  EXPECT_EQ(Read("#define V_MAJOR 0\n"), "0");
  EXPECT_EQ(Read("#define V_MAJOR 010\n"), "10");  // as upstream's script has it
  EXPECT_EQ(Read("#define V_MAJOR 999999999\n"), "999999999");
}

TEST(ReadVersionMacro, AcceptsTheSpacingOfC) {
  EXPECT_EQ(Read("  #\tdefine\t V_MAJOR\t42"), "42");
  EXPECT_EQ(Read("\xEF\xBB\xBF#define V_MAJOR 42"), "42");
  // But what upstream's script would find counts first.
  EXPECT_EQ(Read("# define V_MAJOR 1\n#define V_MAJOR 2\n#define V_MAJOR 3\n"), "2");
}

TEST(ReadVersionMacro, IsNotTakenInByLookalikes) {
  for (const char* text : {"", "\n\n", "#define V_MAJOR_2 42", "#define XV_MAJOR 42", "#undef V_MAJOR 42",
                           "// #define V_MAJOR 42", "#defineV_MAJOR 42", "#define V_MAJOR(x) 42", "V_MAJOR 42"})
    EXPECT_EQ(Read(text), "V_MAJOR is not defined") << text;
}

TEST(ReadVersionMacro, SaysWhatIsNoNumber) {
  EXPECT_EQ(Read("#define V_MAJOR"), "V_MAJOR is '', not a decimal number below 1000000000");
  EXPECT_EQ(Read("#define V_MAJOR @VERSION@\r\n"), "V_MAJOR is '@VERSION@', not a decimal number below 1000000000");
  for (const char* value : {"0x10", "-1", "(5)", "1.2", "5 + 1", "\"5\"", "1000000000", "99999999999999999999", "5x"})
    EXPECT_EQ(Read(std::string("#define V_MAJOR ") + value),
              std::string("V_MAJOR is '") + value + "', not a decimal number below 1000000000");
  EXPECT_EQ(Read("#define V_MAJOR 4\x1b[2J\n"), "V_MAJOR is '4?[2J', not a decimal number below 1000000000");
  EXPECT_EQ(Read("#define V_MAJOR " + std::string(500, '9')),
            "V_MAJOR is '" + std::string(40, '9') + "', not a decimal number below 1000000000");
}

TEST(ReadHeader, ReadsRegularFilesOnly) {
  const fs::path folder = fs::path(testing::TempDir()) / ("version_header_" + std::to_string(getpid()));
  fs::create_directories(folder);
  auto failure = [](const fs::path& path) { return ReadHeader(path.string()).status().message(); };
  EXPECT_EQ(failure(folder), "a folder");
  EXPECT_EQ(failure(folder / "nothing"), "No such file or directory");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(failure(folder / "pipe"), "not a regular file");
  EXPECT_EQ(failure("/dev/zero"), "not a regular file");
  std::ofstream(folder / "good") << "text\n";
  EXPECT_EQ(ReadHeader((folder / "good").string()).value(), "text\n");
  std::ofstream(folder / "large") << 'x';
  fs::resize_file(folder / "large", 100 << 20);  // sparse
  EXPECT_EQ(failure(folder / "large"), "larger than 16 MiB");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rocxla
