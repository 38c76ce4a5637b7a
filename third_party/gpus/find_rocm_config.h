// Which ROCm is installed, and which versions its components have: what build rules ask before they build against it.
//
// The output of KeyValueLines is that of XLA's find_rocm_config.py, so that rules written for that script work with
// this program unchanged; rocm_components.def says which components it has. All functions are thread-safe.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/status.h"
#include "third_party/gpus/device_libraries.h"

namespace rocxla {

struct RocmComponent {
  enum Printed { kScript, kJson };
  enum Number { kComposite, kHundreds, kPlain };
  std::string_view id;
  std::string_view name;
  std::string_view key;
  Printed printed;
  Number number;
  std::vector<std::string_view> headers;
  std::vector<std::string_view> macros;
};
// One per row of rocm_components.def, in its order.
const std::vector<RocmComponent>& AllRocmComponents();

// What was found of one component.
struct RocmComponentReport {
  const RocmComponent* component;
  std::string header;                 // the path read, below the root as given; empty: no header
  std::vector<int64_t> values;        // of the macros, in their order; complete only without problems
  std::vector<std::string> problems;  // empty: the version is known
  bool found() const { return problems.empty(); }
  int64_t number() const;       // by the component's formula; only when found
  std::string version() const;  // "7.1.0"; for a single macro its value. Only when found
  // What is odd about a version that is known, such as a minor number of 100 or more, which makes the number ambiguous.
  std::vector<std::string> warnings() const;
};

enum class RocmLayout { kRocm, kDistribution };  // /opt/rocm and its like; headers in a distribution's own /usr

struct RocmReport {
  std::string root;           // as given
  std::string resolved_root;  // without symbolic links
  RocmLayout layout;
  std::vector<RocmComponentReport> components;  // one per component, in table order
  DeviceLibraries device_libraries;
};

// ROCM_PATH of the environment (empty counts as unset), else /opt/rocm.
std::string RocmRootFromEnvironment();

// Reads every component below `root`. E6101 RocmNotFound when that is no folder; other installations (rocm-* beside it,
// headers in /usr) are named then. What is wrong with single components is in the report.
StatusOr<RocmReport> ScanRocm(const std::string& root);

// "7.1" or "7.1.0" -> 70100, as in rocm_version_number.
StatusOr<int64_t> ParseRocmRelease(std::string_view text);

// E6102 RocmIncomplete with a line for everything that is wrong with the components that upstream's script prints;
// E6103 RocmTooOld when all is there but ROCm is older than `minimum` (a rocm_version_number).
Status CheckRocm(const RocmReport& report, std::optional<int64_t> minimum);

// The lines "key: value", sorted, of a report that passed CheckRocm.
std::string KeyValueLines(const RocmReport& report);

// Everything: the keys above as far as they are known, and per component version, header, macros, problems.
Json RocmReportJson(const RocmReport& report);

}  // namespace rocxla
