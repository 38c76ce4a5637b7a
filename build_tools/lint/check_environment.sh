#!/usr/bin/env bash
# check_environment.sh ROOT: every environment variable that is read has a row in base/environment.def. Sources read them through
# base/environment.h only (tests and their fake_*.cc may set and read what they like); scripts may use ROCXLA_... names that have a row.
# Prints what breaks the rule, then "N passed, N failed" (files).
set -euo pipefail
cd "${1:-.}"
rows=$(sed -n 's/^ENVIRONMENT_VARIABLE(\([A-Za-z0-9_]*\).*/\1/p' base/environment.def)
passed=0 failed=0
sources() {
  find . \( -path ./build -o -path './build-*' -o -path ./.git -o -path ./tests/cases \) -prune -false -o "$@" -print | sort
}
list=$(sources \( -name '*.cc' -o -name '*.h' \) -not -name '*_test.cc' -not -name 'fake_*.cc' -not -path './tests/*' \
  -not -path ./base/environment.cc -not -path ./base/environment.h)
calls=$(xargs grep -Hnw getenv <<<"$list" | sed 's|^\./||; s|$|  <- use Environment() of base/environment.h|' || true)
if [ -n "$calls" ]; then
  echo "$calls"
  failed=$(cut -d: -f1 <<<"$calls" | sort -u | grep -c .)
fi
passed=$(($(grep -c . <<<"$list") - failed))
while IFS= read -r file; do
  unknown=$(grep -oE '\$\{?ROCXLA_[A-Z_]+' "$file" | sed 's/^[^R]*//' | sort -u | grep -vxF "$rows" || true)
  if [ -z "$unknown" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "${file#./}: no row in base/environment.def for ${unknown//$'\n'/ }"
  fi
done < <(sources \( -name '*.sh' -o -path ./dev \) -type f)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
