// Reductions: registers, then lanes (DPP), then warps (LDS). Every thread ends with the result.
//
// Combine regions are taken to be associative and commutative, as tt.reduce demands.
#include <bit>

#include "triton/lowering/handlers.h"
#include "triton/lowering/lanes.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// One reduction. A tuple holds one value per operand.
class Reduction {
 public:
  Reduction(Lowering& l, tt::ReduceOp op)
      : l_(l),
        op_(op),
        source_(l.plan.AccessLayout(op)),
        result_(l.plan.Intern(source_->DropDim(static_cast<int>(op.getAxis())))),
        axis_(FieldOf(source_->shape(), static_cast<int>(op.getAxis()))) {}

  Status Emit() {
    RETURN_IF_ERROR(Registers());
    RETURN_IF_ERROR(Lanes());
    RETURN_IF_ERROR(Warps());
    for (auto [i, value] : enumerate(op_.getResults())) {
      Regs out;
      for (const Values& tuple : partial_) out.v.push_back(tuple[i]);
      l_.Set(value, IsTensor(value) ? result_ : nullptr, std::move(out));
    }
    return OkStatus();
  }

 private:
  StatusOr<Values> Combine(ValuesRef x, ValuesRef y) {
    Values args(x);
    args.append(y.begin(), y.end());
    return l_.InlineRegion(op_.getCombine(), args);
  }

  // A balanced tree over the tuples.
  StatusOr<Values> Tree(std::vector<Values> tuples) {
    while (tuples.size() > 1) {
      for (size_t i = 0; i < tuples.size() / 2; ++i) {
        ASSIGN_OR_RETURN(tuples[i], Combine(tuples[2 * i], tuples[2 * i + 1]));
      }
      tuples.resize(tuples.size() / 2);
    }
    return tuples[0];
  }

  // Registers that agree off the axis meet.
  Status Registers() {
    auto slot = source_->ClearDim(static_cast<int>(op_.getAxis())).Reshape(result_->shape()).RegistersFrom(*result_);
    if (!slot) return InternalError("a reduction's registers do not map to its result");
    std::vector<std::vector<Values>> groups(result_->registers());
    for (int r = 0; r < source_->registers(); ++r) {
      Values tuple;
      for (mlir::Value operand : op_.getSrcs()) tuple.push_back(l_.Get(operand, source_).v[r]);
      groups[(*slot)[r]].push_back(tuple);
    }
    for (auto& group : groups) {
      ASSIGN_OR_RETURN(Values tuple, Tree(std::move(group)));
      partial_.push_back(std::move(tuple));
    }
    return OkStatus();
  }

  // Index bits that move along the axis; bits that only replicate are left out.
  uint32_t BitsAlongAxis(HwDim hw) const {
    uint32_t mask = 0;
    for (size_t i = 0; i < source_->bases(hw).size(); ++i)
      if (source_->bases(hw)[i] & axis_.mask()) mask |= 1u << i;
    return mask;
  }

  Status Lanes() {
    constexpr int kRowBits = 4;
    uint32_t lanes = BitsAlongAxis(kLane);
    int lane_bits = static_cast<int>(source_->bases(kLane).size());
    bool whole_wave = lanes == (1u << lane_bits) - 1;
    for (int bit = 0; bit < lane_bits; ++bit) {
      if (!(lanes >> bit & 1)) continue;
      uint32_t lower = (1u << std::min(bit, kRowBits)) - 1;
      LowerLanes lower_lanes = (lanes & lower) == lower ? LowerLanes::kEqual : LowerLanes::kDiffer;
      for (Values& tuple : partial_) {
        Values mine = tuple, theirs;
        for (Value*& value : mine) {
          if (bit == 5 && whole_wave) {  // both halves are uniform: on in scalar registers
            theirs.push_back(ReadLane(l_, value, 32));
            value = ReadLane(l_, value, 0);
          } else {
            theirs.push_back(FromPartner(l_, value, bit, lower_lanes));
          }
        }
        ASSIGN_OR_RETURN(tuple, Combine(mine, theirs));
      }
    }
    return OkStatus();
  }

  // Which of the warps along the axis this one is.
  Value* WarpSlot(uint32_t warps) {
    auto& b = l_.b;
    Value* slot = b.getInt32(0);
    for (int i = 0, k = 0; i < static_cast<int>(source_->bases(kWarp).size()); ++i)
      if (warps >> i & 1) slot = b.CreateOr(slot, b.CreateShl(b.CreateAnd(b.CreateLShr(l_.warp(), i), 1), k++));
    return slot;
  }

  static unsigned BytesOf(Type* type) { return std::max(1u, type->getScalarSizeInBits() / 8); }
  // i1 takes a byte.
  Type* StoredType(Type* type) { return type->isIntegerTy(1) ? l_.b.getInt8Ty() : type; }

  // LDS holds, per operand, [element of the result][warp along the axis].
  Value* PartAddress(int r, Value* warp_slot, int slot_bits, Type* type, int begin) {
    auto& b = l_.b;
    Value* at = b.CreateAdd(b.CreateShl(l_.Element(result_, r), slot_bits), warp_slot);
    return l_.Shared(b.CreateAdd(b.CreateMul(at, b.getInt32(BytesOf(type))), b.getInt32(begin)));
  }

  // Every warp writes its part, all read all.
  Status Warps() {
    uint32_t warps = BitsAlongAxis(kWarp);
    if (!warps) return OkStatus();
    int slot_bits = std::popcount(warps), end = 0;
    SmallVector<int> begins;
    for (Value* value : partial_[0]) {
      begins.push_back(end);
      unsigned bytes = BytesOf(value->getType()) << (TotalBits(result_->shape()) + slot_bits);
      end = (end + static_cast<int>(bytes) + 15) & ~15;
    }
    l_.ReserveShared(end);
    l_.SharedBarrier();
    WriteParts(WarpSlot(warps), slot_bits, begins);
    l_.SharedBarrier();
    return ReadParts(slot_bits, begins);
  }

  void WriteParts(Value* slot, int slot_bits, ArrayRef<int> begins) {
    for (size_t i = 0; i < begins.size(); ++i) {
      for (int r = 0; r < static_cast<int>(partial_.size()); ++r) {
        Value* value = partial_[r][i];
        Type* type = value->getType();
        if (StoredType(type) != type) value = l_.b.CreateZExt(value, StoredType(type));
        l_.b.CreateAlignedStore(value, PartAddress(r, slot, slot_bits, type, begins[i]), Align(BytesOf(type)));
      }
    }
  }

  Status ReadParts(int slot_bits, ArrayRef<int> begins) {
    auto& b = l_.b;
    for (int r = 0; r < static_cast<int>(partial_.size()); ++r) {
      std::vector<Values> parts(size_t(1) << slot_bits, Values(partial_[r].size()));
      for (size_t i = 0; i < begins.size(); ++i) {
        Type* type = partial_[r][i]->getType();
        Value* address = PartAddress(r, b.getInt32(0), slot_bits, type, begins[i]);
        Align alignment(std::min<unsigned>(16, BytesOf(type) << slot_bits));
        Value* vector = b.CreateAlignedLoad(FixedVectorType::get(StoredType(type), parts.size()), address, alignment);
        for (size_t w = 0; w < parts.size(); ++w) {
          Value* value = b.CreateExtractElement(vector, w);
          parts[w][i] = StoredType(type) == type ? value : b.CreateTrunc(value, type);
        }
      }
      ASSIGN_OR_RETURN(partial_[r], Tree(std::move(parts)));
    }
    return OkStatus();
  }

  Lowering& l_;
  tt::ReduceOp op_;
  Layout source_;
  Layout result_;
  Field axis_;
  std::vector<Values> partial_;  // per register of the result
};

}  // namespace

void AddReduce(Handlers& h) {
  h.Add<tt::ReduceOp>(
      [](Lowering& l, mlir::Operation* op, Layout) { return Reduction(l, mlir::cast<tt::ReduceOp>(op)).Emit(); });
}

}  // namespace rocxla::triton
