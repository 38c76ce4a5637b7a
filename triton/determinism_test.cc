// Every recorded kernel gives the same bytes each time, whatever else the process compiles meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/file.h"
#include "base/json.h"
#include "triton/compile.h"

namespace rocxla::triton {
namespace {

struct Job {
  std::string name;
  std::string ttir;
  CompileOptions options;
};

std::vector<Job> RecordedJobs() {
  std::vector<Job> jobs;
  const std::filesystem::path root = std::filesystem::path(ROCXLA_TEST_CASES) / "triton";
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!std::filesystem::exists(entry.path() / "kernel.ttir")) continue;
    const auto ttir = ReadFile((entry.path() / "kernel.ttir").string());
    const auto options = ReadFile((entry.path() / "options.json").string());
    EXPECT_TRUE(ttir.ok() && options.ok()) << entry.path();
    const auto json = ParseJson(*options, "options.json");
    EXPECT_TRUE(json.ok()) << entry.path();
    for (const GpuTarget& target : AllTargets()) {
      if (target.support != TargetSupport::kFirstClass) continue;
      jobs.push_back({entry.path().filename().string() + " for " + std::string(target.name),
                      *ttir,
                      {.target = target, .num_warps = json->at("num_warps").get<int>()}});
    }
  }
  return jobs;
}

// The code objects of all jobs, compiled by as many threads, each of which takes the next job.
std::vector<std::vector<uint8_t>> CompileAll(const std::vector<Job>& jobs, int threads) {
  std::vector<std::vector<uint8_t>> objects(jobs.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      for (size_t job = next++; job < jobs.size(); job = next++) {
        auto kernel = Compile(jobs[job].ttir, "kernel.ttir", jobs[job].options);
        if (kernel.ok()) objects[job] = std::move(kernel->code_object);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  return objects;
}

TEST(Determinism, RecordedKernels) {
  const std::vector<Job> jobs = RecordedJobs();
  ASSERT_GE(jobs.size(), 5 * 40u);
  const auto alone = CompileAll(jobs, 1), together = CompileAll(jobs, 4);
  size_t compiled = 0;
  for (size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_TRUE(alone[i] == together[i]) << jobs[i].name;
    compiled += !alone[i].empty();
  }
  EXPECT_EQ(compiled, jobs.size());
}

}  // namespace
}  // namespace rocxla::triton
