#!/usr/bin/env bash
# rocm_tag_filters.sh: prints the tags of tests that never run on AMD GPUs, each with a minus, separated by commas (as XLA's script of this
# name does, for --test_tag_filters).
# rocm_tag_filters.sh --ctest [LABEL...]: the same tags, and LABELs, as the regular expression that `ctest -LE` takes.
set -euo pipefail
tags=(
  no_gpu requires-gpu-intel requires-gpu-nvidia requires-gpu-cuda cuda-only oneapi-only
  requires-gpu-sm60 requires-gpu-sm60-only requires-gpu-sm70 requires-gpu-sm70-only requires-gpu-sm80 requires-gpu-sm80-only
  requires-gpu-sm90 requires-gpu-sm90-only
  skip_rocprofiler_sdk no_oss oss_excluded oss_serial
)
case ${1:-} in
  '') printf -v list -- '-%s,' "${tags[@]}"; echo "${list%,}" ;;
  --ctest)
    shift
    printf -v list '%s|' "$@" "${tags[@]}"
    list=${list#|}  # without LABELs, "$@" prints one empty word
    echo "^(${list%|})\$"
    ;;
  *) echo "usage: rocm_tag_filters.sh [--ctest [LABEL...]]" >&2; exit 2 ;;
esac
