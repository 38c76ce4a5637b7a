// One attribute's value from text, by the alternative that hlo_attributes.def names.
#pragma once
#include <functional>
#include <string_view>

#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla {

// Finds a computation by the name that stands at the cursor's position; HloUndefinedName if there is none.
using FindComputation = std::function<StatusOr<HloComputation*>(TextCursor& cursor)>;

// Behind "name=".
StatusOr<AttributeValue> ParseAttributeValue(TextCursor& cursor, AttributeId id, const FindComputation& find);
// Behind "metadata=".
StatusOr<OpMetadata> ParseMetadata(TextCursor& cursor);

}  // namespace xla
