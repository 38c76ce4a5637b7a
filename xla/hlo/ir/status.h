// The names of base/status.h that the HLO layer uses without a qualifier.
#pragma once
#include "base/status.h"

namespace xla {
using rocxla::Error;
using rocxla::ErrorId;
using rocxla::ErrorText;
using rocxla::InternalError;
using rocxla::OkStatus;
using rocxla::Status;
using rocxla::StatusOr;
}  // namespace xla
