// Generated kernels of products, run on the embedded device, and products in double to compare with.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/numerics/float_convert.h"
#include "emulator/exec/launch.h"
#include "triton/compile.h"

namespace rocxla::triton {

//===-- Element types
//-------------------------------------------------------------------------------------------------===//

struct Element {
  const char* name;  // in Triton IR
  int bytes;
  std::optional<FloatType> format;  // absent: integers
};
inline constexpr Element kF16{"f16", 2, FloatType::kF16}, kBf16{"bf16", 2, FloatType::kBF16},
    kF32{"f32", 4, FloatType::kF32}, kF64{"f64", 8, FloatType::kF64}, kFp8{"f8E4M3FN", 1, FloatType::kF8E4M3FN},
    kBf8{"f8E5M2", 1, FloatType::kF8E5M2}, kFp8Fnuz{"f8E4M3FNUZ", 1, FloatType::kF8E4M3FNUZ},
    kBf8Fnuz{"f8E5M2FNUZ", 1, FloatType::kF8E5M2FNUZ}, kI8{"i8", 1, {}}, kI16{"i16", 2, {}}, kI32{"i32", 4, {}},
    kI64{"i64", 8, {}};

inline uint64_t Load(const std::vector<uint8_t>& bytes, size_t i, int size) {
  uint64_t code = 0;
  std::memcpy(&code, bytes.data() + i * static_cast<size_t>(size), static_cast<size_t>(size));
  return code;
}

inline double Decode(const Element& element, uint64_t code) {
  if (element.format) return DecodeToDouble(*element.format, code);
  int unused = 64 - 8 * element.bytes;
  return static_cast<double>(static_cast<int64_t>(code << unused) >> unused);
}

// Of 8-bit floats every finite code, of i8 every code; of wider integers some whose sums do not wrap; of wider floats
// numbers of seven digits around 1, so that most products and sums must be rounded.
inline uint64_t RandomCode(const Element& element, std::mt19937_64& random) {
  uint64_t mask = element.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * element.bytes)) - 1;
  if (!element.format) return (element.bytes == 1 ? random() : random() % 4096 - 2048) & mask;
  if (element.bytes > 1) {
    double number = static_cast<double>(static_cast<int64_t>(random() % 10'000'000)) / 4e6 - 1.25;
    return EncodeFloat(*element.format, number);
  }
  for (;;) {
    uint64_t code = random() & 0xff;
    if (std::isfinite(DecodeToDouble(*element.format, code))) return code;
  }
}

//===-- Tensors in Triton IR
//------------------------------------------------------------------------------------------===//

using Dims = std::vector<int>;

inline std::string Tensor(const Dims& dims, const std::string& element) {
  std::string text = "tensor<";
  for (int d : dims) text += std::to_string(d) + "x";
  return text + element + ">";
}

// Writes a kernel line by line.
class KernelWriter {
 public:
  // The addresses of a dense row-major tensor at argument `name`.
  std::string Addresses(const std::string& name, const Dims& dims, const std::string& element) {
    std::string sum;
    int stride = 1;
    for (int d = static_cast<int>(dims.size()) - 1; d >= 0; --d) {
      std::string term = Coordinate(dims, d, stride);
      sum = sum.empty() ? term : Line(fmt::format("arith.addi {}, {} : {}", sum, term, Tensor(dims, "i32")));
      stride *= dims[d];
    }
    std::string pointers = Tensor(dims, "!tt.ptr<" + element + ">");
    std::string base = Line(fmt::format("tt.splat %{} : !tt.ptr<{}> -> {}", name, element, pointers));
    return Line(fmt::format("tt.addptr {}, {} : {}, {}", base, sum, pointers, Tensor(dims, "i32")));
  }
  std::string LoadOf(const std::string& name, const Dims& dims, const std::string& element) {
    std::string at = Addresses(name, dims, element);
    return Line(fmt::format("tt.load {} : {}", at, Tensor(dims, "!tt.ptr<" + element + ">")));
  }
  void Store(const std::string& name, const std::string& value, const Dims& dims, const std::string& element) {
    std::string at = Addresses(name, dims, element);
    body_ += fmt::format("  tt.store {}, {} : {}\n", at, value, Tensor(dims, "!tt.ptr<" + element + ">"));
  }
  std::string Line(const std::string& operation) {
    std::string name = fmt::format("%v{}", count_++);
    body_ += fmt::format("  {} = {}\n", name, operation);
    return name;
  }
  std::string Kernel(const std::vector<std::pair<std::string, std::string>>& pointers) const {
    std::string arguments;
    for (const auto& [name, element] : pointers)
      arguments += fmt::format("{}%{}: !tt.ptr<{}> {{tt.divisibility = 16 : i32}}", arguments.empty() ? "" : ", ", name,
                               element);
    return fmt::format("tt.func public @kernel({}) {{\n{}  tt.return\n}}\n", arguments, body_);
  }

 private:
  // Coordinate `d` times `stride`, in the whole shape.
  std::string Coordinate(const Dims& dims, int d, int stride) {
    std::string value =
        Line(fmt::format("tt.make_range {{end = {} : i32, start = 0 : i32}} : {}", dims[d], Tensor({dims[d]}, "i32")));
    Dims shape{dims[d]};
    for (int other = 0; other < static_cast<int>(dims.size()); ++other) {
      if (other == d) continue;
      Dims wider = shape;
      wider.insert(wider.begin() + other, 1);
      value = Line(fmt::format("tt.expand_dims {} {{axis = {} : i32}} : {} -> {}", value, other, Tensor(shape, "i32"),
                               Tensor(wider, "i32")));
      shape = wider;
    }
    std::string factor = Line(fmt::format("arith.constant dense<{}> : {}", stride, Tensor(shape, "i32")));
    value = Line(fmt::format("arith.muli {}, {} : {}", value, factor, Tensor(shape, "i32")));
    if (shape == dims) return value;
    return Line(fmt::format("tt.broadcast {} : {} -> {}", value, Tensor(shape, "i32"), Tensor(dims, "i32")));
  }

  std::string body_;
  int count_ = 0;
};

inline size_t Count(const Dims& dims) {
  size_t count = 1;
  for (int d : dims) count *= static_cast<size_t>(d);
  return count;
}

//===-- Running
//-------------------------------------------------------------------------------------------------------===//

// Runs the only kernel of `ttir` on one workgroup; buffers are its arguments, read back afterwards.
inline Status RunKernel(const std::string& ttir, std::string_view target, int warps,
                        std::vector<std::vector<uint8_t>*> buffers) {
  CompileOptions options;
  ASSIGN_OR_RETURN(options.target, FindTarget(target));
  options.num_warps = warps;
  ASSIGN_OR_RETURN(CompiledKernel kernel, Compile(ttir, "kernel.ttir", options));
  emu::AddressSpace memory;
  ASSIGN_OR_RETURN(auto object, emu::CodeObject::Load(kernel.code_object, options.target, memory));
  ASSIGN_OR_RETURN(const emu::Kernel* entry, object->GetKernel(kernel.info.name));
  std::vector<void*> places;
  for (auto* buffer : buffers) {
    ASSIGN_OR_RETURN(void* place, memory.Allocate(buffer->size()));
    std::memcpy(place, buffer->data(), buffer->size());
    places.push_back(place);
  }
  emu::LaunchConfig config;
  config.block_threads[0] = static_cast<uint32_t>(kernel.info.threads_per_block);
  config.dynamic_lds_bytes = static_cast<uint32_t>(kernel.info.shared_bytes);
  auto arguments = std::as_bytes(std::span(places));
  emu::LaunchOptions one_thread;
  one_thread.threads = 1;
  RETURN_IF_ERROR(emu::Launch(*entry, config, arguments, memory, one_thread).status());
  for (size_t i = 0; i < buffers.size(); ++i) std::memcpy(buffers[i]->data(), places[i], buffers[i]->size());
  return OkStatus();
}

inline std::vector<uint8_t> RandomBuffer(const Element& element, size_t count, std::mt19937_64& random) {
  std::vector<uint8_t> bytes(count * static_cast<size_t>(element.bytes));
  for (size_t i = 0; i < count; ++i) {
    uint64_t code = RandomCode(element, random);
    std::memcpy(bytes.data() + i * static_cast<size_t>(element.bytes), &code, static_cast<size_t>(element.bytes));
  }
  return bytes;
}

// Both factors as doubles, row-major [batch][M][K] and [batch][K][N].
struct Reference {
  int batch, m, n, k;
  std::vector<double> a, b;
};

// Compares with c + a * b. `relative`: of the sum of the magnitudes of all products, which bounds every rounding.
inline void ExpectProduct(const Reference& r, const Element& element, const std::vector<uint8_t>& c,
                          const std::vector<uint8_t>& got, double relative) {
  for (int batch = 0; batch < r.batch; ++batch) {
    for (int i = 0; i < r.m; ++i) {
      for (int j = 0; j < r.n; ++j) {
        size_t at = (static_cast<size_t>(batch) * r.m + i) * r.n + j;
        double want = Decode(element, Load(c, at, element.bytes)), magnitude = std::fabs(want);
        for (int k = 0; k < r.k; ++k) {
          double x = r.a[(static_cast<size_t>(batch) * r.m + i) * r.k + k];
          double y = r.b[(static_cast<size_t>(batch) * r.k + k) * r.n + j];
          want += x * y;
          magnitude += std::fabs(x * y);
        }
        double value = Decode(element, Load(got, at, element.bytes));
        // Written so that NaN fails.
        ASSERT_TRUE(std::fabs(value - want) <= relative * magnitude)
            << "at " << batch << ", " << i << ", " << j << ": got " << value << ", want " << want;
      }
    }
  }
}

inline std::vector<double> DecodeAll(const Element& element, const std::vector<uint8_t>& bytes) {
  std::vector<double> values(bytes.size() / static_cast<size_t>(element.bytes));
  for (size_t i = 0; i < values.size(); ++i) values[i] = Decode(element, Load(bytes, i, element.bytes));
  return values;
}

inline std::vector<std::string_view> FirstClassTargets() {
  std::vector<std::string_view> names;
  for (const GpuTarget& target : AllTargets())
    if (target.support == TargetSupport::kFirstClass) names.push_back(target.name);
  return names;
}

// Bounds of rounding, relative to the sum of magnitudes.
inline constexpr double kExact = 0, kSumOfF32 = 0x1p-20, kSumOfF64 = 0x1p-48, kTf32 = 0x1p-9, kRoundedToF16 = 0x1p-10,
                        kRoundedToBf16 = 0x1p-7;

struct Size {
  int batch, m, n, k, warps;  // batch 0: rank 2
  std::string ToString() const { return fmt::format("batch {}, {}x{}x{}, {} warps", batch, m, n, k, warps); }
};

}  // namespace rocxla::triton
