// Shapes and literals from text.
#pragma once
#include "xla/hlo/ir/literal.h"
#include "xla/hlo/ir/shape.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla {

// Deeper tuples, and arrays of more dimensions, are refused: reading them recurses.
inline constexpr int kMaxTupleDepth = 64;
inline constexpr int64_t kMaxRank = 64;

// "f32[2,3]{1,0}", "(s32[], f32[4])"; a layout that is left out is the row-major one.
StatusOr<Shape> ParseShape(TextCursor& cursor);
// "(f32[2]{0}, s32[])->f32[2]{0}"
StatusOr<ProgramShape> ParseProgramShape(TextCursor& cursor);
// What stands inside constant(...): the values of `shape`.
StatusOr<Literal> ParseLiteral(TextCursor& cursor, const Shape& shape);

}  // namespace xla
