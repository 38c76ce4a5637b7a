// HloModule -> HloModuleProto.
#pragma once
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/proto/hlo.pb.h"

namespace xla {

StatusOr<proto::HloModuleProtoWithConfig> ModuleToProto(const HloModule& module);

}  // namespace xla
