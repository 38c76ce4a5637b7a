#!/usr/bin/env bash
# Prints the ten longest source files; fails when one has more than 800 lines (pure tables, *.def and *.td, are exempt).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git ls-files --cached --others --exclude-standard '*.cc' '*.h' | xargs wc -l | grep -v ' total$' | sort -rn |
  awk 'NR <= 10 { print "  " $1, $2 } $1 > 800 { print "error: " $2 " has " $1 " lines; 800 is the wall"; bad = 1 } END { exit bad }'
