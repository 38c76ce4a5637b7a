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

Indices Hip(std::string_view value) { return SelectVisible(VisibilityRules::kHip, value, kUuids); }
Indices Rocr(std::string_view value) { return SelectVisible(VisibilityRules::kRocr, value, kUuids); }

TEST(VisibleDevices, OrdinalsAndUuidsInTheirOrder) {
  for (const auto& select : {Hip, Rocr}) {
    EXPECT_EQ(select("2,0"), (Indices{2, 0}));
    EXPECT_EQ(select("GPU-e1,0"), (Indices{1, 0}));
    EXPECT_EQ(select("2,1,"), (Indices{2, 1}));
  }
}

TEST(VisibleDevices, FirstInvalidItemEndsTheList) {
  for (const auto& select : {Hip, Rocr}) {
    for (const char* item : {"3", "-1", "", "GPU-e9", "1a", "99999999999999999999", "4294967296"}) {
      EXPECT_EQ(select(std::string("1,") + item + ",0"), Indices{1}) << item;
      EXPECT_EQ(select(item), Indices{}) << item;
    }
  }
}

TEST(VisibleDevices, WhereHipAndTheHsaRuntimeDiffer) {
  EXPECT_EQ(Hip("1,1,0"), (Indices{1, 0})) << "a second mention is passed over";
  EXPECT_EQ(Rocr("1,1,0"), Indices{1}) << "a second mention ends the list";
  EXPECT_EQ(Hip("0, 1"), Indices{0});
  EXPECT_EQ(Rocr("0, 1"), (Indices{0, 1}));
  EXPECT_EQ(Hip("0x1"), Indices{});
  EXPECT_EQ(Rocr("0x1"), Indices{1});
  EXPECT_EQ(Hip("01"), Indices{});
  EXPECT_EQ(Hip("gpu-e2"), Indices{});
  EXPECT_EQ(Rocr("gpu-E2"), Indices{2});
  EXPECT_EQ(Hip("GPU-e"), Indices{0}) << "the first that fits";
  EXPECT_EQ(Rocr("GPU-e"), Indices{}) << "it fits several";
  EXPECT_EQ(SelectVisible(VisibilityRules::kRocr, "GPU-", {"GPU-e0"}), Indices{}) << "no UUID at all";
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
  EXPECT_EQ(Names(FindVisibleDevices({"gfx942:2", std::nullopt, "", "1"})->devices), "mi300x#1");
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
