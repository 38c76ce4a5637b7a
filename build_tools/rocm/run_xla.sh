#!/usr/bin/env bash
# run_xla.sh [asan|tsan] [--dry-run] [-- CTEST_ARGUMENT...]: builds rocXLA and runs its tests, as CI does on a machine with AMD GPUs.
#
# Tests that use a GPU run ROCXLA_TESTS_PER_GPU at once on each (default 1), through parallel_gpu_execute.sh. Tests of several GPUs are
# run_xla_multi_gpu.sh's. On a machine without an AMD GPU everything runs on the embedded device, except the tests labelled requires_gpu.
# asan, tsan: builds and tests that preset instead, with the ignore lists of this folder. Compile parallelism: see run_xla_ci_build.sh.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=build_tools/rocm/detect_gpus.sh
. "$here/detect_gpus.sh"

preset=${ROCXLA_PRESET:-dev} options=()
while [ $# -gt 0 ]; do
  case $1 in
    asan | tsan) preset=$1; shift ;;
    --dry-run) options+=(--dry-run); shift ;;
    --) break ;;
    *) echo "usage: run_xla.sh [asan|tsan] [--dry-run] [-- CTEST_ARGUMENT...]" >&2; exit 2 ;;
  esac
done
per_gpu=${ROCXLA_TESTS_PER_GPU:-1}
[[ $per_gpu =~ ^[1-9][0-9]?$ ]] || { echo "run_xla.sh: ROCXLA_TESTS_PER_GPU is '$per_gpu', not a number from 1 to 99" >&2; exit 2; }

jobs=${ROCXLA_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
[[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] || { echo "run_xla.sh: ROCXLA_JOBS is '$jobs', not a number from 1 to 9999" >&2; exit 2; }

detect_gpus
visible_gpus
options+=(--without multi_gpu)
if [ ${#GPUS[@]} -gt 0 ]; then
  jobs=$((${#GPUS[@]} * per_gpu))
  echo "run_xla.sh: $(gpus_text ${#GPUS[@]}) (${GPU_ARCH:-unknown architecture}, counted by $GPU_COUNT_SOURCE), $jobs test programs at once" >&2
else
  why=$GPU_NOTES
  [ "$GPU_COUNT" = 0 ] || why="a *_VISIBLE_DEVICES variable hides all $GPU_COUNT"
  echo "run_xla.sh: no AMD GPU ($why): tests run on the embedded device, those labelled requires_gpu do not run" >&2
  options+=(--without requires_gpu)
  unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES  # they would hide the embedded devices, too
fi
exec "$here/run_xla_ci_build.sh" "$preset" "$jobs" "${options[@]}" "$@"
