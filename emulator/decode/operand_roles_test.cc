// Compares how operands are read with what LLVM prints, over an encoding of every instruction form of every target.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "emulator/decode/machine_code.h"
#include "emulator/isa/encodings.h"
#include "emulator/isa/op.h"

namespace rocxla::emu {
namespace {

struct Printed {
  Operand at;
  bool negated = false;
  int words = 1;
};

std::vector<std::string> Tokens(const std::string& text) {
  std::vector<std::string> tokens(1);
  int depth = 0;
  for (char c : text.substr(std::min(text.find(' '), text.size()))) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      tokens.emplace_back();
    else if (c == ' ' && depth == 0)
      tokens.emplace_back();
    else
      tokens.back() += c;
  }
  return tokens;
}
// The register that a token such as v[8:9], -|s16|, vcc_lo or v24.h names.
std::optional<Printed> RegisterOf(std::string token) {
  Printed printed;
  while (!token.empty() && (token[0] == '-' || token[0] == '|')) {
    printed.negated = printed.negated || token[0] == '-';
    token.erase(0, 1);
  }
  for (std::string_view word : {"abs(", "sext(", "neg("}) {
    if (token.starts_with(word)) token.erase(0, word.size());
  }
  static const std::map<std::string, int> named = {{"vcc", kVcc},
                                                   {"vcc_lo", kVcc},
                                                   {"vcc_hi", kVcc + 1},
                                                   {"exec", kExec},
                                                   {"exec_lo", kExec},
                                                   {"m0", kM0},
                                                   {"null", kNull},
                                                   {"scc", kScc},
                                                   {"exec_hi", kExec + 1},
                                                   {"src_scc", kScc},
                                                   {"flat_scratch", kFlatScratch},
                                                   {"src_shared_base", kSharedBase},
                                                   {"src_private_base", kPrivateBase}};
  std::string name = token.substr(0, token.find_first_of("|)."));
  if (auto it = named.find(name); it != named.end()) {
    printed.at = ScalarAt(it->second);
    return printed;
  }
  size_t digits = token.starts_with("ttmp") ? 4 : 1;
  if (token.size() <= digits) return std::nullopt;
  size_t begin = token[digits] == '[' ? digits + 1 : digits;
  int number;
  auto [end, error] = std::from_chars(token.data() + begin, token.data() + token.size(), number);
  if (error != std::errc()) return std::nullopt;
  if (end != token.data() + token.size() && std::string_view(":].|)").find(*end) == std::string_view::npos)
    return std::nullopt;
  if (begin != digits && *end == ':') {
    int last = number;
    std::from_chars(end + 1, token.data() + token.size(), last);
    printed.words = last - number + 1;
  }
  if (token[0] == 'v' && digits == 1) printed.at = RowAt(number);
  if (token[0] == 'a') printed.at = RowAt(kAccRow + number);
  if (token[0] == 's') printed.at = ScalarAt(number);
  if (token[0] == 't') printed.at = ScalarAt(kTtmp + number);
  return printed.at.kind == Operand::kNone ? std::nullopt : std::optional<Printed>(printed);
}
std::vector<Printed> PrintedRegisters(const std::string& text) {
  std::vector<Printed> all;
  for (const std::string& token : Tokens(text)) {
    if (auto printed = RegisterOf(token)) all.push_back(*printed);
  }
  return all;
}

// In their order, those of the vector files first.
template <class T>
std::vector<T> RowsFirst(const std::vector<T>& all) {
  std::vector<T> sorted;
  for (bool rows : {true, false}) {
    for (const T& one : all) {
      if ((one.at.kind == Operand::kRow) == rows) sorted.push_back(one);
    }
  }
  return sorted;
}

bool IsFixed(Operand at) { return at.kind == Operand::kScalar && at.index >= kVcc; }

int Occurrences(const std::string& text, std::string_view word) {
  int n = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) n++;
  return n;
}

// The registers of an operand by the tables and by the text, for lane-wise and scalar operations that the tables know
// by the instruction's own name.
std::string SizeDisagreement(const Instruction& in, int lanes) {
  auto op = FindOp(in.key);
  if (!op || in.key.starts_with("x_")) return "";
  const OpInfo& info = Info(*op);
  if (info.shape != Shape::kVector && info.shape != Shape::kScalar) return "";
  std::vector<Printed> printed = PrintedRegisters(in.text);
  auto check = [&](const Source& operand, const OperandInfo& expected) -> std::string {
    int words = expected.kind == ElementKind::kMask ? lanes / 32 : expected.words, other = words;
    if (operand.at.kind == Operand::kNone || IsFixed(operand.at)) return "";
    for (const Printed& p : printed) {  // two operands may begin with the same register
      if (p.at != operand.at) continue;
      if (p.words == words) return "";
      other = p.words;
    }
    return words == other ? "" : fmt::format("{} registers instead of {}", other, words);
  };
  for (size_t i = 0; i < in.defs.size() && i < info.results; i++) {
    if (std::string wrong = check(in.defs[i], info.result[i]); !wrong.empty()) return wrong;
  }
  int next = 0;
  for (const Source& source : in.sources) {
    while (next < info.sources && info.source[next].implicit >= 0) next++;
    if (next >= info.sources) break;
    if (std::string wrong = check(source, info.source[next++]); !wrong.empty()) return wrong;
  }
  return "";
}

// Empty if what was read agrees with the text: the destinations come first, then the sources in their order. Registers
// that the encoding fixes (vcc) and sources tied to a destination may be printed without being operands.
std::string Disagreement(const Instruction& in) {
  std::vector<Source> read = in.defs;
  read.insert(read.end(), in.sources.begin(), in.sources.end());
  std::erase_if(read, [](const Source& s) { return s.at.kind == Operand::kNone; });
  std::vector<Printed> printed = PrintedRegisters(in.text);
  if (in.Is("global_") || in.Is("flat_") || in.Is("scratch_")) {
    // LLVM orders the scalar base before the address row and prints it after: each file by itself is in order.
    auto is_row = [](const auto& operand) { return operand.at.kind == Operand::kRow; };
    read = RowsFirst(read);
    printed = RowsFirst(printed);
    // Scratch stores: LLVM's operands begin with the data, its text with the address.
    bool two_rows = read.size() > 1 && is_row(read[0]) && is_row(read[1]);
    if (in.Is("scratch_store_") && two_rows) std::swap(read[0], read[1]);
  }
  if (in.Is("v_dual_")) {  // two instructions in one text: the same registers, in another order
    // Accumulators are tied to destinations and not printed; LLVM decodes that of the second instruction wrongly, and
    // the cracker takes it from the destination.
    int accumulators = Occurrences(in.text, "fmac_") + Occurrences(in.text, "dot2acc_");
    for (const Source& s : read) {
      bool found = std::any_of(printed.begin(), printed.end(), [&](const Printed& p) { return p.at == s.at; });
      if (!found && accumulators-- <= 0) {
        return fmt::format("operand {}:{} is not printed", int{s.at.kind}, s.at.index);
      }
    }
    return "";
  }
  size_t next = 0;
  for (const Printed& p : printed) {
    if (next < read.size() && read[next].at == p.at) {
      // Integers have the same bit, which is not printed.
      bool negated = (read[next].modifiers & kModNeg) != 0;
      if (p.negated && !negated) return fmt::format("the sign of operand {}", next);
      next++;
      continue;
    }
    bool tied = std::any_of(in.defs.begin(), in.defs.end(), [&](const Source& d) { return d.at == p.at; });
    if (!IsFixed(p.at) && !tied) return fmt::format("printed {}:{} is no operand", int{p.at.kind}, p.at.index);
  }
  for (; next < read.size(); next++) {
    bool tied = std::any_of(in.defs.begin(), in.defs.end(), [&](const Source& d) { return d.at == read[next].at; });
    if (!IsFixed(read[next].at) && !tied) {
      return fmt::format("operand {}:{} is not printed", int{read[next].at.kind}, read[next].at.index);
    }
  }
  if ((in.Get(Immediate::kClamp) != 0) != (in.text.find(" clamp") != in.text.npos)) return "clamp";
  return "";
}

TEST(OperandRolesTest, AgreeWithThePrintedText) {
  for (const char* name : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    GpuTarget target = *FindTarget(name);
    auto machine = MachineCode::For(target, target.wave_size);
    ASSERT_TRUE(machine.ok()) << machine.status().ToString();
    int checked = 0, reported = 0;
    for (i64 immediate : {0, 1}) {
      auto samples = SampleEncodings(target, immediate);
      ASSERT_TRUE(samples.ok());
      std::lock_guard lock((*machine)->mutex());
      for (const SampleEncoding& sample : *samples) {
        auto in = (*machine)->Decode(sample.bytes, 0);
        if (!in || in->bytes != sample.bytes.size()) continue;
        if (in->text.find("Invalid register") != std::string::npos) continue;    // no encoding that an assembler makes
        if (in->Is("image_") || in->Is("exp") || in->Is("v_interp_")) continue;  // never executed
        checked++;
        std::string disagreement = Disagreement(*in);
        if (disagreement.empty()) disagreement = SizeDisagreement(*in, target.wave_size);
        if (disagreement.empty() || reported++ > 20) continue;
        ADD_FAILURE() << name << ": " << in->text << " (" << in->opcode << "): " << disagreement;
      }
    }
    EXPECT_GT(checked, 4000) << name;
  }
}

}  // namespace
}  // namespace rocxla::emu
