// The carrier of the precompiled header mlir_pch.h; see cmake/rocxla.cmake.
