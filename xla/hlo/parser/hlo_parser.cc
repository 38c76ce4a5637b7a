#include "xla/hlo/parser/hlo_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/error_ids.h"
#include "base/flags.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/parser/computation_parser.h"
#include "xla/hlo/parser/shape_parser.h"

namespace xla {
namespace {

class ModuleParser {
 public:
  ModuleParser(std::string_view text, std::string_view file_name) : cursor_(text, file_name) {}

  StatusOr<std::unique_ptr<HloModule>> Parse() {
    RETURN_IF_ERROR(ParseHeader());
    RETURN_IF_ERROR(ParseStackFrameTables());
    while (!cursor_.AtEnd()) RETURN_IF_ERROR(ParseComputation());
    if (last_ == nullptr) return cursor_.SyntaxError("the module has no computation", "ENTRY name { ... }");
    if (entry_ == nullptr) entry_ = last_.get();
    if (last_ != nullptr) AddLast();
    return std::move(module_);
  }

  // Null: the header, where the verifier only looks at the entry's layout.
  std::string Where(const HloInstruction* instruction) const {
    if (instruction == nullptr) return cursor_.WhereText(entry_layout_offset_);
    const auto at =
        std::find_if(offsets_.begin(), offsets_.end(), [&](const auto& known) { return known.first == instruction; });
    return cursor_.WhereText(at == offsets_.end() ? 0 : at->second);
  }

 private:
  Status ParseHeader() {
    if (cursor_.PeekWord() != "HloModule") {
      // Text that begins with a computation is a module as well; it has no name of its own.
      module_ = std::make_unique<HloModule>("module");
      if (cursor_.PeekWord().empty()) {
        return cursor_.SyntaxError("this is no HLO text", "HloModule name, or a computation: ENTRY name { ... }");
      }
      return OkStatus();
    }
    RETURN_IF_ERROR(cursor_.Expect("HloModule", "the header is missing"));
    ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("the module's name"));
    module_ = std::make_unique<HloModule>(std::string(name));
    while (cursor_.TryConsume(",")) RETURN_IF_ERROR(ParseModuleAttribute());
    return OkStatus();
  }

  Status ParseModuleAttribute() {
    ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("an attribute of the module"));
    RETURN_IF_ERROR(cursor_.Expect("=", fmt::format("the value of {} is missing", name)));
    HloModuleConfig& config = module_->mutable_config();
    if (name == "replica_count") {
      ASSIGN_OR_RETURN(config.replica_count, cursor_.Integer());
    } else if (name == "num_partitions") {
      ASSIGN_OR_RETURN(config.num_partitions, cursor_.Integer());
    } else if (name == "entry_computation_layout") {
      RETURN_IF_ERROR(cursor_.Expect("{", "entry_computation_layout stands in braces"));
      entry_layout_offset_ = cursor_.offset();
      ASSIGN_OR_RETURN(config.entry_computation_layout, ParseProgramShape(cursor_));
      return cursor_.Expect("}", "entry_computation_layout is not closed");
    } else {
      ASSIGN_OR_RETURN(const std::string_view value, cursor_.BalancedValue());
      config.AddAttribute(std::string(name), std::string(value));
    }
    return OkStatus();
  }

  // Blocks of a title line and numbered lines, kept verbatim.
  Status ParseStackFrameTables() {
    constexpr std::string_view kTitles[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
    const size_t begin = cursor_.offset();
    size_t end = begin;
    while (std::find(std::begin(kTitles), std::end(kTitles), cursor_.PeekWord()) != std::end(kTitles)) {
      ASSIGN_OR_RETURN([[maybe_unused]] const std::string_view title, cursor_.Word("a table's title"));
      while (cursor_.Peek() >= '0' && cursor_.Peek() <= '9') {
        ASSIGN_OR_RETURN([[maybe_unused]] const int64_t number, cursor_.Integer());
        ASSIGN_OR_RETURN(const std::string_view row, cursor_.BalancedValue());
        end = cursor_.OffsetBehind(row);
      }
    }
    module_->mutable_config().stack_frame_tables = cursor_.TextBetween(begin, end);
    return OkStatus();
  }

  Status ParseComputation() {
    if (last_ != nullptr) AddLast();
    const size_t at = cursor_.offset();
    const bool is_entry = cursor_.PeekWord() == "ENTRY";
    if (is_entry) {
      if (entry_ != nullptr) {
        return cursor_.SyntaxError("the module has a second ENTRY", fmt::format("only '{}' as ENTRY", entry_->name()));
      }
      cursor_.TryConsume("ENTRY");
    }
    const std::string_view name = cursor_.PeekWord();
    if (by_name_.contains(name)) {
      return cursor_.SyntaxError("two computations have the same name", "a name that is not used yet");
    }
    const FindComputation find = [this](TextCursor& cursor) { return Find(cursor); };
    ASSIGN_OR_RETURN(last_, ComputationParser(cursor_, find, offsets_).Parse());
    by_name_.emplace(name, last_.get());
    if (is_entry) entry_ = last_.get();
    return CheckExecutionThread(at);
  }

  // ", execution_thread="main"" may follow a computation.
  Status CheckExecutionThread(size_t at) {
    if (!cursor_.TryConsume(",")) return OkStatus();
    ASSIGN_OR_RETURN(const std::string_view name, cursor_.Word("execution_thread"));
    RETURN_IF_ERROR(cursor_.Expect("=", fmt::format("the value of {} is missing", name)));
    ASSIGN_OR_RETURN(const std::string thread, cursor_.String());
    if (name == "execution_thread" && thread == "main") return OkStatus();
    return cursor_.ErrorAt(at, ErrorId::kHloUnsupportedFeature,
                           {.what = "a computation on another execution thread cannot be read yet",
                            .found = fmt::format("{}=\"{}\"", name, thread),
                            .expected = "execution_thread=\"main\""});
  }

  // The module takes a computation when the next begins: only then it is known whether it is the entry.
  void AddLast() {
    const bool is_entry = last_.get() == entry_;
    if (is_entry) {
      module_->AddEntryComputation(std::move(last_));
    } else {
      module_->AddEmbeddedComputation(std::move(last_));
    }
  }

  StatusOr<HloComputation*> Find(TextCursor& cursor) const {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("a computation's name"));
    const auto it = by_name_.find(name);
    if (it != by_name_.end()) return it->second;
    std::vector<std::string_view> names;
    for (const auto& [known, computation] : by_name_) names.push_back(known);
    const std::string nearest = rocxla::NearestSpelling(name, names);
    return cursor.ErrorAt(at, ErrorId::kHloUndefinedName,
                          {.what = fmt::format("no computation '{}' is defined above", name),
                           .expected = "the name of a computation that stands before its caller",
                           .next = nearest.empty() ? "" : fmt::format("Did you mean '{}'?", nearest)});
  }

  TextCursor cursor_;
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<HloComputation> last_;  // parsed, not in the module yet
  HloComputation* entry_ = nullptr;
  size_t entry_layout_offset_ = 0;
  std::unordered_map<std::string_view, HloComputation*> by_name_;  // names are parts of the text
  InstructionOffsets offsets_;
};

}  // namespace

StatusOr<std::unique_ptr<HloModule>> ParseAndReturnUnverifiedModule(std::string_view text, std::string_view file_name) {
  return ModuleParser(text, file_name).Parse();
}

StatusOr<std::unique_ptr<HloModule>> ParseAndReturnVerifiedModule(std::string_view text, std::string_view file_name) {
  ModuleParser parser(text, file_name);
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, parser.Parse());
  RETURN_IF_ERROR(VerifyHloModule(*module, [&](const HloInstruction* at) { return parser.Where(at); }));
  return module;
}

}  // namespace xla
