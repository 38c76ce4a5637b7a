#!/usr/bin/env bash
# The checker must accept an allowed edge and name a forbidden one, an unknown folder and a path that does not start at the root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{base,emulator/exec,triton,somewhere}
echo '#include "base/status.h"' >"$tree/emulator/exec/good.cc"
echo '#include "triton/compile.h"' >"$tree/emulator/exec/bad.cc"
echo '#include "base/status.h"' >"$tree/somewhere/new.cc"
echo '#include "status.h"' >"$tree/base/short.cc"

passed=0 failed=0
expect() {
  if grep -qF "$1" "$tree/output"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "missing: $1"; fi
}
if "$here/check_layers.sh" "$tree" >"$tree/output"; then failed=$((failed + 1)); echo "the checker accepted a bad tree"; fi
expect 'emulator/exec/bad.cc:1: emulator must not include triton (triton/compile.h); rule: emulator: base'
expect 'somewhere/new.cc: its folder has no line in layers.txt'
expect 'base/short.cc:1: status.h: not written from the root, or its folder has no line in layers.txt'
expect '1 passed, 3 failed'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
