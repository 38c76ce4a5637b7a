#!/usr/bin/env bash
# parallel_gpu_execute.sh COMMAND...: runs COMMAND with one GPU of this machine to itself.
#
# Every GPU has ROCXLA_TESTS_PER_GPU slots (default 1), each a file lock in ROCXLA_GPU_LOCK_DIR. The command gets the first free slot and
# HIP_VISIBLE_DEVICES set to its GPU; when all are taken, it waits. The lock ends with the command, however it ends. The names of the locks
# are those that XLA's script of this name uses, so that both can share a machine. Without a GPU the command runs as it is.
set -euo pipefail
# shellcheck source=build_tools/rocm/detect_gpus.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/detect_gpus.sh"

say() { echo "parallel_gpu_execute.sh: $*" >&2; }

[ $# -gt 0 ] || { echo "usage: parallel_gpu_execute.sh COMMAND..." >&2; exit 2; }
slots=${ROCXLA_TESTS_PER_GPU:-1}
[[ $slots =~ ^[1-9][0-9]?$ ]] || { say "ROCXLA_TESTS_PER_GPU is '$slots', not a number from 1 to 99"; exit 2; }

detect_gpus
visible_gpus
[ ${#GPUS[@]} -gt 0 ] || exec "$@"

command -v flock >/dev/null || { say "flock (util-linux) is not installed; without it the GPUs cannot be shared out"; exit 1; }
locks=${ROCXLA_GPU_LOCK_DIR:-}
if [ -z "$locks" ]; then
  locks=/var/lock
  [ -w "$locks" ] || locks=/tmp
fi

open_lock() {  # opens the file as descriptor 9; other users' files are only read, which is enough to lock them
  [ -e "$1" ] || (umask 0; : >>"$1") 2>/dev/null || true
  # No pipe in its place: to open that would wait for a writer.
  { [ -f "$1" ] && exec 9<"$1"; } 2>/dev/null || {
    say "cannot open the lock $1; set ROCXLA_GPU_LOCK_DIR to a folder that every user of the GPUs may write to"
    exit 1
  }
}

waiting=no
while :; do
  for ((slot = 0; slot < slots; ++slot)); do
    for ((i = 0; i < ${#GPUS[@]}; ++i)); do
      # The lock has the machine's number, whatever the command's ROCR_VISIBLE_DEVICES makes of it.
      lock=$locks/gpulock${GPU_NUMBERS[i]}_$slot
      open_lock "$lock"
      status=0
      flock -n 9 || status=$?
      if [ $status = 0 ]; then
        export HIP_VISIBLE_DEVICES=${GPUS[i]}
        # The command itself holds descriptor 9, and so the lock.
        exec "$@"
      fi
      [ $status = 1 ] || { say "cannot lock $lock (flock's exit code $status); set ROCXLA_GPU_LOCK_DIR to a folder of this machine"; exit 1; }
    done
  done
  [ $waiting = yes ] || say "all $((${#GPUS[@]} * slots)) GPU slots are taken; waiting for one"
  waiting=yes
  sleep 0.2
done
