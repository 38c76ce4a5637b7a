// Which devices the environment's variables give.
#include "emulator/hip/visible_devices.h"

#include <gtest/gtest.h>

namespace rocxla::emu {
namespace {

std::string Names(const std::vector<ConfiguredDevice>& devices) {
  std::string names;
  for (const ConfiguredDevice& device : devices) {
    names += (names.empty() ? "" : " ") + std::string(device.model.key) + "#" + std::to_string(device.slot);
  }
  return names;
}
std::string Configured(std::string_view list) {
  const auto devices = ConfigureDevices(list);
  return devices.ok() ? Names(*devices) : devices.status().message();
}

TEST(EmbeddedDevices, ListOfTargetsModelsAndCounts) {
  EXPECT_EQ(Configured("gfx942:2,gfx1100"), "mi300x#0 mi300x#1 rx7900xtx#2");
  EXPECT_EQ(Configured("mi250x,gfx90a, gfx1201 ,gfx950"), "mi250x#0 mi210#1 rx9070xt#2 mi350x#3");
  EXPECT_EQ(Configured("gfx942:sramecc+:xnack-:2"), "mi300x#0 mi300x#1");
  EXPECT_EQ(Configured("gfx942:sramecc+:xnack-"), "mi300x#0");
  EXPECT_EQ(Configured(""), "");
}

TEST(EmbeddedDevices, UnknownTarget) {
  EXPECT_EQ(ConfigureDevices("gfx942,gfx9000").status().ToString(),
            R"(E5001 DeviceNotFound: there is no embedded device of this target: the target is unknown
  where:    --device, or ROCXLA_EMBEDDED_DEVICES in the environment
  found:    'gfx9000'
  expected: one of gfx90a, gfx942, gfx950, gfx1100, gfx1201)");
  EXPECT_NE(Configured("gfx1030").find("rocXLA only compiles for it"), std::string::npos);
  EXPECT_NE(Configured("gfx942:fast").find("the target is unknown"), std::string::npos);
}

TEST(EmbeddedDevices, MalformedList) {
  EXPECT_EQ(ConfigureDevices("gfx942,,gfx1100").status().ToString(),
            R"(E5001 DeviceNotFound: the list of embedded devices is malformed: an item is empty
  where:    ROCXLA_EMBEDDED_DEVICES in the environment
  found:    'gfx942,,gfx1100'
  expected: targets or models separated by commas, each with an optional count of 1 to 64: gfx942:2,gfx1100)");
  for (const char* list : {"gfx942:0", "gfx942:", "gfx942:65", "gfx942:99999999999"}) {
    EXPECT_NE(Configured(list).find("the count is no number in its range"), std::string::npos) << list;
  }
  EXPECT_NE(Configured("gfx942:40,gfx1100:40").find("too many devices"), std::string::npos);
}

TEST(EmbeddedDevices, UuidNamesTargetAndSlot) {
  const auto devices = ConfigureDevices("gfx90a,gfx942:2").value();
  EXPECT_EQ(devices[0].uuid(), "GPU-e000090a00000000");
  EXPECT_EQ(devices[2].uuid(), "GPU-e000094200000002");
}

using Indices = std::vector<int>;
const std::vector<std::string> kUuids = {"GPU-e0", "GPU-e1", "GPU-e2"};

TEST(VisibleDevices, OrdinalsAndUuidsInTheirOrder) {
  EXPECT_EQ(SelectVisible("2,0", kUuids), (Indices{2, 0}));
  EXPECT_EQ(SelectVisible("GPU-e1,0", kUuids), (Indices{1, 0}));
  EXPECT_EQ(SelectVisible("gpu-E2", kUuids), Indices{2});
}

TEST(VisibleDevices, FirstInvalidItemEndsTheList) {
  EXPECT_EQ(SelectVisible("1,3,0", kUuids), Indices{1});
  EXPECT_EQ(SelectVisible("1,-1,0", kUuids), Indices{1});
  EXPECT_EQ(SelectVisible("1,,0", kUuids), Indices{1});
  EXPECT_EQ(SelectVisible("1,GPU-e9,0", kUuids), Indices{1});
  EXPECT_EQ(SelectVisible("1,0x0", kUuids), Indices{1});
  EXPECT_EQ(SelectVisible("1,1,0", kUuids), Indices{1}) << "a second time is invalid, too";
  EXPECT_EQ(SelectVisible("-1", kUuids), Indices{});
  EXPECT_EQ(SelectVisible("99999999999999999999", kUuids), Indices{});
}

TEST(VisibleDevices, RocrFirstThenHipAmongWhatIsLeft) {
  const auto visible = FindVisibleDevices({"gfx942:3", "2,1", "1", std::nullopt}).value();
  EXPECT_EQ(Names(visible.devices), "mi300x#1");
  EXPECT_EQ(visible.reason, "");
}

TEST(VisibleDevices, CudaVariableOnlyWithoutHips) {
  EXPECT_EQ(Names(FindVisibleDevices({"gfx942:2", std::nullopt, std::nullopt, "1"})->devices), "mi300x#1");
  EXPECT_EQ(Names(FindVisibleDevices({"gfx942:2", std::nullopt, "0", "1"})->devices), "mi300x#0");
}

TEST(VisibleDevices, EmptyVariables) {
  EXPECT_EQ(FindVisibleDevices({"gfx942:2", std::nullopt, "", std::nullopt})->devices.size(), 2u) << "as if unset";
  const auto rocr = FindVisibleDevices({"gfx942:2", "", std::nullopt, std::nullopt}).value();
  EXPECT_EQ(
      rocr.reason,
      "ROCR_VISIBLE_DEVICES='' hides all of the 2 embedded devices: its first item is none of their ordinals or UUIDs");
  EXPECT_EQ(FindVisibleDevices({"", std::nullopt, std::nullopt, std::nullopt})->reason,
            "ROCXLA_EMBEDDED_DEVICES is empty");
  EXPECT_EQ(FindVisibleDevices({})->devices.size(), 1u) << "the default";
}

TEST(VisibleDevices, ReasonNamesTheVariable) {
  const auto visible = FindVisibleDevices({"gfx942", std::nullopt, "7", std::nullopt}).value();
  EXPECT_TRUE(visible.devices.empty());
  EXPECT_EQ(
      visible.reason,
      "HIP_VISIBLE_DEVICES='7' hides all of the 1 embedded devices: its first item is none of their ordinals or UUIDs");
}

}  // namespace
}  // namespace rocxla::emu
