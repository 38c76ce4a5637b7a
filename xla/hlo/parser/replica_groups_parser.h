// replica_groups=... in its three spellings:
//   {{0,1},{2,3}}             the groups themselves
//   [2,4]<=[4,2]T(1,0)        2 groups of 4: the numbers 0 to 7 as an array of dimensions 4,2, transposed, read row by
//   row mesh['x'=2,'y'=4] {'y'}   the devices along some axes of a mesh, one group for each place on the others
#pragma once
#include "xla/hlo/ir/collectives.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla {

// Behind "replica_groups=". HloSyntax for what is none of them, for counts that do not fit together, and for groups of
// more than a million devices.
StatusOr<ReplicaGroups> ParseReplicaGroups(TextCursor& cursor);
// Behind "source_target_pairs=".
StatusOr<SourceTargetPairs> ParseSourceTargetPairs(TextCursor& cursor);

}  // namespace xla
