#!/usr/bin/env bash
# The checker must accept what follows the rule, and name a getenv of a source and a variable of a script without a row.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/base"
echo 'ENVIRONMENT_VARIABLE(ROCXLA_KNOWN, "word", "x", "a", "b")' >"$tree/base/environment.def"
echo 'const char* x = getenv("A");' >"$tree/base/bad.cc"
echo 'const char* x = getenv("A");' >"$tree/base/some_test.cc"
echo 'int getenvironment;' >"$tree/base/good.cc"
prefix=ROCXLA  # in two parts, so that the checker does not find the names in this file
echo "echo \${${prefix}_KNOWN:-1} \$${prefix}_OTHER" >"$tree/bad.sh"
echo "echo \${${prefix}_KNOWN:-1}" >"$tree/good.sh"

passed=0 failed=0
expect() {
  if grep -qxF "$1" "$tree/output"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "missing: $1"; fi
}
if "$here/check_environment.sh" "$tree" >"$tree/output"; then failed=$((failed + 1)); echo "the checker accepted a bad tree"; fi
expect 'base/bad.cc:1:const char* x = getenv("A");  <- use Environment() of base/environment.h'
expect 'bad.sh: no row in base/environment.def for ROCXLA_OTHER'
expect '2 passed, 2 failed'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
