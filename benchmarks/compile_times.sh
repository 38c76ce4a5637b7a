#!/usr/bin/env bash
# compile_times.sh ROCXLA: wall seconds of the whole command, best of five, for compiling each Triton kernel of the recorded cases.
# These are compile times on this machine's CPU; they say nothing about the speed of the kernels.
set -euo pipefail
rocxla=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
printf '%-40s %-8s %s\n' kernel target seconds
for kernel in tests/cases/triton/*/kernel.ttir; do
  for target in gfx942 gfx1100; do
    best=
    for _ in 1 2 3 4 5; do
      begin=$(date +%s%N)
      if ! "$rocxla" triton "$kernel" --target "$target" -o "$out/k.hsaco" >/dev/null 2>"$out/error"; then best=failed; break; fi
      took=$((($(date +%s%N) - begin) / 1000))
      if [ -z "$best" ] || [ "$took" -lt "$best" ]; then best=$took; fi
    done
    if [ "$best" = failed ]; then text="does not compile: $(head -n 1 "$out/error")"
    else text=$(printf '%d.%06d' $((best / 1000000)) $((best % 1000000))); fi
    printf '%-40s %-8s %s\n' "$(basename "$(dirname "$kernel")")" "$target" "$text"
  done
done
