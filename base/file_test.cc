#include "base/file.h"
#include "base/error_ids.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace rocxla {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "rocxla_file_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }

  fs::path folder_;
};

std::string Message(const fs::path& path, std::string_view what, std::string_view found) {
  return fmt::format("E6001 FileUnreadable: {}\n  where:    {}\n  found:    {}", what, path.string(), found);
}

std::string CannotRead(const fs::path& path, std::string_view kind) {
  return Message(path, "cannot read a file", kind) + "\n  expected: a regular file or a pipe";
}

TEST_F(FileTest, BytesComeBack) {
  const std::string bytes("a\0b\xff\n", 5);
  for (const std::string& text : {std::string(), bytes, std::string(300'000, 'x')}) {
    ASSERT_EQ(WriteFile(folder_ / "f", text), OkStatus());
    StatusOr<std::string> read = ReadFile(folder_ / "f");
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(*read, text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);  // no temporary is left
}

TEST_F(FileTest, FilesWithoutASizeAreRead) {
  StatusOr<std::string> read = ReadFile("/proc/self/status");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_NE(read->find("Pid:"), std::string::npos);
}

TEST_F(FileTest, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(ReadFile(folder_ / "none").status().ToString(),
            Message(folder_ / "none", "cannot open a file", "No such file or directory"));
  EXPECT_EQ(ReadFile(folder_).status().ToString(), CannotRead(folder_, "a folder"));
  EXPECT_EQ(ReadFile("/dev/zero").status().ToString(), CannotRead("/dev/zero", "a character device"));
  EXPECT_EQ(ReadFile(std::string(100'000, 'x')).status().ToString(),
            Message(std::string(1000, 'x') + "...", "cannot open a file", "File name too long"));
  EXPECT_EQ(ReadFile("").status().ToString(),
            Message("(an empty path)", "cannot open a file", "No such file or directory"));
}

TEST_F(FileTest, FilesBeyondTheLimitAreErrors) {
  const fs::path path = folder_ / "f";
  ASSERT_EQ(WriteFile(path, "12345"), OkStatus());
  EXPECT_EQ(*ReadFile(path, 5), "12345");
  EXPECT_EQ(ReadFile(path, 4).status().ToString(),
            Message(path, "the file is too large", "5 bytes") + "\n  expected: at most 4 bytes");
  fs::resize_file(path, uint64_t{1} << 42);  // a hole: it takes no space on the disk
  EXPECT_EQ(ReadFile(path).status().id(), ErrorId::kFileUnreadable);
  EXPECT_EQ(
      ReadFile("/proc/self/status", 4).status().ToString(),
      Message("/proc/self/status", "the file is too large", "more than 4 bytes") + "\n  expected: at most 4 bytes");
}

TEST_F(FileTest, PipesAreReadAndNeverWaitForNobody) {
  const fs::path path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(path).status().ToString(),
            Message(path, "cannot read a file", "a pipe that is empty and that nobody writes to"));

  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(write(ends[1], "abc", 3), 3);
      std::this_thread::yield();
    }
    close(ends[1]);
  });
  StatusOr<std::string> read = ReadFile(fmt::format("/dev/fd/{}", ends[0]));
  writer.join();
  close(ends[0]);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, "abcabcabc");
}

TEST_F(FileTest, SocketsCannotBeOpened) {
  const fs::path path = folder_ / "s";
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(ReadFile(path).status().id(), ErrorId::kFileUnreadable);
  close(fd);
}

TEST_F(FileTest, OutputThatIsLost) {
  const auto end = [](const char* target, size_t bytes) {
    if (std::freopen(target, "w", stdout) == nullptr) std::exit(9);
    const StatusOr<int> code = RunAndFlushOutput([&] { return fmt::print("{:{}}", "", bytes), 3; });
    std::fputs(code.status().ToString().c_str(), stderr);
    std::_Exit(code.ok() ? *code : 1);
  };
  EXPECT_EXIT(end("/dev/null", 9), testing::ExitedWithCode(3), "OK");
  for (size_t bytes : {1, 100'000}) {
    EXPECT_EXIT(end("/dev/full", bytes), testing::ExitedWithCode(1),
                "E6001 FileUnreadable: what the program printed is lost\n"
                "  where:    standard output\n"
                "  found:    No space left on device");
  }
}

TEST_F(FileTest, WritingFailsWithTheReason) {
  EXPECT_EQ(WriteFile(folder_, "x").ToString(), Message(folder_, "cannot write a file", "a folder"));
  EXPECT_EQ(WriteFile(folder_ / "none/f", "x").ToString(),
            Message(folder_ / "none/f", "cannot write a file", "No such file or directory"));
  EXPECT_EQ(WriteFile("/dev/full", "x").ToString(),
            Message("/dev/full", "cannot write a file", "No space left on device"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace rocxla
