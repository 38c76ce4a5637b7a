#include "xla/stream_executor/device_description.h"

#include <gtest/gtest.h>

namespace stream_executor {
namespace {

TEST(DeviceDescription, PrintsKnownFactsOnly) {
  DeviceDescription description;
  EXPECT_EQ(description.core_count(), -1);
  EXPECT_EQ(description.ToString(), "");
  description.set_name("AMD Instinct MI300X");
  description.set_core_count(304);
  description.set_clock_rate_ghz(2.1);
  description.set_block_dim_limit({8, 4, 2});
  EXPECT_EQ(description.ToString(),
            "name: AMD Instinct MI300X (product name)\n"
            "core_count: 304 (compute units)\n"
            "clock_rate_ghz: 2.1 (GHz)\n"
            "block_dim_limit: 8 x 4 x 2 (blocks of a grid)\n");
}

}  // namespace
}  // namespace stream_executor
