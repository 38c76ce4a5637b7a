// HloModuleProto -> HloModule.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/proto/hlo.pb.h"

namespace xla {

StatusOr<std::unique_ptr<HloModule>> ModuleFromProto(const proto::HloModuleProtoWithConfig& proto,
                                                     std::string_view file_name);

}  // namespace xla
