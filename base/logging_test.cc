#include "base/logging.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>

namespace rocxla {
namespace {

using testing::ElementsAre;
using testing::MatchesRegex;

TEST(Logging, OnlyWantedLevelsAreWrittenWithTheirPlace) {
  CapturedLog log({.level = LogLevel::kInfo});
  LOG(kError) << "e" << 1;
  LOG(kInfo) << "i";
  LOG(kDebug) << "d";
  EXPECT_THAT(log.lines(), ElementsAre(MatchesRegex("E logging_test\\.cc:[0-9]+\\] e1"),
                                       MatchesRegex("I logging_test\\.cc:[0-9]+\\] i")));
}

TEST(Logging, UnwantedMessagesAreNotEvenComposed) {
  CapturedLog log({.level = LogLevel::kError});
  int composed = 0;
  LOG(kWarning) << ++composed;
  EXPECT_EQ(composed, 0);
  LOG(kError) << ++composed;
  EXPECT_EQ(composed, 1);
}

TEST(Logging, TheFileWinsThenTheLongestFolder) {
  StatusOr<LogConfig> config = ParseLogConfig(" error , xla=info,xla/service = debug, dump=trace, exec=trace ");
  ASSERT_TRUE(config.ok()) << config.status().ToString();
  EXPECT_EQ(config->For("/src/rocxla/base/flags.cc"), LogLevel::kError);
  EXPECT_EQ(config->For("/src/rocxla/xla/tools/run.cc"), LogLevel::kInfo);
  EXPECT_EQ(config->For("xla/service/gpu/pipelines.cc"), LogLevel::kDebug);
  EXPECT_EQ(config->For("/src/xla/service/gpu/dump.cc"), LogLevel::kTrace);
  EXPECT_EQ(config->For("/src/emulator/exec/wave.cc"), LogLevel::kTrace);
  EXPECT_EQ(config->For("/src/emulator/executive/wave.cc"), LogLevel::kError);
  EXPECT_EQ(config->For("/src/emulator/myexec/wave.cc"), LogLevel::kError);
}

TEST(Logging, ModulesMayWantMoreThanTheRest) {
  CapturedLog log({.level = LogLevel::kError, .modules = {{"logging_test", LogLevel::kTrace}}});
  LOG(kTrace) << "t";
  EXPECT_EQ(log.lines().size(), 1u);
}

TEST(Logging, EmptyMeansTheDefaults) {
  EXPECT_EQ(ParseLogConfig("")->level, LogLevel::kWarning);
  EXPECT_EQ(ParseLogConfig(" \t")->level, LogLevel::kWarning);
  EXPECT_EQ(ParseLogConfig("dump=info")->level, LogLevel::kWarning);
  for (int i = 0; i < 5; ++i) {
    const auto level = static_cast<LogLevel>(i);
    EXPECT_EQ(ParseLogConfig(LogLevelName(level))->level, level);
  }
}

TEST(Logging, BadValuesNameTheVariableAndWhatIsAccepted) {
  EXPECT_EQ(ParseLogConfig("info,dump=loud").status().ToString(),
            "E6008 BadEnvironment: a log level is not understood\n"
            "  where:    environment variable ROCXLA_LOG\n"
            "  found:    'dump=loud'\n"
            "  expected: LEVEL or MODULE=LEVEL, separated by commas; levels: error, warning, info, debug, trace\n"
            "  next:     For instance: ROCXLA_LOG=info, or ROCXLA_LOG=warning,xla/service=debug");
  for (const char* bad : {"INFO", "info,", ",info", "=info", "info,error", "a=b=info", "a=", "1", "info;debug"})
    EXPECT_EQ(ParseLogConfig(bad).status().id(), ErrorId::kBadEnvironment) << bad;
}

TEST(Logging, ConfigureReadsTheEnvironment) {
  CapturedLog log(LogConfig{});  // puts the configuration back afterwards
  setenv("ROCXLA_LOG", "nonsense", 1);
  EXPECT_EQ(ConfigureLogging().id(), ErrorId::kBadEnvironment);
  EXPECT_FALSE(LogEnabled(LogLevel::kInfo, __FILE__));
  setenv("ROCXLA_LOG", "trace", 1);
  EXPECT_EQ(ConfigureLogging(), OkStatus());
  EXPECT_TRUE(LogEnabled(LogLevel::kTrace, __FILE__));
  unsetenv("ROCXLA_LOG");
}

TEST(Logging, ThreadsDoNotMixTheirLines) {
  constexpr int kThreads = 8, kEach = 200;
  CapturedLog log({.level = LogLevel::kInfo});
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < kEach; ++i) {
        LOG(kInfo) << "<" << t << " " << i << ">";
        if (i % 50 == 0) SetLogConfig({.level = LogLevel::kInfo});
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> distinct;
  for (const std::string& line : log.lines()) {
    EXPECT_THAT(line, MatchesRegex("I logging_test\\.cc:[0-9]+\\] <[0-9]+ [0-9]+>"));
    distinct.insert(line);
  }
  EXPECT_EQ(distinct.size(), static_cast<size_t>(kThreads * kEach));
}

TEST(LoggingDeathTest, BrokenInvariantsAbortWithTheCondition) {
  CHECK(1 + 1 == 2) << "fine";
  EXPECT_DEATH(CHECK(1 > 2) << "because " << 3, "F logging_test.cc:[0-9]+. bug: 1 > 2 does not hold. because 3");
}

TEST(LoggingDeathTest, TheFirstMessageReportsABadValue) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        setenv("ROCXLA_LOG", "nonsense", 1);
        LOG(kWarning) << "seen";
        std::abort();
      },
      "E E6008 BadEnvironment: a log level is not understood(.|\n)*'nonsense'(.|\n)*W logging_test.cc:[0-9]+. seen");
}

}  // namespace
}  // namespace rocxla
