#include "emulator/loader/debug_lines.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Support/DataExtractor.h"

namespace rocxla::emu {
namespace {

namespace dwarf = llvm::dwarf;
using Cursor = llvm::DataExtractor::Cursor;

struct EntryFormat {
  uint64_t content, form;
};

bool IsText(uint64_t form) {
  return form == dwarf::DW_FORM_string || form == dwarf::DW_FORM_line_strp || form == dwarf::DW_FORM_strp;
}
bool IsNumber(uint64_t form) {
  return form == dwarf::DW_FORM_udata || form == dwarf::DW_FORM_data1 || form == dwarf::DW_FORM_data2 ||
         form == dwarf::DW_FORM_data4 || form == dwarf::DW_FORM_data8;
}
bool FormFits(const EntryFormat& format) {
  switch (format.content) {
    case dwarf::DW_LNCT_path:
    case dwarf::DW_LNCT_LLVM_source:
      return IsText(format.form);
    case dwarf::DW_LNCT_directory_index:
    case dwarf::DW_LNCT_timestamp:
    case dwarf::DW_LNCT_size:
      return IsNumber(format.form);
    case dwarf::DW_LNCT_MD5:
      return format.form == dwarf::DW_FORM_data16;
    default:
      return false;
  }
}

void Skip(const llvm::DataExtractor& data, Cursor& at, uint64_t form) {
  switch (form) {
    case dwarf::DW_FORM_string:
      data.getCStrRef(at);
      break;
    case dwarf::DW_FORM_udata:
      data.getULEB128(at);
      break;
    case dwarf::DW_FORM_data1:
      data.skip(at, 1);
      break;
    case dwarf::DW_FORM_data2:
      data.skip(at, 2);
      break;
    case dwarf::DW_FORM_data8:
      data.skip(at, 8);
      break;
    case dwarf::DW_FORM_data16:
      data.skip(at, 16);
      break;
    default:  // strp, line_strp, data4
      data.skip(at, 4);
      break;
  }
}

// A list of directories or of files: the format of its entries, then the entries.
bool EntriesAreReadable(const llvm::DataExtractor& data, Cursor& at) {
  std::vector<EntryFormat> formats(data.getU8(at));
  for (EntryFormat& format : formats) {
    format.content = data.getULEB128(at);
    format.form = data.getULEB128(at);
    if (!at || !FormFits(format)) return false;
  }
  const uint64_t entries = data.getULEB128(at);
  if (entries > data.size() || (entries != 0 && formats.empty())) return false;
  for (uint64_t i = 0; i < entries && at; i++) {
    for (const EntryFormat& format : formats) Skip(data, at, format.form);
  }
  return static_cast<bool>(at);
}

// The unit's version and, for version 5, its lists.
bool UnitIsReadable(const llvm::DataExtractor& data, Cursor& at) {
  const uint16_t version = data.getU16(at);
  if (!at || version < 2 || version > 5) return false;
  if (version < 5) return true;
  data.skip(at, 2);  // sizes of addresses and segment selectors
  data.skip(at, 4);  // length of the header
  data.skip(at, 5);  // instruction length, operations, default_is_stmt, line_base, line_range
  const uint8_t opcode_base = data.getU8(at);
  if (!at || opcode_base == 0) return false;
  data.skip(at, opcode_base - 1);
  return EntriesAreReadable(data, at) && EntriesAreReadable(data, at);
}

}  // namespace

bool LineTablesAreReadable(std::string_view section) {
  const llvm::DataExtractor data(llvm::StringRef(section.data(), section.size()), true, 8);
  for (uint64_t begin = 0; begin < section.size();) {
    Cursor at(begin);
    const uint64_t length = data.getU32(at);
    const bool readable =
        at && length < dwarf::DW_LENGTH_lo_reserved && length <= section.size() - at.tell() && UnitIsReadable(data, at);
    llvm::consumeError(at.takeError());
    if (!readable) return false;
    begin += sizeof(uint32_t) + length;
  }
  return true;
}

std::string SourceLineInTables(const llvm::DWARFContext& dwarf, uint64_t address) {
  const llvm::DWARFObject& object = dwarf.getDWARFObj();
  const llvm::DWARFSection& section = object.getLineSection();
  if (!LineTablesAreReadable(section.Data)) return "";
  llvm::DWARFDataExtractor data(object, section, dwarf.isLittleEndian(), sizeof(uint64_t));
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  for (uint64_t at = 0; data.isValidOffset(at);) {
    llvm::DWARFDebugLine::LineTable table;
    const uint64_t begin = at;
    if (llvm::Error error = table.parse(data, &at, dwarf, nullptr, ignore)) {
      ignore(std::move(error));
      return "";
    }
    if (at <= begin) return "";
    llvm::DILineInfo line;
    if (!table.getFileLineInfoForAddress({address, llvm::object::SectionedAddress::UndefSection}, false, "",
                                         llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, line)) {
      continue;
    }
    if (line.Line == 0 || line.FileName == llvm::DILineInfo::BadString) return "";
    return fmt::format("{}:{}", line.FileName, line.Line);
  }
  return "";
}

}  // namespace rocxla::emu
