# The few functions that every CMakeLists.txt of the project uses.
#
#   rocxla_library(NAME SRCS a.cc ... [DEPS lib ...] [LLVM | MLIR] [CXX_OPTIONS ...])
#       A static library. Its target is rocxla_NAME. LLVM: LLVM's headers are on the include path. MLIR: also MLIR's, and the
#       shared precompiled header. Without either, the file is plain C++ and must stay so (such files compile in 1-2 s).
#   rocxla_registrar(NAME SRCS a.cc ... DEPS lib ...)
#       An object library: linked whole into whoever names it, for files that register something at static initialisation.
#   rocxla_test(NAME SRCS a_test.cc ... DEPS lib ... [LLVM | MLIR] [DATA VAR=path ...] [LABELS label ...] [SHARDS word ...])
#       A GoogleTest program, run by ctest. Links LLVM and MLIR as shared libraries where it needs them. Labels select tests
#       (CMakePresets.json, build_tools/rocm): multi_gpu needs several GPUs, real or embedded; requires_gpu needs a real AMD
#       GPU; long takes minutes. SHARDS: several tests, NAME.word, each of those cases that have the word in their names.
#   rocxla_fuzz(PART ENTRY SRCS a_fuzz.cc DEPS lib ... [LLVM | MLIR])
#       A fuzz entry (base/fuzz/fuzz_entry.h). The test PART_fuzz_ENTRY_test drives it over generated inputs; with
#       ROCXLA_LIBFUZZER (the fuzz preset), bin/fuzz_ENTRY runs it under libFuzzer.
#   rocxla_script_test(NAME COMMAND script argument ... [LABELS label ...])
#       A script that ends with "N passed, N failed" and fails when one failed.
#   rocxla_tool(NAME SRCS a.cc ... DEPS lib ... [LLVM | MLIR])
#       A program linked with static LLVM/MLIR/LLD, AMDGPU target only: it must start in 60 ms.
include_guard(GLOBAL)

function(_rocxla_configure target)
  cmake_parse_arguments(A "LLVM;MLIR" "" "CXX_OPTIONS" ${ARGN})
  target_compile_options(${target} PRIVATE ${ROCXLA_WARNINGS} ${A_CXX_OPTIONS})
  if(A_LLVM OR A_MLIR)
    target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  endif()
  if(A_MLIR)
    target_include_directories(${target} SYSTEM PRIVATE ${MLIR_INCLUDE_DIRS})
    target_precompile_headers(${target} REUSE_FROM rocxla_mlir_pch)
    # -fPIC: programs would get -fPIE, with which the header was not compiled.
    target_compile_options(${target} PRIVATE -Wno-unused-parameter -fPIC)
  endif()
endfunction()

function(_rocxla_names out)
  set(names)
  foreach(dep IN LISTS ARGN)
    list(APPEND names rocxla_${dep})
  endforeach()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

function(rocxla_library name)
  cmake_parse_arguments(A "LLVM;MLIR" "" "SRCS;DEPS;CXX_OPTIONS" ${ARGN})
  add_library(rocxla_${name} STATIC ${A_SRCS})
  _rocxla_configure(rocxla_${name} ${ARGN})
  _rocxla_names(deps ${A_DEPS})
  target_link_libraries(rocxla_${name} PUBLIC ${deps})
endfunction()

function(rocxla_registrar name)
  cmake_parse_arguments(A "LLVM;MLIR" "" "SRCS;DEPS;CXX_OPTIONS" ${ARGN})
  add_library(rocxla_${name} OBJECT ${A_SRCS})
  _rocxla_configure(rocxla_${name} ${ARGN})
  _rocxla_names(deps ${A_DEPS})
  target_link_libraries(rocxla_${name} PUBLIC ${deps})
endfunction()

# A test of one real GPU runs when a GPU is free, and sees no other.
function(_rocxla_add_test name labels)
  set(launcher)
  if("requires_gpu" IN_LIST labels AND NOT "multi_gpu" IN_LIST labels)
    set(launcher ${PROJECT_SOURCE_DIR}/build_tools/rocm/parallel_gpu_execute.sh)
  endif()
  add_test(NAME ${name} COMMAND ${launcher} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

function(rocxla_script_test name)
  cmake_parse_arguments(A "" "" "COMMAND;LABELS" ${ARGN})
  _rocxla_add_test(${name} "${A_LABELS}" ${A_COMMAND})
endfunction()

function(rocxla_test name)
  cmake_parse_arguments(A "LLVM;MLIR" "" "SRCS;DEPS;CXX_OPTIONS;DATA;LABELS;SHARDS" ${ARGN})
  add_executable(${name} ${A_SRCS})
  _rocxla_configure(${name} ${ARGN})
  _rocxla_names(deps ${A_DEPS})
  target_link_libraries(${name} PRIVATE ${deps} GTest::gmock GTest::gtest_main
                        -Wl,--as-needed MLIR lldELF lldCommon LLVM)
  target_compile_definitions(${name} PRIVATE ROCXLA_TEST_CASES="${PROJECT_SOURCE_DIR}/tests/cases" ${A_DATA})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  foreach(shard IN LISTS A_SHARDS)
    _rocxla_add_test(${name}.${shard} "${A_LABELS}" $<TARGET_FILE:${name}> --gtest_filter=*${shard}*)
  endforeach()
  if(NOT A_SHARDS)
    _rocxla_add_test(${name} "${A_LABELS}" $<TARGET_FILE:${name}>)
  endif()
  set_property(GLOBAL APPEND PROPERTY ROCXLA_TESTS ${name})
endfunction()

function(rocxla_tool name)
  cmake_parse_arguments(A "LLVM;MLIR" "" "SRCS;DEPS;CXX_OPTIONS" ${ARGN})
  add_executable(${name} ${A_SRCS})
  _rocxla_configure(${name} ${ARGN})
  _rocxla_names(deps ${A_DEPS})
  target_link_libraries(${name} PRIVATE ${deps} ${ROCXLA_STATIC_LLVM})
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

option(ROCXLA_LIBFUZZER "Build a libFuzzer program for each fuzz entry; needs ROCXLA_SANITIZE with fuzzer-no-link" OFF)
function(rocxla_fuzz part entry)
  cmake_parse_arguments(A "LLVM;MLIR" "" "SRCS;DEPS" ${ARGN})
  set(llvm)
  foreach(kind LLVM MLIR)
    if(A_${kind})
      set(llvm ${kind})
    endif()
  endforeach()
  rocxla_test(${part}_fuzz_${entry}_test ${llvm} SRCS ${A_SRCS} DEPS base_fuzz_driver base_fuzz_entry ${A_DEPS})
  if(ROCXLA_LIBFUZZER)
    add_executable(fuzz_${entry} ${A_SRCS})
    _rocxla_configure(fuzz_${entry} ${llvm})
    _rocxla_names(deps base_fuzz_entry ${A_DEPS})
    target_link_libraries(fuzz_${entry} PRIVATE ${deps} -Wl,--as-needed MLIR LLVM)
    target_compile_definitions(fuzz_${entry} PRIVATE ROCXLA_TEST_CASES="${PROJECT_SOURCE_DIR}/tests/cases")
    target_link_options(fuzz_${entry} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${entry} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  endif()
endfunction()
