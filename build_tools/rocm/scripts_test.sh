#!/usr/bin/env bash
# Tests the scripts of this folder with fake tools: a PATH that has the usual utilities and what each test adds, a ROCm folder, a driver
# topology, and a copy of the scripts in a tree with a fake ./dev and ctest.
# shellcheck disable=SC2016  # several programs are written here, whose variables they expand themselves
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{utilities,fake,rocm/bin,topology,locks,src/build_tools}
cp -r "$here" "$tree/src/build_tools/rocm"
scripts=$tree/src/build_tools/rocm
for tool in awk bash cat ln chmod dirname env flock getconf grep head mkdir mkfifo readlink rm sed sleep sort timeout touch tr; do
  ln -s "$(command -v $tool)" "$tree/utilities/$tool"
done
export PATH=$tree/fake:$tree/utilities ROCM_PATH=$tree/rocm ROCXLA_KFD_TOPOLOGY=$tree/topology ROCXLA_GPU_LOCK_DIR=$tree/locks
unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ROCXLA_TESTS_PER_GPU ROCXLA_PRESET ROCXLA_JOBS ROCXLA_EMBEDDED_DEVICES XLA_FLAGS NCCL_MAX_NCHANNELS
passed=0 failed=0

expect() {  # NAME EXPECTED FOUND
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s:\n  expected: %s\n  found:    %s\n' "$1" "$2" "$3"
  fi
}

fake() {  # PATH [EXIT CODE]: a program that prints standard input and ends with the code
  { echo "#!$tree/utilities/bash"; echo "cat <<'END'"; cat; echo END; echo "exit ${2:-0}"; } >"$1"
  chmod +x "$1"
}
no_tools() { rm -rf "$tree"/fake/* "$tree"/rocm/bin/* "$tree"/topology/*; }

smi() {  # N [PATH]: what `rocm-smi -i` prints for N GPUs
  local i
  { echo "==== ROCm System Management Interface ===="
    for ((i = 0; i < $1; ++i)); do
      printf 'GPU[%d]\t\t: Device Name: \t\tAMD Instinct MI300X\nGPU[%d]\t\t: Device ID: \t\t0x74a1\n' "$i" "$i"
    done
    echo "==== End of ROCm SMI Log ===="; } | fake "${2:-$tree/fake/rocm-smi}"
}
info() {  # N ARCH: what rocminfo prints for one CPU and N GPUs
  local i
  { printf 'Agent 1\n  Name:                    AMD EPYC\n  Device Type:             CPU\n'
    for ((i = 0; i < $1; ++i)); do
      printf 'Agent\n  Name:                    %s\n  Device Type:             GPU\n      Name:  amdgcn-amd-amdhsa--%s:sramecc+:xnack-\n' "$2" "$2"
    done; } | fake "$tree/fake/rocminfo"
}
node() {  # N SIMDS VERSION: one node of the driver's topology
  mkdir -p "$tree/topology/$1"
  printf 'cpu_cores_count 0\nsimd_count %d\ngfx_target_version %d\n' "$2" "$3" >"$tree/topology/$1/properties"
}
detected() {
  bash -euo pipefail -c '. "$0"; detect_gpus; visible_gpus; echo "$GPU_COUNT|$GPU_COUNT_SOURCE|$GPU_ARCH|$GPU_NOTES|${GPUS[*]-}|${GPU_NUMBERS[*]-}"' "$scripts/detect_gpus.sh"
}

test_detection() {
  no_tools; smi 3; info 3 gfx942
  expect "both tools" "3|rocm-smi|gfx942||0 1 2|0 1 2" "$(detected)"
  no_tools; info 2 gfx90a
  expect "rocm-smi missing" "2|rocminfo|gfx90a|rocm-smi: not found|0 1|0 1" "$(detected)"
  fake "$tree/fake/rocm-smi" 3 </dev/null
  expect "rocm-smi fails" "2|rocminfo|gfx90a|rocm-smi: exit code 3|0 1|0 1" "$(detected)"
  smi 0
  expect "rocm-smi reports none" "2|rocminfo|gfx90a|rocm-smi: reports no GPU|0 1|0 1" "$(detected)"
  no_tools; smi 2; printf 'gfx000\ngfx1100\ngfx1100\n' | fake "$tree/fake/rocm_agent_enumerator"
  expect "rocminfo missing" "2|rocm-smi|gfx1100|rocminfo: not found|0 1|0 1" "$(detected)"
  fake "$tree/fake/rocminfo" 1 </dev/null
  expect "rocminfo fails" "2|rocm-smi|gfx1100|rocminfo: exit code 1|0 1|0 1" "$(detected)"
  info 0 none
  expect "rocminfo reports none" "2|rocm-smi|gfx1100|rocminfo: names no GPU|0 1|0 1" "$(detected)"
  no_tools; node 0 0 0; node 1 256 90010; node 2 256 90010
  expect "only the driver" "2|the kernel driver|gfx90a|rocm-smi: not found; rocminfo: not found; rocm_agent_enumerator: not found|0 1|0 1" "$(detected)"
  for pair in 90402:gfx942 90500:gfx950 110000:gfx1100 120001:gfx1201 100300:gfx1030; do
    node 1 256 "${pair%:*}"
    expect "version ${pair%:*}" "${pair#*:}" "$(detected | cut_field 3)"
  done
  no_tools
  expect "nothing" "0|the kernel driver||rocm-smi: not found; rocminfo: not found; the kernel driver: lists no GPU||" "$(detected)"
  smi 1 "$tree/rocm/bin/rocm-smi"
  expect "ROCM_PATH/bin" "1|rocm-smi" "$(detected | sed 's/^\([^|]*|[^|]*\).*/\1/')"
  no_tools; smi 4; info 4 gfx942
  expect "HIP_VISIBLE_DEVICES" "3 1" "$(HIP_VISIBLE_DEVICES=3,1 detected | cut_field 5)"
  expect "a number too large ends the list" "0" "$(HIP_VISIBLE_DEVICES=0,4,1 detected | cut_field 5)"
  expect "an empty list of HIP is none" "0 1 2 3" "$(HIP_VISIBLE_DEVICES='' detected | cut_field 5)"
  expect "CUDA_VISIBLE_DEVICES in its place" "2" "$(HIP_VISIBLE_DEVICES='' CUDA_VISIBLE_DEVICES=2 detected | cut_field 5)"
  expect "an empty list of ROCr hides all" "|" "$(ROCR_VISIBLE_DEVICES='' detected | cut_visible)"
  expect "ROCR_VISIBLE_DEVICES" "0 1|2 3" "$(ROCR_VISIBLE_DEVICES=2,3 detected | cut_visible)"
  expect "ROCr's list ends, too" "0|2" "$(ROCR_VISIBLE_DEVICES=2,9,3 detected | cut_visible)"
  expect "HIP counts within what ROCr leaves" "1|0" "$(ROCR_VISIBLE_DEVICES=3,0 HIP_VISIBLE_DEVICES=1,2 detected | cut_visible)"
  expect "as HIP reads" "1 0|1 0" "$(HIP_VISIBLE_DEVICES='1,1,0, 2' detected | cut_visible)"
  expect "as ROCr reads" "0 1|1 2" "$(ROCR_VISIBLE_DEVICES=' 1 ,0x2,1,0' detected | cut_visible)"
  expect "a space within ends ROCr's list" "0|1" "$(ROCR_VISIBLE_DEVICES='1,0 2' detected | cut_visible)"
  expect "a line break ends the list" "1|1" "$(HIP_VISIBLE_DEVICES=$'1,2\n,0' detected | cut_visible)"
  printf 'Name: CPU\nUuid: CPU-XX\nDevice Type: CPU\n%s' "$(printf 'Uuid: GPU-%s\nDevice Type: GPU\n' a1b2 XX a1c3)" | fake "$tree/fake/rocminfo"
  expect "UUIDs of HIP" "2 0|2 0" "$(HIP_VISIBLE_DEVICES=GPU-a1c3,GPU-a1b2,GPU-XX,1 detected | cut_visible)"
  expect "UUIDs of ROCr" "0 1|2 0" "$(ROCR_VISIBLE_DEVICES=gpu-A1C,0,GPU-a1 detected | cut_visible)"
  rm "$tree/fake/rocminfo"
  expect "UUIDs that nobody tells" "|" "$(HIP_VISIBLE_DEVICES=GPU-a1c3 detected | cut_visible)"
}
cut_visible() { awk -F'|' '{ print $5 "|" $6 }'; }
cut_field() { awk -F'|' -v n="$1" '{ print $n }'; }

# What a tool says that is broken in other ways than by its exit code.
test_odd_tools() {
  no_tools; info 2 gfx942
  printf '#!%s\nprintf "GPU[0]\\r\\nGPU[1]\\0\\r\\n\\xff\\n"\n' "$tree/utilities/bash" >"$tree/fake/rocm-smi"; chmod +x "$tree/fake/rocm-smi"
  expect "line ends of Windows, NUL, no UTF-8" "2|rocm-smi|gfx942||0 1|0 1" "$(detected)"
  printf '#!%s\nwhile :; do echo "GPU[0] $RANDOM"; done\n' "$tree/utilities/bash" >"$tree/fake/rocm-smi"
  expect "one that never stops talking" "2|rocminfo|gfx942|rocm-smi: exit code 141|0 1|0 1" "$(detected)"
  printf '#!%s\necho "$ROCR_VISIBLE_DEVICES" >&2; exit ${ROCR_VISIBLE_DEVICES+8}\n' "$tree/utilities/bash" >"$tree/fake/rocm-smi"
  expect "tools see every GPU" "rocm-smi: reports no GPU" "$(ROCR_VISIBLE_DEVICES=1 detected | cut_field 4)"
  no_tools; mkdir "$tree/fake/rocm-smi"
  expect "a folder in a tool's place" "rocm-smi: not found; rocminfo: not found; the kernel driver: lists no GPU" "$(detected | cut_field 4)"
  no_tools; mkdir -p "$tree/topology/1/properties"; node 2 256 90402
  expect "a folder in the driver's place" "1|the kernel driver|gfx942" "$(detected | sed 's/^\([^|]*|[^|]*|[^|]*\).*/\1/')"
  no_tools; mkdir -p "$tree/ro cm/bin"; smi 1 "$tree/ro cm/bin/rocm-smi"
  expect "a space in ROCM_PATH" "1|rocm-smi" "$(ROCM_PATH="$tree/ro cm" detected | sed 's/^\([^|]*|[^|]*\).*/\1/')"
}

wait_for() {  # COMMAND...: until it succeeds. What never comes must not hold the test up for good.
  local i
  for ((i = 0; i < 2000; ++i)); do
    if "$@"; then return; fi
    sleep 0.05
  done
  echo "waited in vain for: $*"
  touch "$tree"/{a,b,c,d,e,f}.end
  failed=$((failed + 1))
}

# A command that writes its GPU to FILE and runs until FILE.end is there.
held() {  # FILE
  bash "$scripts/parallel_gpu_execute.sh" bash -c 'echo "$HIP_VISIBLE_DEVICES" >"$0"; while [ -e "$0" ] && [ ! -e "$0.end" ]; do sleep 0.05; done' "$1" 2>"$1.err" &
}

test_parallel_gpu_execute() {
  local run=$scripts/parallel_gpu_execute.sh
  no_tools
  expect "no GPU: as it is" "none" "$(bash "$run" bash -c 'echo "${HIP_VISIBLE_DEVICES-none}"')"
  expect "exit code without a GPU" 5 "$(bash "$run" bash -c 'exit 5' || echo $?)"
  expect "no command" 2 "$(bash "$run" 2>/dev/null || echo $?)"
  smi 2
  expect "exit code" 7 "$(bash "$run" bash -c 'exit 7' || echo $?)"
  held "$tree/a"; local a=$!; wait_for [ -s "$tree/a" ]
  held "$tree/b"; local b=$!; wait_for [ -s "$tree/b" ]
  expect "the first two have a GPU each" "0 1" "$(cat "$tree/a") $(cat "$tree/b")"
  held "$tree/c"; local c=$!; wait_for [ -s "$tree/c.err" ]
  expect "the third waits" "parallel_gpu_execute.sh: all 2 GPU slots are taken; waiting for one" "$(cat "$tree/c.err")"
  touch "$tree/b.end"; wait $b; wait_for [ -s "$tree/c" ]
  expect "and takes the one that is free" 1 "$(cat "$tree/c")"
  # A killed command gives its GPU back.
  kill -9 $a; wait $a 2>/dev/null || true
  held "$tree/d"; local d=$!; wait_for [ -s "$tree/d" ]
  expect "the killed command's GPU" 0 "$(cat "$tree/d")"
  touch "$tree/c.end" "$tree/d.end"; wait $c $d
  export HIP_VISIBLE_DEVICES=1 ROCXLA_TESTS_PER_GPU=2
  held "$tree/e"; local e=$!; held "$tree/f"; local f=$!
  wait_for [ -s "$tree/e" ]; wait_for [ -s "$tree/f" ]
  expect "two slots of the only visible GPU" "1 1" "$(cat "$tree/e") $(cat "$tree/f")"
  touch "$tree/e.end" "$tree/f.end"; wait $e $f
  unset HIP_VISIBLE_DEVICES ROCXLA_TESTS_PER_GPU
  expect "bad slots" "parallel_gpu_execute.sh: ROCXLA_TESTS_PER_GPU is '0', not a number from 1 to 99" \
    "$(ROCXLA_TESTS_PER_GPU=0 bash "$run" true 2>&1 || true)"
  expect "bad slots are bad usage" 2 "$(ROCXLA_TESTS_PER_GPU=0 bash "$run" true 2>/dev/null || echo $?)"
  expect "no folder for the locks" \
    "parallel_gpu_execute.sh: cannot open the lock $tree/none/gpulock0_0; set ROCXLA_GPU_LOCK_DIR to a folder that every user of the GPUs may write to" \
    "$(ROCXLA_GPU_LOCK_DIR=$tree/none bash "$run" true 2>&1 || true)"
  mkdir -p "$tree/pipes"; mkfifo "$tree/pipes/gpulock0_0"
  expect "a pipe in a lock's place" \
    "parallel_gpu_execute.sh: cannot open the lock $tree/pipes/gpulock0_0; set ROCXLA_GPU_LOCK_DIR to a folder that every user of the GPUs may write to" \
    "$(ROCXLA_GPU_LOCK_DIR=$tree/pipes bash "$run" true 2>&1 || true)"
  expect "the lock has the machine's number, the command HIP's" "0 $tree/locks 1/gpulock1_0" \
    "$(mkdir "$tree/locks 1"; ROCR_VISIBLE_DEVICES=1 ROCXLA_GPU_LOCK_DIR="$tree/locks 1" bash "$run" bash -c 'echo "$HIP_VISIBLE_DEVICES" "$ROCXLA_GPU_LOCK_DIR"/*')"
  printf '#!%s\nexit 71\n' "$tree/utilities/bash" >"$tree/fake/flock"; chmod +x "$tree/fake/flock"
  expect "no locks on that disk" \
    "parallel_gpu_execute.sh: cannot lock $tree/locks/gpulock0_0 (flock's exit code 71); set ROCXLA_GPU_LOCK_DIR to a folder of this machine" \
    "$(bash "$run" true 2>&1 || true)"
}

test_tag_filters() {
  local regex
  expect "upstream's form" "-no_gpu,-requires-gpu-intel,-requires-gpu-nvidia,-requires-gpu-cuda,-cuda-only,-oneapi-only" \
    "$(bash "$scripts/rocm_tag_filters.sh" | sed 's/,-requires-gpu-sm60.*//')"
  regex=$(bash "$scripts/rocm_tag_filters.sh" --ctest multi_gpu)
  expect "whole labels only" "multi_gpu no_gpu oss_serial" \
    "$(printf '%s\n' multi_gpu multi_gpus no_gpu single_gpu my_no_gpu oss_serial '' | grep -E "$regex" | tr '\n' ' ' | sed 's/ $//')"
  expect "bad usage" 2 "$(bash "$scripts/rocm_tag_filters.sh" --bazel 2>/dev/null || echo $?)"
}

dry() {  # SCRIPT ARGUMENTS...: both streams of --dry-run, the long list of tags as TAGS
  local script=$1
  shift
  bash "$scripts/$script" "$@" 2>&1 | sed 's/no_gpu|.*oss_serial/TAGS/'
}
lines() { printf '%s\n' "$@"; }

test_run_xla() {
  printf '#!%s\necho 8\n' "$tree/utilities/bash" >"$tree/fake/getconf"
  chmod +x "$tree/fake/getconf"
  local getconf; getconf=$(cat "$tree/fake/getconf")
  no_tools; smi 2; info 2 gfx942; echo "$getconf" >"$tree/fake/getconf"; chmod +x "$tree/fake/getconf"
  expect "two GPUs" "$(lines \
    'run_xla.sh: 2 AMD GPUs (gfx942, counted by rocm-smi), 2 test programs at once' \
    'XLA_FLAGS=--xla_gpu_force_compilation_parallelism=4' 'env ROCXLA_PRESET=dev ./dev build' \
    'ctest --preset dev -j 2 -LE ^(multi_gpu|TAGS)$')" "$(dry run_xla.sh --dry-run)"
  expect "two tests a GPU, asan, arguments" "$(lines \
    'run_xla.sh: 2 AMD GPUs (gfx942, counted by rocm-smi), 4 test programs at once' \
    'XLA_FLAGS=--xla_gpu_force_compilation_parallelism=2 --xla_dump_to=d' 'env ROCXLA_PRESET=asan ./dev build' \
    'ctest --preset asan -j 4 -LE ^(multi_gpu|TAGS)$ -R name')" \
    "$(XLA_FLAGS=--xla_dump_to=d ROCXLA_TESTS_PER_GPU=2 dry run_xla.sh asan --dry-run -- -R name)"
  expect "flags of one's own" 'XLA_FLAGS=--xla_gpu_force_compilation_parallelism=1' \
    "$(XLA_FLAGS=--xla_gpu_force_compilation_parallelism=1 dry run_xla.sh tsan --dry-run | sed -n 2p)"
  expect "flags in a file" 'run_xla_ci_build.sh: XLA_FLAGS names a file; compile parallelism is left as it is' \
    "$(XLA_FLAGS=flags.txt dry run_xla.sh --dry-run | sed -n 2p)"
  expect "hidden GPUs" 'run_xla.sh: no AMD GPU (a *_VISIBLE_DEVICES variable hides all 2): tests run on the embedded device, those labelled requires_gpu do not run' \
    "$(HIP_VISIBLE_DEVICES=-1 dry run_xla.sh --dry-run | sed -n 1p)"
  expect "bad jobs" "run_xla.sh: ROCXLA_JOBS is 'a[0]', not a number from 1 to 9999" "$(ROCXLA_JOBS='a[0]' dry run_xla.sh --dry-run)"
  expect "a bad preset" "run_xla_ci_build.sh: ROCXLA_PRESET is 'debug', not dev, release, asan, ubsan or tsan" \
    "$(ROCXLA_PRESET=debug dry run_xla.sh --dry-run | sed 1d)"
  ln -s "$scripts/run_xla.sh" "$tree/a link"
  expect "by a link" 'run_xla.sh: 2 AMD GPUs (gfx942, counted by rocm-smi), 2 test programs at once' "$(bash "$tree/a link" --dry-run 2>&1 | sed -n 1p)"
  expect "bad usage" 2 "$(bash "$scripts/run_xla.sh" msan 2>/dev/null || echo $?)"
  rm "$tree"/fake/rocm*
  expect "no GPU" "$(lines \
    'run_xla.sh: no AMD GPU (rocm-smi: not found; rocminfo: not found; the kernel driver: lists no GPU): tests run on the embedded device, those labelled requires_gpu do not run' \
    'XLA_FLAGS=--xla_gpu_force_compilation_parallelism=2' 'env ROCXLA_PRESET=dev ./dev build' \
    'ctest --preset dev -j 3 -LE ^(multi_gpu|requires_gpu|TAGS)$')" "$(ROCXLA_JOBS=3 dry run_xla.sh --dry-run)"
}

test_run_xla_multi_gpu() {
  no_tools; smi 6; info 6 gfx942
  expect "the first four" "$(lines \
    'run_xla_multi_gpu.sh: HIP_VISIBLE_DEVICES=0,1,2,3 NCCL_MAX_NCHANNELS=1 (gfx942)' \
    'ctest --preset dev -j 1 -L ^multi_gpu$ -LE ^(TAGS)$')" "$(dry run_xla_multi_gpu.sh --dry-run | sed '2,3d')"
  expect "of the visible ones" 'run_xla_multi_gpu.sh: HIP_VISIBLE_DEVICES=5,4 NCCL_MAX_NCHANNELS=2 (gfx942)' \
    "$(NCCL_MAX_NCHANNELS=2 HIP_VISIBLE_DEVICES=5,4,3 dry run_xla_multi_gpu.sh --gpus 2 --dry-run | sed -n 1p)"
  smi 1
  expect "too few" "$(lines \
    'run_xla_multi_gpu.sh: 1 AMD GPU, 4 needed: tests run on the embedded devices gfx942,gfx942,gfx942,gfx942, those labelled requires_gpu do not run' \
    'ctest --preset tsan -j 1 -L ^multi_gpu$ -LE ^(requires_gpu|TAGS)$')" "$(dry run_xla_multi_gpu.sh tsan --dry-run | sed '2,3d')"
  expect "bad usage" 2 "$(bash "$scripts/run_xla_multi_gpu.sh" --gpus four 2>/dev/null || echo $?)"
}

# Not dry: with a ./dev and a ctest that write down how they were called.
test_run_for_real() {
  no_tools
  printf '#!%s\necho "dev $ROCXLA_PRESET $*" >>%s/calls; exit $(cat %s/dev_exit)\n' "$tree/utilities/bash" "$tree" "$tree" >"$tree/src/dev"
  {
    echo "#!$tree/utilities/bash"
    echo 'case $* in *" -N") echo "  Test  #1: flaky_test"; exit 0 ;; esac'
    printf 'echo "ctest $1 $2 $XLA_FLAGS ${HIP_VISIBLE_DEVICES-}${*: -2}" >>%s/calls; exit 9\n' "$tree"
  } >"$tree/fake/ctest"
  chmod +x "$tree/src/dev" "$tree/fake/ctest"
  echo 0 >"$tree/dev_exit"
  echo 'flaky_test  # issue 7: fails once in ten runs' >>"$scripts/excluded_tests.txt"
  expect "ctest's exit code" 9 "$(HIP_VISIBLE_DEVICES=-1 XLA_FLAGS=--xla_gpu_force_compilation_parallelism=5 bash "$scripts/run_xla.sh" 2>/dev/null || echo $?)"
  expect "what ran" "$(lines 'dev dev build' \
    'ctest --preset dev --xla_gpu_force_compilation_parallelism=5 -E ^(flaky_test)$')" "$(cat "$tree/calls")"
  echo 3 >"$tree/dev_exit"; rm "$tree/calls"
  expect "a failed build" "3 dev dev build" "$(bash "$scripts/run_xla.sh" 2>/dev/null || echo $?) $(cat "$tree/calls")"
  echo 0 >"$tree/dev_exit"
  echo 'gone_test  # issue 8' >>"$scripts/excluded_tests.txt"
  expect "an exclusion without its test" \
    "run_xla_ci_build.sh: EXCLUDED: there is no test 'gone_test'; remove its line, exit code 1" "$(exclusion_error)"
  echo 'no_reason_test' >"$scripts/excluded_tests.txt"
  expect "an exclusion without a reason" \
    "run_xla_ci_build.sh: EXCLUDED:1: expected 'NAME  # reason', exit code 1" "$(exclusion_error)"
}
exclusion_error() {
  local status=0 text
  text=$(bash "$scripts/run_xla.sh" 2>&1) || status=$?
  echo "$(grep -F run_xla_ci_build.sh: <<<"$text" | sed "s|$scripts/excluded_tests.txt|EXCLUDED|"), exit code $status"
}

# What the scripts name must be there.
test_files() {
  local presets=$here/../../CMakePresets.json list
  for list in asan lsan tsan; do
    expect "the presets name the $list list" yes "$(grep -q "build_tools/rocm/${list}_ignore_list.txt" "$presets" && [ -s "$here/${list}_ignore_list.txt" ] && echo yes)"
  done
}

test_detection
test_odd_tools
test_parallel_gpu_execute
test_tag_filters
test_run_xla
test_run_xla_multi_gpu
test_run_for_real
test_files
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
