#!/usr/bin/env bash
# run_xla_ci_build.sh PRESET JOBS [--only LABEL] [--without LABEL]... [--dry-run] [-- CTEST_ARGUMENT...]
#
# What run_xla.sh and run_xla_multi_gpu.sh have in common: builds the preset and runs its tests, JOBS programs at once, without the tests
# that rocm_tag_filters.sh or excluded_tests.txt name. Every excluded test needs a reason, and must exist. --dry-run prints what would run.
#
# Compile parallelism: every test program compiles kernels on as many threads as the machine has cores. With several programs at once that
# is too many, so XLA_FLAGS gets --xla_gpu_force_compilation_parallelism=N, where N is the cores of each program, from 1 to 16 (upstream's
# CI fixes 16). An XLA_FLAGS that sets the option itself, or names a file, is left alone.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=$here/../..
excluded_file=$here/excluded_tests.txt

say() { echo "run_xla_ci_build.sh: $*" >&2; }

preset=${1:?PRESET} jobs=${2:?JOBS}
shift 2
case $preset in dev | release | asan | ubsan | tsan) ;;
  *) say "ROCXLA_PRESET is '$preset', not dev, release, asan, ubsan or tsan"; exit 2 ;;
esac
only=() without=() dry_run=no
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=(-L "^$2\$"); shift 2 ;;
    --without) without+=("$2"); shift 2 ;;
    --dry-run) dry_run=yes; shift ;;
    --excluded-tests) excluded_file=$2; shift 2 ;;
    --) shift; break ;;
    *) say "unknown argument '$1'"; exit 2 ;;
  esac
done

# "NAME  # reason" a line -> a regular expression for ctest -E.
read_excluded() {
  local line name number=0 names=()
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in '' | '#'*) continue ;; esac
    [[ $line =~ ^([A-Za-z0-9_.-]+)[[:space:]]+#[[:space:]]*[^[:space:]] ]] ||
      { say "$excluded_file:$number: expected 'NAME  # reason'"; return 1; }
    name=${BASH_REMATCH[1]}
    names+=("$name")
  done <"$excluded_file"
  local IFS='|'
  echo "${names[*]+^(${names[*]})\$}"
}

# An exclusion must not outlive its test.
check_excluded() {  # REGEX
  local known name
  known=$(ctest --test-dir "$build" -N)
  for name in $(tr -d '^()$' <<<"$1" | tr '|' ' '); do
    grep -qE "Test +#[0-9]+: $name\$" <<<"$known" || { say "$excluded_file: there is no test '$name'; remove its line"; return 1; }
  done
}

run() {
  if [ $dry_run = yes ]; then echo "$*"; else "$@"; fi
}

set_compile_parallelism() {
  local cores threads
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  threads=$((cores / jobs))
  [ $threads -ge 1 ] || threads=1
  [ $threads -le 16 ] || threads=16
  case ${XLA_FLAGS:-} in
    *xla_gpu_force_compilation_parallelism*) ;;
    '' | [[:space:]-]*) export XLA_FLAGS="--xla_gpu_force_compilation_parallelism=$threads${XLA_FLAGS:+ $XLA_FLAGS}" ;;
    *) say "XLA_FLAGS names a file; compile parallelism is left as it is" ;;
  esac
}

case $preset in dev) build=$root/build ;; *) build=$root/build-$preset ;; esac
excluded=$(read_excluded)
set_compile_parallelism
exclude=()
[ -z "$excluded" ] || exclude=(-E "$excluded")
[ $dry_run = no ] || echo "XLA_FLAGS=${XLA_FLAGS:-}"
cd "$root"
run env ROCXLA_PRESET="$preset" ./dev build
[ $dry_run = yes ] || [ -z "$excluded" ] || check_excluded "$excluded"
run ctest --preset "$preset" -j "$jobs" ${only[@]+"${only[@]}"} \
  -LE "$("$here/rocm_tag_filters.sh" --ctest ${without[@]+"${without[@]}"})" ${exclude[@]+"${exclude[@]}"} "$@"
