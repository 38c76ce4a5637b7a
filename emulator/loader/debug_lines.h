// Source lines from the line tables of a code object, which may come from anywhere.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace llvm {
class DWARFContext;
}

namespace rocxla::emu {

// LLVM's reader looks up some forms of DWARF 5 line-table headers in a compile unit that it has not got there, and
// takes some numbers on trust: a corrupt header ends the process. True if every header of the section `.debug_line`
// describes its directories and files by the forms that compilers write there, as "DWARF Debugging Information Format
// Version 5", section 6.2.4.1 lists them, and versions are 2 to 5.
bool LineTablesAreReadable(std::string_view section);

// "file.py:12" of the instruction at an address of the object file, or "" where no readable table has a line for it.
std::string SourceLineInTables(const llvm::DWARFContext& dwarf, uint64_t address);

}  // namespace rocxla::emu
