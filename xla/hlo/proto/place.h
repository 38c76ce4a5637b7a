// Where in a file with a proto something stands, for messages.
#pragma once
#include <string>
#include <utility>

#include "base/error_ids.h"
#include "xla/hlo/ir/status.h"

namespace xla {

struct ProtoPlace {
  std::string file;
  std::string computation;  // empty: the module itself
  std::string instruction;

  std::string Text() const {
    std::string text = file;
    if (!computation.empty()) text += ": computation '" + computation + "'";
    if (!instruction.empty()) text += ", instruction '" + instruction + "'";
    return text;
  }
  Status Error(ErrorId id, ErrorText text) const {
    text.where = Text();
    return rocxla::Error(id, std::move(text));
  }
  Status Bad(ErrorText text) const { return Error(ErrorId::kHloBadProto, std::move(text)); }
};

}  // namespace xla
