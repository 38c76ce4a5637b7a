#!/usr/bin/env bash
# every_device_test.sh ROCXLA SOURCE PROVIDER N: PROVIDER (hip, embedded) must have N devices at least, and each must compute recorded
# programs right, one after the other and then all at once.
set -euo pipefail
rocxla=$1 source=$2 provider=$3 wanted=$4
[ "$provider" != embedded ] || export ROCXLA_EMBEDDED_DEVICES=${ROCXLA_EMBEDDED_DEVICES:-gfx942,gfx1100}
cases=(dot_bias_relu reduce_sum_cols reduce_log_softmax)
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

mapfile -t devices < <("$rocxla" devices --json | grep -o "\"device\": \"$provider:[0-9]*\"" | cut -d'"' -f4)
if [ ${#devices[@]} -lt "$wanted" ]; then
  "$rocxla" devices
  echo "$provider has ${#devices[@]} devices, $wanted needed"
  echo "0 passed, 1 failed"
  exit 1
fi
passed=0 failed=0
count() {  # NAME STATUS
  if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "$1 failed:"; cat "$output/$1"; fi
}
check() { "$rocxla" check "${paths[@]}" --device "$1" >"$output/$2" 2>&1; }

paths=()
for name in "${cases[@]}"; do paths+=("$source/tests/cases/jax/$name"); done
for device in "${devices[@]}"; do
  status=0
  check "$device" "$device" || status=$?
  count "$device" $status
done
pids=()
for device in "${devices[@]}"; do check "$device" "$device at once" & pids+=($!); done
for i in "${!pids[@]}"; do
  status=0
  wait "${pids[$i]}" || status=$?
  count "${devices[$i]} at once" $status
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
