// Where an allocation lives. The numbers are upstream's: they appear as S(n) in HLO layouts.
#pragma once

namespace stream_executor {

enum class MemorySpace {
  kDevice = 0,   // memory of one device
  kUnified = 1,  // migrates between host and devices
  kHost = 5,     // page-locked memory of the host, which devices can reach
};

}  // namespace stream_executor
