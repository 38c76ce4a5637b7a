#include "emulator/exec/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/environment.h"
#include "base/error_ids.h"
#include "base/logging.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/host_services.h"
#include "emulator/exec/kernarg.h"
#include "emulator/exec/shuffle.h"
#include "emulator/exec/variants.h"
#include "emulator/exec/workgroup.h"
#include "emulator/observe/checks.h"

namespace rocxla::emu {
namespace {

Status Bad(const Kernel& kernel, std::string what, std::string found, std::string expected) {
  return Error(ErrorId::kEmulatorBadLaunch, {.what = fmt::format("kernel '{}' {}", kernel.name, what),
                                             .found = std::move(found),
                                             .expected = std::move(expected)});
}

u64 Threads(const LaunchConfig& c) { return u64{c.block_threads[0]} * c.block_threads[1] * c.block_threads[2]; }
u64 Workgroups(const LaunchConfig& c) { return u64{c.grid_blocks[0]} * c.grid_blocks[1] * c.grid_blocks[2]; }

Status CheckHost() {
  if (BestHostIsa() != HostIsa::kNone) return OkStatus();
  return Error(ErrorId::kEmulatorBadLaunch, {.what = "the embedded GPU needs a host CPU with AVX2, FMA, F16C and BMI2",
                                             .expected = "an x86-64-v3 processor (2013 or later)"});
}

// The number in an environment variable; nothing if that is not set.
StatusOr<std::optional<u64>> NumberIn(EnvironmentVariable variable, std::string_view unit, std::string_view expected,
                                      u64 least) {
  const char* text = NonEmptyEnvironment(variable);
  if (text == nullptr) return std::optional<u64>();
  std::string_view digits = text;
  u64 number = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size() && number >= least) return std::optional(number);
  return Error(ErrorId::kBadEnvironment, {.what = fmt::format("{} is not {}", EnvironmentVariableName(variable), unit),
                                          .found = fmt::format("'{}'", digits),
                                          .expected = std::string(expected)});
}

StatusOr<u64> InstructionLimit(const LaunchOptions& options) {
  if (options.instruction_limit != 0) return options.instruction_limit;
  ASSIGN_OR_RETURN(std::optional<u64> limit, NumberIn(EnvironmentVariable::kROCXLA_EMULATOR_MAX_INSTRUCTIONS,
                                                      "a number of instructions", "a positive decimal number", 1));
  return limit.value_or(kDefaultInstructionLimit);
}

StatusOr<std::optional<u64>> Seed(const LaunchOptions& options) {
  if (options.seed) return options.seed;
  return NumberIn(EnvironmentVariable::kROCXLA_EMULATOR_SEED, "a seed", "a decimal number below 2^64", 0);
}

// What of the descriptor asks for abilities that the embedded device does not have.
Status CheckDescriptor(const Kernel& kernel) {
  const KernelDescriptor& d = kernel.descriptor;
  constexpr u32 kMaxScratch = 1 << 20;
  if (d.private_segment_fixed_size > kMaxScratch) {
    return Bad(kernel, "uses too much scratch memory", fmt::format("{} bytes per lane", d.private_segment_fixed_size),
               fmt::format("at most {}", kMaxScratch));
  }
  return OkStatus();
}

// Workgroups keep megabytes of registers; they are kept between launches.
class WorkgroupPool {
 public:
  std::unique_ptr<Workgroup> Take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Workgroup>();
    auto group = std::move(free_.back());
    free_.pop_back();
    return group;
  }
  void Return(std::unique_ptr<Workgroup> group) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(group));
  }
  static WorkgroupPool& Shared() {
    static auto* pool = new WorkgroupPool;
    return *pool;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workgroup>> free_;
};

// Runs the workgroups of a grid on several host threads. The error of the lowest workgroup is reported, whatever the
// number of threads.
class GridRunner {
 public:
  GridRunner(LaunchState& launch, Residency residency, u64 threads) : launch_(launch), residency_(residency) {
    total_ = Workgroups(*launch.start.config);
    stop_at_ = total_;
    const bool one_thread = launch.observer != nullptr || launch.seed;
    threads_ = one_thread ? 1 : std::min(threads, total_);
    if (launch.seed) order_.emplace(total_, *launch.seed), random_ = RandomNumbers(*launch.seed);
    constexpr u64 kBatchesPerThread = 16;
    batch_ = std::max<u64>(1, total_ / (threads_ * kBatchesPerThread));
  }

  Status Run() {
    std::vector<std::thread> helpers;
    for (u64 t = 1; t < threads_; t++) helpers.emplace_back([this, t] { Work(t); });
    Work(0);
    for (std::thread& helper : helpers) helper.join();
    return first_error_;
  }

 private:
  void Work(u64 thread) { residency_ == Residency::kWholeGrid ? RunTogether(thread) : RunInTurn(thread); }

  // One after another, in ascending batches: neighbours share host cache lines.
  void RunInTurn(u64 thread) {
    u64 first = next_.fetch_add(batch_);
    if (first >= total_) return;
    auto group = WorkgroupPool::Shared().Take();
    for (; first < total_; first = next_.fetch_add(batch_)) {
      for (u64 i = first; i < std::min(total_, first + batch_) && i < stop_at_.load(); i++) {
        Status status = group->Run(launch_, BlockAt(i));
        if (!status.ok()) Record(i, std::move(status));
        if (thread == 0) TellProgress(i + 1);
      }
    }
    group->Finish();
    WorkgroupPool::Shared().Return(std::move(group));
  }

  // Every workgroup of the thread's share gets a round, again and again: they may wait for each other.
  void RunTogether(u64 thread) {
    struct Running {
      u64 number;
      std::unique_ptr<Workgroup> group;
    };
    std::vector<Running> running;
    for (u64 i = thread; i < total_; i += threads_) {
      running.push_back({i, std::make_unique<Workgroup>()});
      running.back().group->Start(launch_, BlockAt(i));
    }
    while (!running.empty() && stop_at_.load() == total_) {
      if (launch_.seed) random_.Shuffle(running);
      for (Running& r : running) {
        Status status = r.group->RunRound();
        if (!status.ok()) return Record(r.number, std::move(status));
      }
      std::erase_if(running, [](const Running& r) {
        if (!r.group->has_ended()) return false;
        r.group->Finish();
        return true;
      });
    }
  }

  // Every ten seconds; called by the first thread only. The clock is asked only when some thread has reported.
  void TellProgress(u64 done) {
    u64 reported = launch_.instructions.load(std::memory_order_relaxed);
    if (reported == reported_) return;
    reported_ = reported;
    const auto now = std::chrono::steady_clock::now();
    if (now < tell_at_) return;
    tell_at_ = now + kBetween;
    LOG(kInfo) << "kernel '" << launch_.start.kernel->name << "' is running: at workgroup " << done << " of " << total_;
  }

  // Which workgroup is the i-th.
  std::array<u32, 3> BlockAt(u64 i) const {
    const auto& grid = launch_.start.config->grid_blocks;
    if (order_) i = (*order_)(i);
    return {static_cast<u32>(i % grid[0]), static_cast<u32>(i / grid[0] % grid[1]),
            static_cast<u32>(i / grid[0] / grid[1])};
  }
  void Record(u64 workgroup, Status status) {
    std::lock_guard lock(mutex_);
    if (workgroup >= stop_at_) return;
    stop_at_ = workgroup;
    first_error_ = std::move(status);
  }

  LaunchState& launch_;
  const Residency residency_;
  u64 total_ = 0, threads_ = 1, batch_ = 1;
  // With a seed.
  std::optional<Permutation> order_;
  RandomNumbers random_;
  std::atomic<u64> next_{0};
  std::atomic<u64> stop_at_{0};  // the lowest workgroup that failed
  std::mutex mutex_;
  Status first_error_;
  u64 reported_ = 0;
  static constexpr std::chrono::seconds kBetween{10};
  std::chrono::steady_clock::time_point tell_at_ = std::chrono::steady_clock::now() + kBetween;
};

// The kernarg segment and the dispatch packet in device memory, for one launch.
class ArgumentMemory {
 public:
  explicit ArgumentMemory(AddressSpace& memory) : memory_(memory) {}
  ~ArgumentMemory() {
    if (base_ != nullptr) [[maybe_unused]]
      Status ignored = memory_.Free(base_);
  }
  Status Fill(const Kernel& kernel, const LaunchConfig& config, const std::vector<std::byte>& kernarg) {
    kernarg_bytes_ = (kernarg.size() + 63) / 64 * 64;
    ASSIGN_OR_RETURN(base_, memory_.Allocate(kernarg_bytes_ + 64, 64, fmt::format("arguments of '{}'", kernel.name)));
    std::memset(base_, 0, kernarg_bytes_);
    if (!kernarg.empty()) std::memcpy(base_, kernarg.data(), kernarg.size());
    auto packet = BuildDispatchPacket(kernel, config, reinterpret_cast<u64>(base_));
    std::memcpy(static_cast<std::byte*>(base_) + kernarg_bytes_, packet.data(), packet.size());
    return OkStatus();
  }
  const u32* kernarg() const { return static_cast<const u32*>(base_); }
  u64 packet() const { return reinterpret_cast<u64>(base_) + kernarg_bytes_; }

 private:
  AddressSpace& memory_;
  void* base_ = nullptr;
  u64 kernarg_bytes_ = 0;
};

// The caller's observer and those of the checks.
class Watchers {
 public:
  static StatusOr<Watchers> For(const LaunchOptions& options) {
    Checks checks;
    if (options.checks) {
      checks = *options.checks;
    } else {
      ASSIGN_OR_RETURN(checks, ActiveChecks());
    }
    Watchers watchers;
    watchers.checkers_ = MakeCheckers(checks);
    if (options.observer != nullptr) watchers.all_.Add(options.observer);
    for (const auto& checker : watchers.checkers_) watchers.all_.Add(checker.get());
    return watchers;
  }
  Observer* observer() { return all_.empty() ? nullptr : &all_; }

 private:
  std::vector<std::unique_ptr<Observer>> checkers_;
  ObserverList all_;
};

}  // namespace

Status CheckLaunch(const Kernel& kernel, const LaunchConfig& config) {
  const GpuTarget& target = kernel.object->target();
  auto [bx, by, bz] = config.block_threads;
  auto [gx, gy, gz] = config.grid_blocks;
  if (bx == 0 || by == 0 || bz == 0 || gx == 0 || gy == 0 || gz == 0) {
    return Bad(kernel, "is launched over an empty grid",
               fmt::format("{}x{}x{} blocks of {}x{}x{} threads", gx, gy, gz, bx, by, bz),
               "at least 1 in each dimension");
  }
  u64 threads = u64{bx} * by * bz;
  u32 limit = static_cast<u32>(target.max_block_threads);
  if (kernel.metadata.max_flat_workgroup_size != 0) limit = std::min(limit, kernel.metadata.max_flat_workgroup_size);
  if (threads > limit || bx > 1024 || by > 1024 || bz > 1024) {
    return Bad(kernel, "is launched with a block that is too large",
               fmt::format("{}x{}x{} = {} threads", bx, by, bz, threads), fmt::format("at most {} threads", limit));
  }
  if (u64{gx} * bx > 0xffffffff || gy > 0xffff || gz > 0xffff) {
    return Bad(kernel, "is launched over a grid that is too large", fmt::format("{}x{}x{} blocks", gx, gy, gz),
               "fewer than 2^32 threads in x, and at most 65535 blocks in y and z");
  }
  u64 lds = u64{kernel.descriptor.group_segment_fixed_size} + config.dynamic_lds_bytes;
  if (lds > static_cast<u64>(target.lds_bytes)) {
    return Bad(kernel, "is launched with more LDS than the device has",
               fmt::format("{} bytes static and {} bytes dynamic", kernel.descriptor.group_segment_fixed_size,
                           config.dynamic_lds_bytes),
               fmt::format("at most {} bytes per workgroup of {}", target.lds_bytes, target.name));
  }
  return OkStatus();
}

StatusOr<LaunchStats> Launch(const Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> explicit_args,
                             AddressSpace& memory, const LaunchOptions& options) {
  RETURN_IF_ERROR(CheckHost());
  RETURN_IF_ERROR(CheckLaunch(kernel, config));
  ASSIGN_OR_RETURN(std::shared_ptr<const Executable> executable, GetExecutable(kernel));
  RETURN_IF_ERROR(CheckDescriptor(kernel));
  ASSIGN_OR_RETURN(u64 limit, InstructionLimit(options));
  ASSIGN_OR_RETURN(std::optional<u64> seed, Seed(options));
  u64 waves_per_group = (Threads(config) + executable->program.lanes - 1) / executable->program.lanes;
  u64 host_threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  bool whole_grid = config.residency == Residency::kWholeGrid;

  ASSIGN_OR_RETURN(Watchers watchers, Watchers::For(options));
  const PrintSink print = options.print ? options.print : [](PrintStream, std::string_view) {};
  HostServices services(kernel, memory, print);
  RETURN_IF_ERROR(services.Prepare(config, waves_per_group * (whole_grid ? Workgroups(config) : host_threads)));
  ASSIGN_OR_RETURN(std::vector<std::byte> kernarg, BuildKernarg(kernel, config, explicit_args, services));
  ArgumentMemory arguments(memory);
  RETURN_IF_ERROR(arguments.Fill(kernel, config, kernarg));

  LaunchState launch;
  launch.start = {&kernel, executable, &config, arguments.kernarg(), arguments.packet(), WorkItemIds(config)};
  launch.memory = &memory;
  launch.services = &services;
  launch.observer = watchers.observer();
  launch.seed = seed;
  // A wave that loops gives others a turn after so many instructions: they, or the host, may be what it waits for.
  constexpr u64 kSlice = 1 << 16, kSliceOfWaiting = 1 << 10;
  launch.slice = whole_grid || services.has_host_calls() ? kSliceOfWaiting : kSlice;
  launch.instruction_limit = limit;
  GridRunner runner(launch, config.residency, host_threads);
  Status status = runner.Run();
  services.Finish();
  RETURN_IF_ERROR(status);
  return LaunchStats{launch.instructions, Workgroups(config) * waves_per_group};
}

}  // namespace rocxla::emu
