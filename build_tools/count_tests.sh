#!/usr/bin/env bash
# count_tests.sh LASTTEST.LOG: adds up what the test programs of one ctest run counted, prints "N passed, N failed" as its last line
# and fails when anything failed or nothing ran.
#
# A program counts through GoogleTest's "[  PASSED  ] N tests." and "[  FAILED  ] N tests, listed below:", or through a line
# "N passed, N failed" of its own. One that failed without counting a failure (it crashed, or ran out of time) is one failure.
set -euo pipefail
awk '
  function finish() {
    if (name == "") return
    if (!counted) { if (ok) p = 1; else f = 1 }
    else if (!ok && f == 0) f = 1
    passed += p; failed += f
    if (f) broken = broken sprintf("  %s: %d failed\n", name, f)
    name = ""
  }
  /^[0-9]+\/[0-9]+ Testing: / { finish(); name = $3; p = f = counted = ok = 0 }
  /^\[  PASSED  \] [0-9]+ test/ { p += $4; counted = 1 }
  /^\[  FAILED  \] [0-9]+ test.*listed below/ { f += $4; counted = 1 }
  /^[0-9]+ passed, [0-9]+ failed$/ { p += $1; f += $3; counted = 1 }
  /^Test Passed\.$/ { ok = 1 }
  END {
    finish()
    if (broken != "") printf "failed:\n%s", broken
    printf "%d passed, %d failed\n", passed, failed
    exit(failed > 0 || passed == 0)
  }' "$1"
