#!/usr/bin/env bash
# check_layers.sh ROOT: every #include "..." of a source file must be allowed by layers.txt. Prints each edge that is not, with the
# rule that forbids it, then "N passed, N failed" (files).
set -euo pipefail
root=${1:-.}
rules=$(dirname "${BASH_SOURCE[0]}")/layers.txt
cd "$root"
find . \( -path ./build -o -path './build-*' -o -path ./.git \) -prune -false -o \
  \( -name '*.cc' -o -name '*.h' -o -name '*.def' \) -print | sed 's|^\./||' | sort |
  xargs grep -HnE '^ *# *include *"' /dev/null |
  awk -v rules="$rules" '
    function folder_of(path,   dir) {  # the longest listed folder that holds path
      dir = path
      while (sub(/\/[^\/]*$/, "", dir)) if (dir in allowed) return dir
      return ""
    }
    BEGIN {
      while ((getline line < rules) > 0) {
        if (line ~ /^#/ || line !~ /:/) continue
        split(line, part, ":")
        allowed[part[1]] = part[2] " "
        text[part[1]] = line
      }
    }
    {
      split($0, field, ":")
      file = field[1]; number = field[2]
      match($0, /"[^"]*"/)
      target = substr($0, RSTART + 1, RLENGTH - 2)
      # LLVM, MLIR and generated headers lie outside the project.
      if (target ~ /^(llvm|mlir|lld|llvm-c|clang)\//) next
      seen[file] = 1
      from = folder_of(file)
      to = folder_of(target)
      if (from == "") { print file ": its folder has no line in layers.txt"; bad[file] = 1; next }
      if (to == "") { print file ":" number ": " target ": not written from the root, or its folder has no line in layers.txt"; bad[file] = 1; next }
      if (to == from) next
      n = split(allowed[from], list, " ")
      for (i = 1; i <= n; i++)
        if (to == list[i] || index(to, list[i] "/") == 1) next
      print file ":" number ": " from " must not include " to " (" target "); rule: " text[from]
      bad[file] = 1
    }
    END {
      for (f in seen) if (f in bad) failed++; else passed++
      for (f in bad) if (!(f in seen)) failed++
      printf "%d passed, %d failed\n", passed, failed
      exit(failed > 0 || passed == 0)
    }'
