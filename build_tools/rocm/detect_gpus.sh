# shellcheck shell=bash
# Sourced: which AMD GPUs this machine has.
#
#   detect_gpus    sets GPU_COUNT (0 or more), GPU_COUNT_SOURCE (who counted), GPU_ARCH ("gfx942"; empty: unknown) and GPU_NOTES (why the
#                  tools that were asked before said nothing; empty: the first one answered)
#   visible_gpus   after that: prints the numbers of the GPUs that HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES leave, in their order
#
# The count comes from rocm-smi, else rocminfo, else the kernel driver; the architecture from rocminfo, else rocm_agent_enumerator, else the
# kernel driver. A tool may be missing, fail, hang or report nothing: the next one is asked then. Tools are looked for on PATH, then in
# ROCM_PATH/bin.

_rocm_tool() {  # NAME: prints its path
  command -v "$1" && return
  local path=${ROCM_PATH:-/opt/rocm}/bin/$1
  [ -x "$path" ] && echo "$path"
}

_note() { GPU_NOTES="${GPU_NOTES:+$GPU_NOTES; }$1"; }

_ask() {  # NAME ARGUMENTS...: sets ANSWER to what the tool prints; false, with a note, when there is no answer
  local name=$1 path status=0
  shift
  path=$(_rocm_tool "$name") || { _note "$name: not found"; return 1; }
  if command -v timeout >/dev/null; then
    ANSWER=$(timeout 60 "$path" "$@" 2>/dev/null </dev/null) || status=$?
  else
    ANSWER=$("$path" "$@" 2>/dev/null </dev/null) || status=$?
  fi
  [ "$status" = 0 ] || { _note "$name: exit code $status"; return 1; }
}

_topology() {  # FIELD: prints the field of every GPU that the kernel driver lists, one a line
  local node
  for node in "${ROCXLA_KFD_TOPOLOGY:-/sys/class/kfd/kfd/topology/nodes}"/*/properties; do
    [ -r "$node" ] || continue
    awk -v field="$1" '$1 == "simd_count" { simds = $2 } $1 == field { value = $2 } END { if (simds > 0) print value + 0 }' "$node"
  done
}

_count_gpus() {
  if _ask rocm-smi -i; then
    GPU_COUNT=$(grep -o 'GPU\[[0-9]*\]' <<<"$ANSWER" | sort -u | grep -c . || true)
    GPU_COUNT_SOURCE=rocm-smi
    [ "$GPU_COUNT" = 0 ] || return 0
    _note "rocm-smi: reports no GPU"
  fi
  if _ask rocminfo; then
    GPU_COUNT=$(grep -cE 'Device Type: *GPU' <<<"$ANSWER" || true)
    GPU_COUNT_SOURCE=rocminfo
    [ "$GPU_COUNT" = 0 ] || return 0
    _note "rocminfo: reports no GPU"
  fi
  GPU_COUNT=$(_topology simd_count | grep -c . || true)
  GPU_COUNT_SOURCE="the kernel driver"
  [ "$GPU_COUNT" = 0 ] && _note "the kernel driver: lists no GPU"
  return 0
}

_find_arch() {
  local tool version
  for tool in rocminfo rocm_agent_enumerator; do
    _ask "$tool" || continue
    GPU_ARCH=$(grep -oE 'gfx[0-9a-f]{3,}' <<<"$ANSWER" | grep -vx gfx000 | sed -n 1p || true)
    [ -z "$GPU_ARCH" ] || return 0
    _note "$tool: names no GPU"
  done
  # 90402 is gfx942: decimal major, minor, step, the last two written in hexadecimal.
  version=$(_topology gfx_target_version | sed -n 1p)
  [ "${version:-0}" = 0 ] || GPU_ARCH=$(printf 'gfx%d%x%x' $((version / 10000)) $((version / 100 % 100)) $((version % 100)))
}

detect_gpus() {
  # shellcheck disable=SC2034  # for whoever sources this
  GPU_COUNT=0 GPU_COUNT_SOURCE='' GPU_ARCH='' GPU_NOTES=''
  _count_gpus
  [ "$GPU_COUNT" = 0 ] || _find_arch
}

visible_gpus() {
  local count=$GPU_COUNT entries entry out=()
  if [ "${ROCR_VISIBLE_DEVICES+set}" = set ]; then
    IFS=, read -r -a entries <<<"$ROCR_VISIBLE_DEVICES"
    [ "${#entries[@]}" -ge "$count" ] || count=${#entries[@]}
  fi
  if [ "${HIP_VISIBLE_DEVICES+set}" = set ]; then
    IFS=, read -r -a entries <<<"$HIP_VISIBLE_DEVICES"
    for entry in ${entries[@]+"${entries[@]}"}; do
      # As in HIP, the first entry that is no GPU ends the list.
      [[ $entry =~ ^[0-9]+$ ]] || break
      [ "$entry" -lt "$count" ] || break
      out+=("$entry")
    done
  else
    for ((entry = 0; entry < count; ++entry)); do out+=("$entry"); done
  fi
  echo ${out[@]+"${out[@]}"}
}

gpus_text() {  # "1 AMD GPU", "4 AMD GPUs"
  if [ "$1" = 1 ]; then echo "1 AMD GPU"; else echo "$1 AMD GPUs"; fi
}
