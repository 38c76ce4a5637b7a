// What stands before a module's computations: the attributes of the HloModule line and the tables of stack frames.
#pragma once
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/proto/hlo.pb.h"
#include "xla/hlo/proto/place.h"

namespace xla {

// `out` gets no schedule: that names instructions.
Status HeaderToProto(const HloModule& module, const ProtoPlace& place, proto::HloModuleProtoWithConfig* out);
StatusOr<HloModuleConfig> HeaderFromProto(const proto::HloModuleProtoWithConfig& proto, const ProtoPlace& place);
bool IsScheduled(const HloModuleConfig& config);

// "FileNames 1 "a.py" FunctionNames ..." <-> its index.
Status StackFramesToProto(const std::string& text, const ProtoPlace& place, proto::StackFrameIndexProto* out);
std::string StackFramesFromProto(const proto::StackFrameIndexProto& index);

}  // namespace xla
