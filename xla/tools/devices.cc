// rocxla devices: what rocminfo would say, for real and embedded devices, and why a device is missing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.h"
#include "base/target/target.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/subcommand.h"

namespace xla::tools {
namespace {

namespace gpu = stream_executor::gpu;
using rocxla::Json;

std::string Indented(const std::string& text, std::string_view indent) {
  std::string out;
  for (char c : text) {
    if (out.empty() || out.back() == '\n') out += indent;
    out += c;
  }
  return out;
}

void PrintText(const std::vector<gpu::ProviderListing>& providers) {
  for (const gpu::ProviderListing& provider : providers) {
    fmt::print("{}: {} device{}\n", provider.provider, provider.devices.size(),
               provider.devices.size() == 1 ? "" : "s");
    if (!provider.missing.ok()) fmt::print("{}\n", Indented(provider.missing.ToString(), "  "));
    for (const gpu::DeviceListing& device : provider.devices)
      fmt::print("  --device {}\n{}\n", device.spec, Indented(device.description.ToString(), "    "));
  }
  std::string targets;
  for (const rocxla::GpuTarget& target : rocxla::AllTargets())
    if (target.support == rocxla::TargetSupport::kFirstClass) targets += fmt::format(" {}", target.name);
  fmt::print("--device embedded:TARGET adds an embedded device for one run; targets:{}\n", targets);
}

void PrintJson(const std::vector<gpu::ProviderListing>& providers) {
  Json list = Json::array();
  for (const gpu::ProviderListing& provider : providers) {
    Json devices = Json::array();
    for (const gpu::DeviceListing& device : provider.devices) {
      Json facts = device.description.ToJson();
      facts["device"] = device.spec;
      devices.push_back(std::move(facts));
    }
    Json entry = {{"provider", provider.provider}, {"devices", std::move(devices)}};
    if (!provider.missing.ok()) entry["missing"] = provider.missing.ToString();
    list.push_back(std::move(entry));
  }
  fmt::print("{}\n", rocxla::JsonText(list));
}

}  // namespace

Action SetUpDevices(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "print JSON");
  return [json](const rocxla::DebugOptions&) {
    std::vector<gpu::ProviderListing> providers = gpu::ListDevices();
    *json ? PrintJson(providers) : PrintText(providers);
    bool any = false;
    for (const gpu::ProviderListing& provider : providers) any = any || !provider.devices.empty();
    return any ? kSuccess : kFailure;
  };
}

}  // namespace xla::tools
