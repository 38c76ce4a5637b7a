// The error types of base/, under this layer's names.
#pragma once
#include "base/status.h"

namespace stream_executor {
using rocxla::Error;
using rocxla::ErrorId;
using rocxla::ErrorText;
using rocxla::OkStatus;
using rocxla::Status;
using rocxla::StatusCode;
using rocxla::StatusOr;
}  // namespace stream_executor
