# Sets ROCXLA_STATIC_LLVM: what a program needs to link LLVM, MLIR and LLD statically with the AMDGPU target alone.
#
# Debian exports every static MLIR and LLD library with the shared libLLVM in its link interface; static and shared copies must
# not meet in one process. So tools link the archives by path, never through the exported targets, which the tests use.
include_guard(GLOBAL)

llvm_map_components_to_libnames(_llvm
  AMDGPUCodeGen AMDGPUAsmParser AMDGPUDesc AMDGPUDisassembler AMDGPUInfo Passes IRReader Linker BitReader BitWriter MC
  MCDisassembler Target Support Core CodeGen IPO LTO Object Option BinaryFormat DebugInfoDWARF FrontendOpenMP WindowsDriver Demangle)

# The archives below `roots`, following the exported link interfaces; system libraries and flags are kept as they are.
function(_rocxla_collect_archives out)
  set(queue ${ARGN})
  set(seen)
  set(archives)
  set(system)
  while(queue)
    list(POP_FRONT queue item)
    if(item IN_LIST seen OR item STREQUAL "LLVM" OR item MATCHES "^-Wl|^\\$<LINK_ONLY:-")
      continue()
    endif()
    list(APPEND seen ${item})
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
    if(TARGET ${item})
      get_target_property(type ${item} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        get_target_property(file ${item} LOCATION)
        list(APPEND archives ${file})
      elseif(NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND system ${item})
        continue()
      endif()
      get_target_property(links ${item} INTERFACE_LINK_LIBRARIES)
      if(links)
        list(APPEND queue ${links})
      endif()
    else()
      list(APPEND system ${item})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES archives)
  list(REMOVE_DUPLICATES system)
  set(${out} -Wl,--start-group ${archives} -Wl,--end-group ${system} PARENT_SCOPE)
endfunction()

# lldELF calls InitializeAllTargets and the like: targets that are left out get empty initialisers.
set(_stubs "")
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  if(NOT target STREQUAL "AMDGPU")
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      string(APPEND _stubs "extern \"C\" void LLVMInitialize${target}${part}() {}\n")
    endforeach()
  endif()
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/left_out_targets.cc CONTENT "${_stubs}")
add_library(rocxla_left_out_targets STATIC ${PROJECT_BINARY_DIR}/left_out_targets.cc)

_rocxla_collect_archives(_archives ${_llvm} LLVMDTLTO lldELF lldCommon
  MLIRIR MLIRParser MLIRPass MLIRTransforms MLIRAnalysis MLIRArithDialect MLIRControlFlowDialect MLIRControlFlowToSCF
  MLIRFuncDialect MLIRSCFTransforms
  MLIRGPUDialect MLIRLLVMDialect MLIRMathDialect MLIRSCFDialect MLIRUBDialect MLIRFunctionInterfaces MLIRSupport)
set(ROCXLA_STATIC_LLVM ${_archives} rocxla_left_out_targets ${_archives})
