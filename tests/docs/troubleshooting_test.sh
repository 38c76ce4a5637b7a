#!/usr/bin/env bash
# troubleshooting_test.sh SOURCE ROCXLA FIND_ROCM_CONFIG FAKE_HIP_FOLDER INCOMPLETE_HIP_FOLDER: brings about every failure that
# docs/troubleshooting.md describes and compares the message with what the document says.
#
# There, a line `<!-- message NAME -->` stands before each block; here, the function NAME below causes that message. In a block "..." stands
# for what differs from machine to machine. A block without a function, or a function without a block, is a failure.
set -euo pipefail
self=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/$(basename "${BASH_SOURCE[0]}")
source=$1 rocxla=$2 find_rocm_config=$3 fake_hip=$4 incomplete_hip=$5
document=$source/docs/troubleshooting.md cases=$source/tests/cases/triton scripts=$source/build_tools/rocm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES ROCXLA_EMBEDDED_DEVICES ROCXLA_TESTS_PER_GPU XLA_FLAGS LD_LIBRARY_PATH
cd "$work"

# For messages that only a machine without ROCm in /opt shows: the status says so to check().
without_system_rocm() {
  local library
  for library in /opt/rocm/lib/libamdhip64.so*; do [ ! -e "$library" ] || exit 77; done
}
run_on() { "$rocxla" run "$source/examples/mlp/module.hlo" --device "$1"; }
# A folder in the place of ROCm's whose lib is LIB.
rocm_with() {
  rm -rf rocm && mkdir rocm && ln -s "$1" rocm/lib
  export ROCM_PATH=$work/rocm
}
tree() {  # VERSION: headers of ROCm 7.VERSION.0, without MIOpen
  mkdir -p rocm/include/rocm-core
  printf '#define ROCM_VERSION_%s\n' 'MAJOR 7' "MINOR $1" 'PATCH 0' >rocm/include/rocm-core/rocm_version.h
}
complete_tree() {  # every header that the probe asks for, of ROCm 7.0
  local header macros macro
  tree 0
  while read -r header macros; do
    mkdir -p "rocm/include/$(dirname "$header")"
    for macro in $macros; do echo "#define $macro 1"; done >"rocm/include/$header"
  done <<'END'
hip/hip_version.h HIP_VERSION_MAJOR HIP_VERSION_MINOR
miopen/version.h MIOPEN_VERSION_MAJOR MIOPEN_VERSION_MINOR MIOPEN_VERSION_PATCH
rocblas/internal/rocblas-version.h ROCBLAS_VERSION_MAJOR ROCBLAS_VERSION_MINOR ROCBLAS_VERSION_PATCH
rocrand/rocrand_version.h ROCRAND_VERSION
rocfft/rocfft-version.h rocfft_version_major rocfft_version_minor rocfft_version_patch
hipfft/hipfft-version.h hipfftVersionMajor hipfftVersionMinor hipfftVersionPatch
roctracer/roctracer.h ROCTRACER_VERSION_MAJOR ROCTRACER_VERSION_MINOR
hipsparse/hipsparse-version.h hipsparseVersionMajor hipsparseVersionMinor hipsparseVersionPatch
hipsolver/internal/hipsolver-version.h hipsolverVersionMajor hipsolverVersionMinor hipsolverVersionPatch
rocsolver/rocsolver-version.h ROCSOLVER_VERSION_MAJOR ROCSOLVER_VERSION_MINOR ROCSOLVER_VERSION_PATCH
END
}
fake_gpus() {  # N: a PATH with an rocm-smi that lists N GPUs
  mkdir -p bin
  { echo '#!/usr/bin/env bash'; for ((i = 0; i < $1; ++i)); do echo "echo 'GPU[$i] : Device ID: 0x74a1'"; done; } >bin/rocm-smi
  chmod +x bin/rocm-smi
  export PATH=$work/bin:$PATH
}
triton() { "$rocxla" triton kernel.ttir --target "${1:-gfx942}" -o k.hsaco; }

# HIP initialisation
broken_library() {
  without_system_rocm
  mkdir lib && for version in 7 6 5; do echo text >lib/libamdhip64.so.$version; done
  LD_LIBRARY_PATH=$work/lib ROCM_PATH=$work/none run_on hip:0
}
incomplete_library() {
  without_system_rocm
  mkdir lib && for version in 7 6 5; do ln -s "$incomplete_hip"/libamdhip64.so.* lib/libamdhip64.so.$version; done
  LD_LIBRARY_PATH=$work/lib ROCM_PATH=$work/lib run_on hip:0
}
initialisation_fails() { rocm_with "$fake_hip"; FAKE_HIP_INIT=101 run_on hip:0; }
# No visible device
no_gpu() { rocm_with "$fake_hip"; FAKE_HIP_COUNT_ERROR=100 run_on hip:0; }
no_embedded_target() { ROCXLA_EMBEDDED_DEVICES=gfx999 run_on embedded:0; }
no_such_ordinal() { run_on embedded:7; }
# Versions that do not fit
rocm_missing() { mkdir -p rocm-7.0.0/include; "$find_rocm_config" --rocm-path "$work/rocm"; }
rocm_incomplete() { complete_tree; rm -r rocm/include/miopen; "$find_rocm_config" --rocm-path "$work/rocm"; }
rocm_too_old() { complete_tree; "$find_rocm_config" --rocm-path "$work/rocm" --minimum-version 7.1; }
wrong_target() {
  "$rocxla" launch "$cases/softmax_fp32/triton-gfx942/kernel.hsaco" --launch "$cases/softmax_fp32/launch.json" --device embedded:gfx1100
}
# From Triton to HSACO
triton_syntax() { echo 'module { tt.func public @k( }' >kernel.ttir; triton; }
triton_target() { cp "$cases/softmax_fp32/kernel.ttir" .; triton gfx906; }
triton_operation() {
  cat >kernel.ttir <<'END'
module {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %x = math.ipowi %r, %r : tensor<64xi32>
    %q = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %a = tt.addptr %q, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %a, %x : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
END
  triton
}
triton_memory() {
  cat >kernel.ttir <<'END'
module {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %r = tt.make_range {end = 32768 : i32, start = 0 : i32} : tensor<32768xi32>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>>
    %a = tt.addptr %q, %r : tensor<32768x!tt.ptr<f32>>, tensor<32768xi32>
    %x = tt.load %a : tensor<32768x!tt.ptr<f32>>
    %m = tt.reshape %x : tensor<32768xf32> -> tensor<256x128xf32>
    %t = tt.trans %m {order = array<i32: 1, 0>} : tensor<256x128xf32> -> tensor<128x256xf32>
    %y = tt.reshape %t : tensor<128x256xf32> -> tensor<32768xf32>
    tt.store %a, %y : tensor<32768x!tt.ptr<f32>>
    tt.return
  }
}
END
  triton
}
# Concurrency in CI
gpus_busy() {
  fake_gpus 2
  mkdir locks && touch locks/gpulock0_0 locks/gpulock1_0
  exec 7<locks/gpulock0_0 8<locks/gpulock1_0
  flock 7 && flock 8
  # Waits for good; the message is all that is wanted of it.
  ROCXLA_GPU_LOCK_DIR=$work/locks "$scripts/parallel_gpu_execute.sh" true 2>message 7<&- 8<&- &
  until [ -s message ]; do sleep 0.05; done
  cat message
  exec 7<&- 8<&-
  wait
  return 1
}
no_lock_folder() { fake_gpus 2; ROCXLA_GPU_LOCK_DIR=/no/such/folder "$scripts/parallel_gpu_execute.sh" true; }
bad_slots() { fake_gpus 2; ROCXLA_TESTS_PER_GPU=many "$scripts/parallel_gpu_execute.sh" true; }
ci_without_gpu() { fake_gpus 2; HIP_VISIBLE_DEVICES=-1 "$scripts/run_xla.sh" --dry-run >/dev/null; return 1; }
ci_too_few_gpus() { fake_gpus 2; "$scripts/run_xla_multi_gpu.sh" --dry-run >/dev/null; return 1; }

block() {  # NAME: the text of its block in the document
  awk -v mark="<!-- message $1 -->" '
    $0 == mark { armed = 1; next }
    armed && /^```/ { if (inside) exit; inside = 1; next }
    inside { print }' "$document"
}

passed=0 failed=0
check() {  # NAME
  local expected found pattern status=0
  expected=$(block "$1")
  rm -rf "${work:?}"/*
  found=$("$1" 2>&1) || status=$?
  found=${found//$work/DIR}
  found=${found//$source/SOURCE}
  # shellcheck disable=SC2001  # two sets of brackets
  pattern=$(sed 's/[][*?\\]/\\&/g' <<<"$expected")
  pattern=${pattern//.../*}
  # shellcheck disable=SC2053  # a pattern
  if [ $status = 77 ]; then
    echo "$1: not checked, because this machine has a ROCm in /opt"
  elif [ $status != 0 ] && [ -n "$expected" ] && [[ $found == $pattern ]]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s: exit code %d\n--- docs/troubleshooting.md says\n%s\n--- but it is\n%s\n' "$1" "$status" "$expected" "$found"
  fi
}

# The functions between "# HIP initialisation" and block().
names=$(sed -n '/^# HIP initialisation/,/^block()/s/^\([a-z_]*\)() .*/\1/p' "$self" | grep -vx block)
for name in $names; do check "$name"; done
while read -r name; do
  grep -qx "$name" <<<"$names" && continue
  failed=$((failed + 1))
  echo "docs/troubleshooting.md: nothing here causes the message '$name'"
done < <(sed -n 's/^<!-- message \(.*\) -->$/\1/p' "$document")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
