#!/usr/bin/env bash
# run_xla_multi_gpu.sh [asan|tsan] [--gpus N] [--dry-run] [-- CTEST_ARGUMENT...]: runs the tests labelled multi_gpu, one at a time.
#
# They see the first N GPUs (default 4, HIP_VISIBLE_DEVICES). NCCL_MAX_NCHANNELS is 1 unless it is set: several collectives at once would
# otherwise take all compute units and wait for each other. A machine with fewer GPUs runs them on N embedded devices instead, without
# those labelled requires_gpu.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=build_tools/rocm/detect_gpus.sh
. "$here/detect_gpus.sh"

preset=${ROCXLA_PRESET:-dev} wanted=4 options=()
usage() { echo "usage: run_xla_multi_gpu.sh [asan|tsan] [--gpus N] [--dry-run] [-- CTEST_ARGUMENT...]" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    asan | tsan) preset=$1; shift ;;
    --gpus) wanted=${2:-}; [[ $wanted =~ ^[1-9][0-9]?$ ]] || usage; shift 2 ;;
    --dry-run) options+=(--dry-run); shift ;;
    --) break ;;
    *) usage ;;
  esac
done

repeat() {  # WORD N: WORD,WORD,...
  local list=''
  for ((i = 0; i < $2; ++i)); do list+=,$1; done
  echo "${list#,}"
}

detect_gpus
visible_gpus
if [ ${#GPUS[@]} -ge "$wanted" ]; then
  HIP_VISIBLE_DEVICES=$(IFS=,; echo "${GPUS[*]:0:wanted}")
  export HIP_VISIBLE_DEVICES
  export NCCL_MAX_NCHANNELS=${NCCL_MAX_NCHANNELS:-1}
  echo "run_xla_multi_gpu.sh: HIP_VISIBLE_DEVICES=$HIP_VISIBLE_DEVICES NCCL_MAX_NCHANNELS=$NCCL_MAX_NCHANNELS (${GPU_ARCH:-unknown architecture})" >&2
else
  unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES
  ROCXLA_EMBEDDED_DEVICES=${ROCXLA_EMBEDDED_DEVICES:-$(repeat gfx942 "$wanted")}
  export ROCXLA_EMBEDDED_DEVICES
  echo "run_xla_multi_gpu.sh: $(gpus_text ${#GPUS[@]}), $wanted needed: tests run on the embedded devices $ROCXLA_EMBEDDED_DEVICES, those labelled requires_gpu do not run" >&2
  options+=(--without requires_gpu)
fi
exec "$here/run_xla_ci_build.sh" "$preset" 1 --only multi_gpu ${options[@]+"${options[@]}"} "$@"
