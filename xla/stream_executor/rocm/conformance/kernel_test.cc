#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/conformance/conformance.h"

namespace stream_executor::gpu {
namespace {

using ::testing::HasSubstr;

TEST_P(ConformanceKernel, AddsVectors) {
  WriteInputs();
  EXPECT_OK(kernel->Launch(dims, *stream, Args(kElements)));
  EXPECT_OK(stream->BlockHostUntilDone());
  ExpectSum(buffers[2]);
}

TEST_P(ConformanceKernel, KernelOutlivesItsModuleHandle) {
  module.reset();
  EXPECT_OK(kernel->Launch(dims, *stream, Args(kElements)));
  kernel.reset();
  EXPECT_OK(stream->BlockHostUntilDone());
}

TEST_P(ConformanceKernel, ContentIsTheIdentityOfAModule) {
  std::vector<uint8_t> bytes = VectorAddFor(Target());
  EXPECT_EQ(executor->LoadModule(bytes).value(), module) << "equal bytes at another address";
  const std::vector<uint8_t> original = bytes;
  // The name inside the metadata and the symbol table, changed in place: the same address, another module.
  const std::string_view name = "vector_add";
  std::string text(bytes.begin(), bytes.end());
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) text.replace(at, 10, "vector_sum");
  std::copy(text.begin(), text.end(), bytes.begin());
  const StatusOr<std::shared_ptr<Module>> changed = executor->LoadModule(bytes);
  if (changed.ok()) {
    EXPECT_NE(*changed, module);
    EXPECT_EQ((*changed)->GetKernel("vector_add").status().id(), ErrorId::kEmulatorUnknownKernel);
  } else {
    EXPECT_EQ(changed.status().id(), ErrorId::kBadCodeObject) << changed.status().ToString();
  }
  std::copy(original.begin(), original.end(), bytes.begin());
  EXPECT_EQ(executor->LoadModule(bytes).value(), module);
  // Once all owners are gone, it is loaded anew.
  kernel.reset();
  module.reset();
  module = executor->LoadModule(bytes).value();
  kernel = module->GetKernel("vector_add").value();
  WriteInputs();
  EXPECT_OK(kernel->Launch(dims, *stream, Args(kElements)));
  EXPECT_OK(stream->BlockHostUntilDone());
  ExpectSum(buffers[2]);
}

TEST_P(ConformanceKernel, Metadata) {
  EXPECT_EQ(kernel->name(), "vector_add");
  EXPECT_EQ(kernel->arguments().size(), 6u);
  EXPECT_EQ(kernel->arguments()[3], (KernelArgs::Slot{24, 4}));
  EXPECT_GT(kernel->metadata().registers_per_thread, 0);
  EXPECT_EQ(kernel->metadata().shared_memory_bytes, 0);
  EXPECT_EQ(kernel->metadata().local_memory_bytes, 0);
  EXPECT_EQ(kernel->metadata().max_threads_per_block, static_cast<int>(dims.threads.x));
}

TEST_P(ConformanceKernel, Occupancy) {
  const int free = kernel->GetMaxOccupiedBlocksPerCore(dims.threads, 0).value();
  EXPECT_GT(free, 0);
  const auto lds = static_cast<uint32_t>(executor->GetDeviceDescription().shared_memory_per_block());
  EXPECT_LE(kernel->GetMaxOccupiedBlocksPerCore(dims.threads, lds).value(), free);
  EXPECT_EQ(kernel->GetMaxOccupiedBlocksPerCore(dims.threads, lds + 1).status().id(), ErrorId::kWrongInputs);
  EXPECT_EQ(kernel->GetMaxOccupiedBlocksPerCore({{1 << 20, 1, 1}}, 0).status().id(), ErrorId::kWrongInputs);
  EXPECT_EQ(kernel->GetMaxOccupiedBlocksPerCore({{1, 0, 1}}, 0).status().id(), ErrorId::kWrongInputs);
}

TEST_P(ConformanceKernel, WrongArguments) {
  KernelArgs few;
  few.Add(buffers[0]).Add(buffers[1]);
  EXPECT_EQ(kernel->Launch(dims, *stream, few).ToString(),
            R"(E5005 WrongInputs: the arguments do not fit the kernel
  where:    kernel 'vector_add'
  found:    2 arguments
  expected: 6)");
  KernelArgs wide;
  wide.Add(buffers[0]).Add(buffers[1]).Add(buffers[2]).Add(int64_t{5}).Add(buffers[0]).Add(buffers[0]);
  EXPECT_EQ(kernel->Launch(dims, *stream, wide).ToString(),
            R"(E5005 WrongInputs: the arguments do not fit the kernel
  where:    kernel 'vector_add'
  found:    argument 3: 8 bytes at 24
  expected: 4 bytes at 24)");
  EXPECT_OK(stream->BlockHostUntilDone()) << "none of it was launched";
}

TEST_P(ConformanceKernel, WrongDimensions) {
  LaunchDimensions wrong = dims;
  wrong.blocks.y = 0;
  EXPECT_THAT(kernel->Launch(wrong, *stream, Args(1)).message(), HasSubstr("a grid of 5 x 0 x 1 blocks"));
  wrong = dims;
  wrong.blocks.x = uint64_t{1} << 40;
  EXPECT_EQ(kernel->Launch(wrong, *stream, Args(1)).id(), ErrorId::kWrongInputs);
  wrong = dims;
  wrong.threads.y = 2;
  EXPECT_EQ(kernel->Launch(wrong, *stream, Args(1)).id(), ErrorId::kWrongInputs);
  wrong.threads.y = uint64_t{1} << 63;
  EXPECT_EQ(kernel->Launch(wrong, *stream, Args(1)).id(), ErrorId::kWrongInputs) << "no wrapping around";
  EXPECT_OK(stream->BlockHostUntilDone()) << "none of it was launched";
}

TEST_P(ConformanceKernel, AnotherDevicesStream) {
  StreamExecutor* other = OtherDevice();
  if (other == nullptr) GTEST_SKIP() << "there is one device only";
  const std::unique_ptr<Stream> theirs = other->CreateStream().value();
  const Status status = kernel->Launch(dims, *theirs, Args(kElements));
  EXPECT_EQ(status.id(), ErrorId::kWrongDevice);
  EXPECT_THAT(status.message(), HasSubstr(fmt::format("a stream of device {} of", other->device_ordinal())));
}

TEST_P(ConformanceKernel, UnknownNames) {
  EXPECT_EQ(module->GetKernel("vector_sub").status().ToString(),
            fmt::format("E2003 {}: the module has no kernel of this name\n  where:    a code object for {}\n"
                        "  found:    'vector_sub'\n  expected: one of: vector_add",
                        rocxla::InfoOf(ErrorId::kEmulatorUnknownKernel).name, Target()));
  EXPECT_EQ(module->GetSymbol("table").status().ToString(),
            fmt::format("E5023 SymbolNotFound: there is no global variable of this name\n"
                        "  where:    a code object for {}\n  found:    'table'",
                        Target()));
  EXPECT_EQ(executor->GetSymbol("table").status().id(), ErrorId::kSymbolNotFound);
}

TEST_P(ConformanceKernel, DamagedCodeObjects) {
  std::vector<uint8_t> damaged = VectorAddFor(Target());
  damaged.resize(damaged.size() / 2);
  EXPECT_EQ(executor->LoadModule(damaged).status().id(), ErrorId::kBadCodeObject);
  EXPECT_EQ(executor->LoadModule({}).status().id(), ErrorId::kBadCodeObject);
  const std::vector<uint8_t> zeros(4096);
  EXPECT_EQ(executor->LoadModule(zeros).status().id(), ErrorId::kBadCodeObject);
}

TEST_P(ConformanceKernel, CodeObjectForAnotherGpu) {
  const std::string other = Target() == "gfx942" ? "gfx1100" : "gfx942";
  const DeviceDescription& device = executor->GetDeviceDescription();
  EXPECT_EQ(executor->LoadModule(VectorAddFor(other)).status().ToString(),
            fmt::format("E2002 {}: the code object is for another GPU\n  where:    {}\n"
                        "  found:    a code object for {}\n  expected: {}\n"
                        "  next:     compile it for this GPU, or use a device of {}",
                        rocxla::InfoOf(ErrorId::kEmulatorWrongTarget).name, device.name(), other,
                        device.gcn_arch_name(), other));
}

// A fault ends the process on real hardware, so this is asked of embedded devices only.
TEST_P(ConformanceKernel, FaultIsTheStreamsErrorWithTheDevicesWholeText) {
  if (!IsEmbedded()) GTEST_SKIP() << "a real GPU's fault ends the process";
  dims.blocks.x = 6;  // beyond the buffers
  EXPECT_OK(kernel->Launch(dims, *stream, Args(6000)));
  const Status status = stream->BlockHostUntilDone();
  EXPECT_EQ(status.id(), ErrorId::kKernelFailed);
  EXPECT_THAT(status.message(), ::testing::StartsWith(R"(a kernel stopped with an error on the device
  where:    hipStreamSynchronize of embedded device
  found:    hipErrorIllegalAddress, a kernel accessed memory that it may not
            E2104 EmulatorMemoryFault: )"));
  EXPECT_THAT(status.message(), HasSubstr("vector_add"));
  EXPECT_EQ(kernel->Launch(dims, *stream, Args(1)), status);
  EXPECT_OK(NewStream()->BlockHostUntilDone()) << "other streams go on";
}

CONFORMANCE_SUITE(ConformanceKernel);

}  // namespace
}  // namespace stream_executor::gpu
