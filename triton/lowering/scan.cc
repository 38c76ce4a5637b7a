// tt.scan: prefix sums and their like along one axis, in the order of the elements.
//
// The coordinate along the axis has bits, each of which some register, lane or warp bit moves. From the lowest bit up,
// blocks of elements grow: what is known is, per element, the scan within its block and, per block, its total. A run of
// neighbouring bits of one kind merges 2^n blocks at once: each of them learns the total of those before it, its
// prefix. Registers do that alone, warps through LDS. Lanes shift: where they stand in the order of the elements, each
// step takes in what is twice as far back; else they exchange totals with partners.
//
// Combine regions are associative and need not commute: the earlier operand is always the left one. `reverse` runs the
// same from the other end: a block whose bit is set comes first.
#include "triton/lowering/handlers.h"
#include "triton/lowering/lanes.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// Neighbouring bits of the coordinate, lowest first, that one kind of index moves.
struct Run {
  HwDim hw;
  int first_bit;          // of the coordinate
  SmallVector<int> bits;  // of the index
  int blocks() const { return 1 << bits.size(); }
};

SmallVector<Run> RunsOf(const LinearLayout& layout, Field axis) {
  SmallVector<Run> runs;
  for (int bit = 0; bit < axis.width; ++bit) {
    for (HwDim hw : {kRegister, kLane, kWarp}) {
      const auto& bases = layout.bases(hw);
      auto found = std::find(bases.begin(), bases.end(), Bits(1) << (axis.shift + bit));
      if (found == bases.end()) continue;
      if (runs.empty() || runs.back().hw != hw) runs.push_back({hw, bit, {}});
      runs.back().bits.push_back(static_cast<int>(found - bases.begin()));
    }
  }
  return runs;
}

// The index whose bits `run` says to set for block number `block`.
int IndexOf(const Run& run, int block) {
  int index = 0;
  for (auto [k, bit] : enumerate(run.bits)) index |= (block >> k & 1) << bit;
  return index;
}

// One scan. A tuple holds one value per operand; an empty one stands for nothing, from which a scan starts.
class Scan {
 public:
  Scan(Lowering& l, tt::ScanOp op)
      : l_(l),
        b_(l.b),
        op_(op),
        layout_(l.plan.AccessLayout(op)),
        axis_(FieldOf(layout_->shape(), static_cast<int>(op.getAxis()))) {}

  Status Emit() {
    for (int r = 0; r < layout_->registers(); ++r) {
      Values tuple;
      for (mlir::Value operand : op_.getSrcs()) tuple.push_back(l_.Get(operand, layout_).v[r]);
      elements_.push_back(tuple);
    }
    totals_ = elements_;
    const SmallVector<Run> runs = RunsOf(*layout_, axis_);
    for (const Run& run : runs) {
      const bool needs_totals = &run != &runs.back();
      Status status = run.hw == kRegister           ? Registers(run)
                      : run.hw == kWarp             ? Warps(run)
                      : CanShift(run, needs_totals) ? ShiftedLanes(run)
                                                    : Lanes(run);
      RETURN_IF_ERROR(status);
    }
    for (auto [i, result] : enumerate(op_.getResults())) {
      Regs out;
      for (const Values& tuple : elements_) out.v.push_back(tuple[i]);
      l_.Set(result, layout_, std::move(out));
    }
    return OkStatus();
  }

 private:
  StatusOr<Values> Combine(const Values& earlier, const Values& later) {
    if (earlier.empty()) return later;
    Values args(earlier);
    args.append(later.begin(), later.end());
    return l_.InlineRegion(op_.getCombine(), args);
  }

  Values Select(Value* condition, const Values& yes, const Values& no) {
    Values out;
    for (auto [a, b] : zip(yes, no)) out.push_back(b_.CreateSelect(condition, a, b));
    return out;
  }

  // The number of the n-th of `blocks` in the order of the scan.
  int InOrder(int n, int blocks) { return op_.getReverse() ? blocks - 1 - n : n; }

  // The registers that hold a total: one per block, the others' bits along the axis being zero.
  SmallVector<int> Holders() const {
    SmallVector<int> holders;
    for (int r = 0; r < layout_->registers(); ++r)
      if (!(r & merged_)) holders.push_back(r);
    return holders;
  }

  // Puts `prefix` in front of every element of the block whose total register `holder` holds, if `condition`.
  Status Prepend(int holder, const Values& prefix, Value* condition) {
    for (int r = 0; r < layout_->registers(); ++r) {
      if ((r & ~merged_) != holder) continue;
      ASSIGN_OR_RETURN(Values with, Combine(prefix, elements_[r]));
      elements_[r] = condition ? Select(condition, with, elements_[r]) : with;
    }
    return OkStatus();
  }

  Status Registers(const Run& run) {
    const int moving = IndexOf(run, run.blocks() - 1);
    for (int holder : Holders()) {
      if (holder & moving) continue;
      Values before;
      for (int n = 0; n < run.blocks(); ++n) {
        int block = holder | IndexOf(run, InOrder(n, run.blocks()));
        ASSIGN_OR_RETURN(Values upto, Combine(before, totals_[block]));
        if (elements_[block] == totals_[block] && !merged_) {
          elements_[block] = upto;  // a block of one element
        } else if (!before.empty()) {
          RETURN_IF_ERROR(Prepend(block, before, nullptr));
        }
        before = std::move(upto);
      }
      totals_[holder] = std::move(before);
    }
    merged_ |= moving;
    return OkStatus();
  }

  // Bit `bit` of `index` says that the block is a later one.
  Value* IsLater(Value* index, int bit) {
    Value* set = b_.CreateICmpNE(b_.CreateAnd(index, 1 << bit), b_.getInt32(0));
    return op_.getReverse() ? b_.CreateNot(set) : set;
  }

  Status Lanes(const Run& run) {
    for (int holder : Holders()) {
      Values before;  // of the lanes so far, where there are any
      Value* any = nullptr;
      uint32_t done = 0;
      for (int bit : run.bits) {
        constexpr uint32_t kRow = 15;
        uint32_t lower = ((1u << bit) - 1) & kRow;
        Values mine = totals_[holder], theirs;
        for (Value* value : mine)
          theirs.push_back(
              FromPartner(l_, value, bit, (done & lower) == lower ? LowerLanes::kEqual : LowerLanes::kDiffer));
        Value* later = IsLater(l_.lane(), bit);
        ASSIGN_OR_RETURN(totals_[holder], Combine(Select(later, theirs, mine), Select(later, mine, theirs)));
        Values further = theirs;
        if (any) {
          ASSIGN_OR_RETURN(Values both, Combine(theirs, before));
          further = Select(any, both, theirs);
        }
        before = before.empty() ? further : Select(later, further, before);
        any = any ? b_.CreateOr(any, later) : later;
        done |= 1u << bit;
      }
      RETURN_IF_ERROR(Prepend(holder, before, any));
    }
    return OkStatus();
  }

  bool IsWholeWave(const Run& run) const { return run.blocks() == l_.plan.target().gpu.wave_size; }

  // Lanes in the order of the scan, so that earlier blocks are in lower lanes. What all of them hold together is known
  // to the last lane only: the others learn it where the run is the whole wave.
  bool CanShift(const Run& run, bool needs_totals) {
    if (op_.getReverse()) return false;
    for (auto [k, bit] : enumerate(run.bits))
      if (bit != static_cast<int>(k)) return false;
    return !needs_totals || IsWholeWave(run);
  }

  // Values[lane] becomes the scan over the `blocks` lanes of its group: within rows of 16 each step takes what is 1, 2,
  // 4 and 8 lanes before, across rows what the last lane of the half before holds.
  Status ScanOverLanes(int blocks, Values& values) {
    Value* in_row = b_.CreateAnd(l_.lane(), std::min(blocks, 16) - 1);
    for (int distance = 1; distance < std::min(blocks, 16); distance *= 2) {
      Values earlier;
      for (Value* value : values) earlier.push_back(FromEarlierInRow(l_, value, distance));
      ASSIGN_OR_RETURN(const Values with, Combine(earlier, values));
      values = Select(b_.CreateICmpUGE(in_row, b_.getInt32(distance)), with, values);
    }
    for (int bit = 4; 1 << bit < blocks; ++bit) {
      Values earlier;
      for (Value* value : values) earlier.push_back(FromHalfBefore(l_, value, bit));
      ASSIGN_OR_RETURN(const Values with, Combine(earlier, values));
      values = Select(IsLater(l_.lane(), bit), with, values);
    }
    return OkStatus();
  }

  Status ShiftedLanes(const Run& run) {
    for (int holder : Holders()) {
      Values scanned = totals_[holder];
      RETURN_IF_ERROR(ScanOverLanes(run.blocks(), scanned));
      if (!merged_) {
        elements_[holder] = scanned;  // blocks of one element
      } else {
        Values before;
        for (Value* value : scanned) before.push_back(FromLaneBefore(l_, value));
        Value* in_group = b_.CreateAnd(l_.lane(), run.blocks() - 1);
        RETURN_IF_ERROR(Prepend(holder, before, b_.CreateICmpNE(in_group, b_.getInt32(0))));
      }
      if (!IsWholeWave(run)) continue;  // nobody asks for the totals any more
      for (auto [total, value] : zip(totals_[holder], scanned)) total = ReadLane(l_, value, run.blocks() - 1);
    }
    return OkStatus();
  }

  // Every warp writes the totals of its blocks; all read those of their row and combine them in order.
  Status Warps(const Run& run) {
    SmallVector<int> begins = ReserveTotals(run);
    l_.SharedBarrier();
    for (int holder : Holders())
      for (auto [i, value] : enumerate(totals_[holder])) {
        Type* stored = StoredType(value->getType());
        Value* at = TotalAddress(run, holder, begins[i], stored, std::nullopt);
        b_.CreateAlignedStore(stored == value->getType() ? value : b_.CreateZExt(value, stored), at,
                              Align(BytesOf(stored)));
      }
    l_.SharedBarrier();
    Value* mine = b_.getInt32(0);
    for (auto [k, bit] : enumerate(run.bits))
      mine = b_.CreateOr(mine, b_.CreateShl(b_.CreateAnd(b_.CreateLShr(l_.warp(), bit), 1), k));
    for (int holder : Holders()) RETURN_IF_ERROR(CombineWarps(run, holder, begins, mine));
    return OkStatus();
  }

  Status CombineWarps(const Run& run, int holder, ArrayRef<int> begins, Value* mine) {
    Values upto, before;
    Value* any = nullptr;
    for (int n = 0; n < run.blocks(); ++n) {
      int block = InOrder(n, run.blocks());
      if (n) {  // what came so far is the prefix of the block after it
        Value* here = b_.CreateICmpEQ(mine, b_.getInt32(block));
        before = before.empty() ? upto : Select(here, upto, before);
        any = any ? b_.CreateOr(any, here) : here;
      }
      Values total;
      for (auto [i, like] : enumerate(totals_[holder])) {
        Type* stored = StoredType(like->getType());
        Value* at = TotalAddress(run, holder, begins[i], stored, block);
        Value* value = b_.CreateAlignedLoad(stored, at, Align(BytesOf(stored)));
        total.push_back(stored == like->getType() ? value : b_.CreateTrunc(value, like->getType()));
      }
      ASSIGN_OR_RETURN(upto, Combine(upto, total));
    }
    totals_[holder] = std::move(upto);
    return Prepend(holder, before, any);
  }

  // Room in LDS for the totals of each operand: all blocks of the tensor.
  SmallVector<int> ReserveTotals(const Run& run) {
    SmallVector<int> begins;
    int end = 0;
    for (Value* value : totals_[0]) {
      begins.push_back(end);
      int bytes = BytesOf(StoredType(value->getType())) << (TotalBits(layout_->shape()) - run.first_bit);
      end = (end + bytes + 15) & ~15;
    }
    l_.ReserveShared(end);
    return begins;
  }

  // LDS holds the tensor's blocks in row-major order, as if each were one element. `block`: that one along the run
  // instead of the own one.
  Value* TotalAddress(const Run& run, int holder, int begin, Type* stored, std::optional<int> block) {
    int below = axis_.shift;  // bits of inner dimensions
    Value* element = l_.Element(layout_, holder);
    Value* at = b_.CreateShl(b_.CreateLShr(element, below + run.first_bit), below);
    at = b_.CreateOr(at, b_.CreateAnd(element, (1u << below) - 1));
    if (block) {
      unsigned row = unsigned(run.blocks() - 1) << below;
      at = b_.CreateOr(b_.CreateAnd(at, ~row), unsigned(*block) << below);
    }
    return l_.Shared(b_.CreateAdd(b_.CreateMul(at, b_.getInt32(BytesOf(stored))), b_.getInt32(begin)));
  }

  static int BytesOf(Type* type) { return static_cast<int>(type->getScalarSizeInBits()) / 8; }
  // i1 takes a byte.
  Type* StoredType(Type* type) { return type->isIntegerTy(1) ? b_.getInt8Ty() : type; }

  Lowering& l_;
  IRBuilder<>& b_;
  tt::ScanOp op_;
  Layout layout_;
  Field axis_;
  std::vector<Values> elements_;  // per register: the scan within its block
  std::vector<Values> totals_;    // per register of Holders(): the total of its block
  int merged_ = 0;                // register bits within blocks
};

}  // namespace

void AddScan(Handlers& h) {
  h.Add<tt::ScanOp>(
      [](Lowering& l, mlir::Operation* op, Layout) { return Scan(l, mlir::cast<tt::ScanOp>(op)).Emit(); });
}

}  // namespace rocxla::triton
