#include "emulator/observe/trace.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace rocxla::emu {
namespace {

// The architecture's name of a scalar register; empty for the decoder's own.
std::string ScalarName(int i) {
  switch (i) {
    case kVcc:
      return "vcc_lo";
    case kVcc + 1:
      return "vcc_hi";
    case kExec:
      return "exec_lo";
    case kExec + 1:
      return "exec_hi";
    case kM0:
      return "m0";
    case kScc:
      return "scc";
    default:
      break;
  }
  if (i < kVcc) return fmt::format("s{}", i);
  return i >= kTtmp && i < kM0 ? fmt::format("ttmp{}", i - kTtmp) : "";
}

std::string RowName(int row) { return row < kAccRow ? fmt::format("v{}", row) : fmt::format("a{}", row - kAccRow); }

// "0-3, 8": the lanes of a mask.
std::string LaneRanges(u64 lanes) {
  std::string text;
  for (int l = 0; l < kRowLanes; l++) {
    if ((lanes >> l & 1) == 0) continue;
    int last = l;
    while (last + 1 < kRowLanes && (lanes >> (last + 1) & 1) != 0) last++;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", l);
    if (last > l) text += fmt::format("-{}", last);
    l = last;
  }
  return text;
}

Status BadFilter(std::string_view text) {
  return InvalidArgumentError(fmt::format("'{}' names no wave: expected X,Y,Z (a workgroup) or X,Y,Z:WAVE", text));
}

}  // namespace

StatusOr<TraceFilter> ParseTraceFilter(std::string_view text) {
  TraceFilter filter;
  filter.block.emplace();
  const char *at = text.data(), *end = text.data() + text.size();
  for (int i = 0; i < 4; i++) {
    u32 number = 0;
    auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return BadFilter(text);
    if (i < 3) (*filter.block)[i] = number;
    if (i == 3) filter.wave = number;
    at = next;
    if (at == end && i >= 2) return filter;
    if (at == end || i == 3 || *at != (i < 2 ? ',' : ':')) return BadFilter(text);
    at++;
  }
  return filter;
}

bool Trace::Shows(const FaultPlace& place) const {
  return (!filter_.block || *filter_.block == place.block) && (!filter_.wave || *filter_.wave == place.wave_index);
}

Status Trace::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  if (!BeginsInstruction(MicroAt(place, wave))) return OkStatus();
  Finish();
  if (!Shows(place)) return OkStatus();
  wave_ = &wave;
  before_ = std::make_unique<Wave>(wave);
  sink_(Describe(place, wave));
  return OkStatus();
}

Status Trace::EndWorkgroup(const FaultPlace&) {
  Finish();
  return OkStatus();
}

void Trace::Finish() {
  if (const Wave* wave = std::exchange(wave_, nullptr)) PrintChanges(*before_, *wave);
}

void Trace::PrintChanges(const Wave& before, const Wave& after) const {
  for (int i = 0; i < kLiteral; i++) {
    if (before.scalar[i] == after.scalar[i]) continue;
    if (const std::string name = ScalarName(i); !name.empty()) {
      sink_(fmt::format("    {} = {:#x}", name, after.scalar[i]));
    }
  }
  for (int row = 0; row < kTempRow; row++) PrintRow(row, before.row[row], after.row[row], after.lanes);
}

// Lanes that changed; one value for all of them, or the first few.
void Trace::PrintRow(int row, const u32* before, const u32* after, int lanes) const {
  u64 changed = 0;
  for (int l = 0; l < lanes; l++) changed |= u64{before[l] != after[l]} << l;
  if (changed == 0) return;
  constexpr int kShown = 8;
  const u32 first = after[std::countr_zero(changed)];
  bool uniform = true;
  int shown = 0;
  std::string values;
  for (u64 e = changed; e != 0; e &= e - 1) {
    const u32 value = after[std::countr_zero(e)];
    uniform &= value == first;
    if (shown++ < kShown) values += fmt::format("{}{:#x}", values.empty() ? "" : ", ", value);
  }
  if (uniform) values = fmt::format("{:#x}", first);
  if (!uniform && shown > kShown) values += ", ...";
  sink_(fmt::format("    {} = {} in lanes {}", RowName(row), values, LaneRanges(changed)));
}

}  // namespace rocxla::emu
