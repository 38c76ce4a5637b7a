# shellcheck shell=bash
# Sourced: which AMD GPUs this machine has.
#
#   detect_gpus    sets GPU_COUNT (0 or more), GPU_COUNT_SOURCE (who counted), GPU_ARCH ("gfx942"; empty: unknown) and GPU_NOTES (why the
#                  tools that were asked before said nothing; empty: the first one answered)
#   visible_gpus   after that: sets GPUS, the numbers that HIP gives to the GPUs which ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES (or, when
#                  that is not set or empty, CUDA_VISIBLE_DEVICES) leave, in their order, and GPU_NUMBERS, the machine's numbers of the same.
#                  The variables are read as the HIP and HSA runtimes read them.
#
# The count comes from rocm-smi, else rocminfo, else the kernel driver; the architecture from rocminfo, else rocm_agent_enumerator, else the
# kernel driver. A tool may be missing, fail, hang, never stop talking or report nothing: the next one is asked then. Tools are looked for
# on PATH, then in ROCM_PATH/bin. They see every GPU: rocminfo would otherwise leave out what ROCR_VISIBLE_DEVICES hides.

_rocm_tool() {  # NAME: prints its path
  command -v "$1" && return
  local path=${ROCM_PATH:-/opt/rocm}/bin/$1
  [ -x "$path" ] && echo "$path"
}

_note() { GPU_NOTES="${GPU_NOTES:+$GPU_NOTES; }$1"; }

_ask() {  # NAME ARGUMENTS...: sets ANSWER to what the tool prints; false, with a note, when there is no answer. Asks each tool once.
  local name=$1 path limit=() status=0
  shift
  if [ "$name" = "$_ASKED" ]; then ANSWER=$_ANSWER; return; fi
  ANSWER=
  case $_FAILED in *" $name "*) return 1 ;; esac
  if path=$(_rocm_tool "$name"); then
    ! command -v timeout >/dev/null || limit=(timeout -k 5 60)
    # 1 MiB is more than any machine has to say.
    ANSWER=$(
      unset HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES
      ${limit[@]+"${limit[@]}"} "$path" "$@" 2>/dev/null </dev/null | head -c 1048576 | tr -d '\0'
      exit "${PIPESTATUS[0]}"
    ) || status=$?
    if [ "$status" = 0 ]; then _ASKED=$name _ANSWER=$ANSWER; return; fi
    _note "$name: exit code $status"
  else
    _note "$name: not found"
  fi
  _FAILED+=" $name "
  return 1
}

_topology() {  # FIELD: prints the field of every GPU that the kernel driver lists, one a line
  local node
  for node in "${ROCXLA_KFD_TOPOLOGY:-/sys/class/kfd/kfd/topology/nodes}"/*/properties; do
    if [ ! -f "$node" ] || [ ! -r "$node" ]; then continue; fi
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
  GPU_COUNT=0 GPU_COUNT_SOURCE='' GPU_ARCH='' GPU_NOTES='' _ASKED='' _ANSWER='' _FAILED=''
  _count_gpus
  [ "$GPU_COUNT" = 0 ] || _find_arch
}

# The first item of a *_VISIBLE_DEVICES variable that names no GPU ends its list. HIP takes numbers exactly as one writes them and any part
# of a UUID from GPU- on, and passes over a second mention; the HSA runtime takes numbers as C reads them and the beginning of one UUID, and
# a second mention ends its list, too.
_named_by_hip() {  # ITEM UUID...: prints the index, or nothing
  local item=$1 i=0 uuid
  shift
  case $item in
    *GPU-*) for uuid in "$@"; do case $uuid in *"$item"*) echo $i; return ;; esac; i=$((i + 1)); done ;;
    *) [[ ! $item =~ ^(0|[1-9][0-9]{0,8})$ ]] || echo "$item" ;;
  esac
}
_named_by_rocr() {  # ITEM UUID...: prints the index, or nothing
  local item i=0 uuid found=''
  item=${1#"${1%%[![:space:]]*}"} item=${item%"${item##*[![:space:]]}"}
  item=$(tr '[:lower:]' '[:upper:]' <<<"$item")
  shift
  case $item in
    GPU-?*)
      for uuid in "$@"; do
        case $(tr '[:lower:]' '[:upper:]' <<<"$uuid") in "$item"*) [ -z "$found" ] || return 0; found=$i ;; esac
        i=$((i + 1))
      done
      echo "$found" ;;
    *) [[ ! $item =~ ^(0X[0-9A-F]{1,7}|0[0-7]{0,9}|[1-9][0-9]{0,8})$ ]] || echo $((item)) ;;
  esac
}
_selected() {  # hip|rocr VALUE UUID...: prints the indices that the value lets through, of as many GPUs as there are UUIDs
  local rules=$1 value=$2 items=() item index out=' '
  shift 2
  IFS=, read -r -d '' -a items < <(printf '%s\0' "$value") || true
  for item in ${items[@]+"${items[@]}"}; do
    index=$("_named_by_$rules" "$item" "$@")
    if [ -z "$index" ] || [ "$index" -ge $# ]; then break; fi
    case $out in *" $index "*) [ "$rules" = hip ] || break; continue ;; esac
    out+="$index "
  done
  echo "$out"
}

visible_gpus() {
  local hip=${HIP_VISIBLE_DEVICES:-${CUDA_VISIBLE_DEVICES:-}} uuids=() left=() i
  GPUS=() GPU_NUMBERS=()
  # Their order is HIP's. A GPU without a UUID of its own has the name GPU-XX.
  case ${ROCR_VISIBLE_DEVICES:-}$hip in
    *[Gg]*) ! _ask rocminfo || mapfile -t uuids < <(grep -oE 'GPU-[0-9a-fA-F]+|GPU-XX' <<<"$ANSWER" | tr X -) ;;
  esac
  for ((i = 0; i < GPU_COUNT; ++i)); do uuids[i]=${uuids[i]:-unknown} left+=("$i"); done
  uuids=(${uuids[@]+"${uuids[@]:0:GPU_COUNT}"})
  if [ "${ROCR_VISIBLE_DEVICES+set}" = set ]; then
    read -r -a left <<<"$(_selected rocr "$ROCR_VISIBLE_DEVICES" ${uuids[@]+"${uuids[@]}"})"
  fi
  for ((i = 0; i < ${#left[@]}; ++i)); do GPUS+=("$i"); done
  if [ -n "$hip" ]; then
    local left_uuids=()
    for i in ${left[@]+"${left[@]}"}; do left_uuids+=("${uuids[i]}"); done
    read -r -a GPUS <<<"$(_selected hip "$hip" ${left_uuids[@]+"${left_uuids[@]}"})"
  fi
  # shellcheck disable=SC2034  # for whoever sources this
  for i in ${GPUS[@]+"${GPUS[@]}"}; do GPU_NUMBERS+=("${left[i]}"); done
}

gpus_text() {  # "1 AMD GPU", "4 AMD GPUs"
  if [ "$1" = 1 ]; then echo "1 AMD GPU"; else echo "$1 AMD GPUs"; fi
}
