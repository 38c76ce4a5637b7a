// The tool as a user meets it: runs `rocxla` in the source tree and keeps what it printed.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>

#include "base/file.h"

namespace rocxla::e2e {

struct Outcome {
  int exit_code;       // 128 + N when signal N ended it
  std::string output;  // both streams
};

// `arguments` is shell text; `environment` goes before the command ("XLA_FLAGS=x").
inline Outcome Rocxla(const std::string& arguments, const std::string& environment = "") {
  std::string command = std::string("cd '") + ROCXLA_SOURCE + "' && " + environment + " '" + ROCXLA_TOOL + "' " +
                        arguments + " 2>&1 </dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) outcome.output.append(buffer.data(), n);
  int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

// A test with a folder of its own.
class ToolTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("rocxla_command_line_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& text) {
    EXPECT_TRUE(rocxla::WriteFile(folder_ / name, std::string_view(text)).ok());
    return (folder_ / name).string();
  }
  // The folder's name and memory addresses differ from run to run.
  std::string Stable(std::string text) const {
    for (size_t at; (at = text.find(folder_.string())) != text.npos;) text.replace(at, folder_.string().size(), "DIR");
    return std::regex_replace(text, std::regex("0x[0-9a-f]{8,}"), "ADDRESS");
  }

  std::filesystem::path folder_;
};

}  // namespace rocxla::e2e
