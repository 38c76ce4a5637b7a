#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error_ids.h"
#include "xla/hlo/parser/replica_groups_parser.h"
#include "xla/hlo/parser/shape_parser.h"
#include "xla/hlo/proto/attribute_proto.h"
#include "xla/hlo/proto/mesh_text.h"
#include "xla/hlo/proto/origin_proto.h"
#include "xla/hlo/proto/shape_proto.h"
#include "xla/hlo/proto/sharding_proto.h"

namespace xla {
namespace {

using MaybeValue = std::optional<AttributeValue>;
using MaybeText = std::optional<std::string>;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}
std::string Upper(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// --- Attributes that are data: one overload for each direction and alternative. ---

struct Encoder {
  proto::HloInstructionProto* out;
  const ProtoPlace& place;

  Status operator()(const SliceRanges& ranges) const {
    for (const SliceRange& range : ranges) {
      auto* slice = out->add_slice_dimensions();
      slice->set_start(range.start);
      slice->set_limit(range.limit);
      slice->set_stride(range.stride);
    }
    return OkStatus();
  }
  Status operator()(const PaddingConfig& config) const {
    out->mutable_padding_config();
    for (const PaddingDimension& padding : config) {
      auto* dimension = out->mutable_padding_config()->add_dimensions();
      dimension->set_edge_padding_low(padding.edge_padding_low);
      dimension->set_edge_padding_high(padding.edge_padding_high);
      dimension->set_interior_padding(padding.interior_padding);
    }
    return OkStatus();
  }
  Status operator()(const Window& window) const {
    for (const WindowDimension& from : window) {
      auto* dimension = out->mutable_window()->add_dimensions();
      dimension->set_size(from.size);
      dimension->set_stride(from.stride);
      dimension->set_padding_low(from.padding_low);
      dimension->set_padding_high(from.padding_high);
      dimension->set_base_dilation(from.base_dilation);
      dimension->set_window_dilation(from.window_dilation);
      dimension->set_window_reversal(from.window_reversal);
    }
    return OkStatus();
  }
  Status operator()(const ConvolutionDimensionNumbers& from) const {
    auto* to = out->mutable_convolution_dimension_numbers();
    to->set_input_batch_dimension(from.input_batch_dimension);
    to->set_input_feature_dimension(from.input_feature_dimension);
    to->mutable_input_spatial_dimensions()->Add(from.input_spatial_dimensions.begin(),
                                                from.input_spatial_dimensions.end());
    to->set_kernel_input_feature_dimension(from.kernel_input_feature_dimension);
    to->set_kernel_output_feature_dimension(from.kernel_output_feature_dimension);
    to->mutable_kernel_spatial_dimensions()->Add(from.kernel_spatial_dimensions.begin(),
                                                 from.kernel_spatial_dimensions.end());
    to->set_output_batch_dimension(from.output_batch_dimension);
    to->set_output_feature_dimension(from.output_feature_dimension);
    to->mutable_output_spatial_dimensions()->Add(from.output_spatial_dimensions.begin(),
                                                 from.output_spatial_dimensions.end());
    return OkStatus();
  }
  Status operator()(const SourceTargetPairs& pairs) const {
    for (const auto& [source, target] : pairs) {
      auto* pair = out->add_source_target_pairs();
      pair->set_source(source);
      pair->set_target(target);
    }
    return OkStatus();
  }
  Status operator()(RandomDistribution distribution) const {
    out->set_distribution(distribution == RandomDistribution::kNormal ? proto::RNG_NORMAL : proto::RNG_UNIFORM);
    return OkStatus();
  }
  Status operator()(KnownTruth truth) const {
    out->set_is_associative(truth == KnownTruth::kTrue ? proto::TRI_STATE_TRUE : proto::TRI_STATE_FALSE);
    return OkStatus();
  }
  Status operator()(const Shape& shape) const { return ShapeToProto(shape, place, out->mutable_outfeed_shape()); }
  Status operator()(const ReplicaGroups& groups) const {
    TextCursor cursor(groups.text, "replica_groups");
    return ReplicaGroupsToProto(cursor, out);
  }
  template <class T>
  Status operator()(const T&) const {
    return InternalError("an attribute of this type has no codec");
  }
};

// Zero where upstream means one.
int64_t OneIfZero(int64_t value) { return value == 0 ? 1 : value; }

struct Decoder {
  const proto::HloInstructionProto& proto;
  const ProtoPlace& place;

  StatusOr<bool> operator()(SliceRanges& ranges) const {
    for (const auto& slice : proto.slice_dimensions()) ranges.push_back({slice.start(), slice.limit(), slice.stride()});
    return true;
  }
  StatusOr<bool> operator()(PaddingConfig& config) const {
    for (const auto& padding : proto.padding_config().dimensions())
      config.push_back({padding.edge_padding_low(), padding.edge_padding_high(), padding.interior_padding()});
    return proto.has_padding_config();
  }
  StatusOr<bool> operator()(Window& window) const {
    for (const auto& from : proto.window().dimensions()) {
      window.push_back({.size = from.size(),
                        .stride = OneIfZero(from.stride()),
                        .padding_low = from.padding_low(),
                        .padding_high = from.padding_high(),
                        .base_dilation = OneIfZero(from.base_dilation()),
                        .window_dilation = OneIfZero(from.window_dilation()),
                        .window_reversal = from.window_reversal()});
    }
    return !window.empty();
  }
  StatusOr<bool> operator()(ConvolutionDimensionNumbers& to) const {
    const auto& from = proto.convolution_dimension_numbers();
    const auto list = [](const auto& field) { return std::vector<int64_t>(field.begin(), field.end()); };
    to = {.input_batch_dimension = from.input_batch_dimension(),
          .input_feature_dimension = from.input_feature_dimension(),
          .input_spatial_dimensions = list(from.input_spatial_dimensions()),
          .kernel_input_feature_dimension = from.kernel_input_feature_dimension(),
          .kernel_output_feature_dimension = from.kernel_output_feature_dimension(),
          .kernel_spatial_dimensions = list(from.kernel_spatial_dimensions()),
          .output_batch_dimension = from.output_batch_dimension(),
          .output_feature_dimension = from.output_feature_dimension(),
          .output_spatial_dimensions = list(from.output_spatial_dimensions())};
    if (!proto.has_convolution_dimension_numbers()) return false;
    // The text can say only what makes sense: three permutations of the same dimensions.
    const bool all_small = AllBelowRank(to);
    const auto again =
        all_small ? ParseConvolutionDimensionNumbers(ConvolutionDimensionNumbersToString(to)) : std::nullopt;
    if (again && *again == to) return true;
    return place.Bad({.what = "convolution_dimension_numbers do not name each dimension once",
                      .expected = "batch, feature and spatial dimensions, all different, in three arrays"});
  }
  StatusOr<bool> operator()(SourceTargetPairs& pairs) const {
    for (const auto& pair : proto.source_target_pairs()) pairs.emplace_back(pair.source(), pair.target());
    return true;
  }
  StatusOr<bool> operator()(RandomDistribution& distribution) const {
    distribution =
        proto.distribution() == proto::RNG_NORMAL ? RandomDistribution::kNormal : RandomDistribution::kUniform;
    if (proto.distribution() == proto::RNG_NORMAL || proto.distribution() == proto::RNG_UNIFORM) return true;
    return place.Bad({.what = "distribution is none that HLO knows",
                      .found = fmt::format("{}", static_cast<int>(proto.distribution())),
                      .expected = "RNG_UNIFORM (1) or RNG_NORMAL (2)"});
  }
  StatusOr<bool> operator()(KnownTruth& truth) const {
    truth = proto.is_associative() == proto::TRI_STATE_TRUE ? KnownTruth::kTrue : KnownTruth::kFalse;
    return proto.is_associative() != proto::TRI_STATE_UNSPECIFIED;
  }
  StatusOr<bool> operator()(Shape& shape) const {
    if (!proto.has_outfeed_shape()) return false;
    ASSIGN_OR_RETURN(shape, ShapeFromProto(proto.outfeed_shape(), place));
    return true;
  }
  StatusOr<bool> operator()(ReplicaGroups& groups) const {
    ASSIGN_OR_RETURN(const std::string text, ReplicaGroupsFromProto(proto, place));
    TextCursor cursor(text, "replica_groups");
    StatusOr<ReplicaGroups> parsed = ParseReplicaGroups(cursor);
    if (!parsed.ok() || !cursor.AtEnd()) {
      return place.Bad({.what = "the lists of devices make no groups",
                        .found = text.substr(0, 100),
                        .next = parsed.status().message()});
    }
    return groups = *std::move(parsed), true;
  }
  template <class T>
  StatusOr<bool> operator()(T&) const {
    return Status(InternalError("an attribute of this type has no codec"));
  }

 private:
  static bool AllBelowRank(const ConvolutionDimensionNumbers& numbers) {
    const auto rank = static_cast<int64_t>(numbers.input_spatial_dimensions.size()) + 2;
    const auto fits = [&](int64_t batch, int64_t feature, const std::vector<int64_t>& spatial) {
      const auto is_place = [&](int64_t d) { return d >= 0 && d < rank; };
      return rank <= kMaxRank && is_place(batch) && is_place(feature) &&
             static_cast<int64_t>(spatial.size()) + 2 == rank && std::all_of(spatial.begin(), spatial.end(), is_place);
    };
    return fits(numbers.input_batch_dimension, numbers.input_feature_dimension, numbers.input_spatial_dimensions) &&
           fits(numbers.kernel_input_feature_dimension, numbers.kernel_output_feature_dimension,
                numbers.kernel_spatial_dimensions) &&
           fits(numbers.output_batch_dimension, numbers.output_feature_dimension, numbers.output_spatial_dimensions);
  }
};

// --- Attributes that are text: one function for each direction and attribute. ---

// "{high,highest}".
Status EncodePrecision(TextCursor& cursor, proto::PrecisionConfig* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  do {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const std::string_view word, cursor.Word("default, high or highest"));
    proto::PrecisionConfig::Precision precision;
    if (!proto::PrecisionConfig::Precision_Parse(Upper(word), &precision))
      return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "there is no such precision"});
    out->add_operand_precision(precision);
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list is not closed");
}

MaybeText DecodePrecision(const proto::PrecisionConfig& config) {
  bool any = false;
  std::vector<std::string> names;
  for (const int precision : config.operand_precision()) {
    any |= precision != 0;
    names.push_back(Lower(proto::PrecisionConfig::Precision_Name(precision)));
  }
  return any ? MaybeText(fmt::format("{{{}}}", fmt::join(names, ","))) : std::nullopt;
}

// "dot_bf16_bf16_f32" of dot, "rng_philox" of rng-bit-generator.
Status EncodeAlgorithm(TextCursor& cursor, proto::HloInstructionProto* out) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::string_view word, cursor.Word("an algorithm"));
  proto::PrecisionConfig::Algorithm dot;
  proto::RandomAlgorithm random;
  if (proto::RandomAlgorithm_Parse(Upper(word), &random)) {
    out->set_rng_algorithm(random);
  } else if (proto::PrecisionConfig::Algorithm_Parse("ALG_" + Upper(word), &dot)) {
    out->mutable_precision_config()->set_algorithm(dot);
  } else {
    return cursor.ErrorAt(at, ErrorId::kHloNotInProto, {.what = "HLO protos have no number for this algorithm"});
  }
  return OkStatus();
}

MaybeText DecodeAlgorithm(const proto::HloInstructionProto& proto, const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kRngBitGenerator)
    return Lower(proto::RandomAlgorithm_Name(proto.rng_algorithm()));
  if (proto.precision_config().algorithm() == 0) return std::nullopt;
  return Lower(proto::PrecisionConfig::Algorithm_Name(proto.precision_config().algorithm())).substr(4);
}

// "{f32[2]{0}, s32[]}".
Status EncodeLayoutConstraints(TextCursor& cursor, const ProtoPlace& place, proto::HloInstructionProto* out) {
  out->set_constrain_layout(true);
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    ASSIGN_OR_RETURN(const Shape shape, ParseShape(cursor));
    RETURN_IF_ERROR(ShapeToProto(shape, place, out->add_operand_shapes_with_layout()));
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list is not closed");
}

StatusOr<MaybeText> DecodeLayoutConstraints(const proto::HloInstructionProto& proto, const ProtoPlace& place) {
  if (!proto.constrain_layout()) return MaybeText();
  std::vector<std::string> shapes;
  for (const proto::ShapeProto& one : proto.operand_shapes_with_layout()) {
    ASSIGN_OR_RETURN(const Shape shape, ShapeFromProto(one, place));
    shapes.push_back(shape.ToStringWithLayout());
  }
  return MaybeText(fmt::format("{{{}}}", fmt::join(shapes, ", ")));
}

// "{{0}: (1, {}), {1}: (2, {0})}".
Status EncodeAliasing(TextCursor& cursor, proto::HloInstructionProto* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    auto* pair = out->add_output_operand_aliasing();
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t i) { pair->add_output_shape_index(i); }));
    RETURN_IF_ERROR(cursor.Expect(":", "the operand is missing"));
    RETURN_IF_ERROR(cursor.Expect("(", "the operand is (number, {index})"));
    ASSIGN_OR_RETURN(const int64_t operand, cursor.Integer());
    pair->set_operand_index(operand);
    RETURN_IF_ERROR(cursor.Expect(",", "the operand is (number, {index})"));
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t i) { pair->add_operand_shape_index(i); }));
    RETURN_IF_ERROR(cursor.Expect(")", "the operand is not closed"));
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list is not closed");
}

MaybeText DecodeAliasing(const proto::HloInstructionProto& proto) {
  if (proto.output_operand_aliasing_size() == 0) return std::nullopt;
  std::vector<std::string> pairs;
  for (const auto& pair : proto.output_operand_aliasing()) {
    pairs.push_back(fmt::format("{{{}}}: ({}, {{{}}})", fmt::join(pair.output_shape_index(), ","), pair.operand_index(),
                                fmt::join(pair.operand_shape_index(), ",")));
  }
  return fmt::format("{{{}}}", fmt::join(pairs, ", "));
}

Status EncodeText(AttributeId id, const std::string& text, const ProtoPlace& place, proto::HloInstructionProto* out) {
  const std::string name = place.Text() + ": " + std::string(AttributeText(id));
  TextCursor cursor(text, name);
  const auto encode = [&]() -> Status {
    switch (id) {
      case AttributeId::kOperandPrecision:
        return EncodePrecision(cursor, out->mutable_precision_config());
      case AttributeId::kAlgorithm:
        return EncodeAlgorithm(cursor, out);
      case AttributeId::kOperandLayoutConstraints:
        return EncodeLayoutConstraints(cursor, place, out);
      case AttributeId::kOutputToOperandAliasing:
        return EncodeAliasing(cursor, out);
      case AttributeId::kStatistics:
        return StatisticsToProto(cursor, out->mutable_statistics_viz());
      case AttributeId::kOrigin:
        return OriginToProto(cursor, out->mutable_original_value());
      case AttributeId::kSharding:
        return ShardingToProto(cursor, out->mutable_sharding());
      case AttributeId::kDomain:
        return DomainToProto(cursor, out->mutable_domain_entry_sharding(), out->mutable_domain_exit_sharding());
      case AttributeId::kInfeedConfig: {
        ASSIGN_OR_RETURN(*out->mutable_infeed_config(), cursor.String());
        return OkStatus();
      }
      case AttributeId::kOutfeedConfig: {
        ASSIGN_OR_RETURN(*out->mutable_outfeed_config(), cursor.String());
        return OkStatus();
      }
      case AttributeId::kCustomCallTarget: {
        ASSIGN_OR_RETURN(*out->mutable_custom_call_target(), cursor.String());
        return OkStatus();
      }
      case AttributeId::kAsyncExecutionThread: {
        ASSIGN_OR_RETURN(*out->mutable_async_execution_thread(), cursor.String());
        return OkStatus();
      }
      case AttributeId::kApiVersion: {
        ASSIGN_OR_RETURN(const std::string_view word, cursor.Word("a version, such as API_VERSION_TYPED_FFI"));
        proto::CustomCallApiVersion version;
        if (!proto::CustomCallApiVersion_Parse(std::string(word), &version))
          return cursor.ErrorAt(0, ErrorId::kHloSyntax, {.what = "there is no such version"});
        return out->set_custom_call_api_version(version), OkStatus();
      }
      default:
        return InternalError("this attribute's text has no codec");
    }
  };
  RETURN_IF_ERROR(encode());
  return cursor.AtEnd() ? OkStatus() : cursor.SyntaxError("something follows the value", "its end");
}

StatusOr<MaybeText> DecodeText(AttributeId id, const proto::HloInstructionProto& proto,
                               const HloInstruction& instruction, const ProtoPlace& place) {
  switch (id) {
    case AttributeId::kOperandPrecision:
      return DecodePrecision(proto.precision_config());
    case AttributeId::kAlgorithm:
      return DecodeAlgorithm(proto, instruction);
    case AttributeId::kOperandLayoutConstraints:
      return DecodeLayoutConstraints(proto, place);
    case AttributeId::kOutputToOperandAliasing:
      return DecodeAliasing(proto);
    case AttributeId::kStatistics:
      return proto.statistics_viz().statistics_size() > 0 ? MaybeText(StatisticsFromProto(proto.statistics_viz()))
                                                          : MaybeText();
    case AttributeId::kOrigin:
      return proto.has_original_value() ? MaybeText(OriginFromProto(proto.original_value(), instruction.shape()))
                                        : MaybeText();
    case AttributeId::kSharding: {
      if (!proto.has_sharding()) return MaybeText();
      ASSIGN_OR_RETURN(std::string text, ShardingFromProto(proto.sharding(), place));
      return MaybeText(std::move(text));
    }
    case AttributeId::kDomain: {
      ASSIGN_OR_RETURN(std::string text,
                       DomainFromProto(proto.domain_entry_sharding(), proto.domain_exit_sharding(), place));
      return MaybeText(std::move(text));
    }
    case AttributeId::kInfeedConfig:
      return proto.infeed_config().empty() ? MaybeText() : MaybeText(Quoted(proto.infeed_config()));
    case AttributeId::kOutfeedConfig:
      return proto.outfeed_config().empty() ? MaybeText() : MaybeText(Quoted(proto.outfeed_config()));
    case AttributeId::kCustomCallTarget:
      return MaybeText(Quoted(proto.custom_call_target()));
    case AttributeId::kAsyncExecutionThread:
      return proto.async_execution_thread().empty() || proto.async_execution_thread() == "main"
                 ? MaybeText()
                 : MaybeText(Quoted(proto.async_execution_thread()));
    case AttributeId::kApiVersion:
      return proto.custom_call_api_version() <= proto::API_VERSION_ORIGINAL
                 ? MaybeText()
                 : MaybeText(proto::CustomCallApiVersion_Name(proto.custom_call_api_version()));
    case AttributeId::kFrontendAttributes:
      return proto.frontend_attributes().map().empty()
                 ? MaybeText()
                 : MaybeText(FrontendAttributesFromProto(proto.frontend_attributes()));
    default:
      return Status(InternalError("this attribute's text has no codec"));
  }
}

template <class T>
StatusOr<T> EnumFromText(const std::string& text, std::string_view field, const ProtoPlace& place) {
  const std::vector<std::string_view> texts = AllTextsOf(T());
  const auto found = std::find(texts.begin(), texts.end(), text);
  if (found != texts.end()) return static_cast<T>(found - texts.begin());
  return place.Bad({.what = fmt::format("{} has no such value", field),
                    .found = Quoted(text),
                    .expected = fmt::format("one of {}", fmt::join(texts, ", "))});
}

// Floats are ordered partially unless something else is said: NaNs are unordered.
ComparisonOrder OrderOf(ComparisonType type) {
  return type == ComparisonType::kFloat ? ComparisonOrder::kPartial : ComparisonOrder::kTotal;
}

// Upstream's text has order=... or type=..., where they say more than the operands' type does.
StatusOr<MaybeValue> DecodeComparison(AttributeId id, const proto::HloInstructionProto& proto,
                                      const HloInstruction& compare, const ProtoPlace& place) {
  if (compare.operand_count() == 0) return MaybeValue();
  const ComparisonType implied = compare.comparison_type();  // `type` is not set yet, `order` may be
  if (id == AttributeId::kOrder) {
    if (proto.comparison_order().empty()) return MaybeValue();
    ASSIGN_OR_RETURN(const auto order,
                     EnumFromText<ComparisonOrder>(proto.comparison_order(), "comparison_order", place));
    return order == OrderOf(implied) ? MaybeValue() : MaybeValue(order);
  }
  if (proto.comparison_type().empty()) return MaybeValue();
  ASSIGN_OR_RETURN(const auto type, EnumFromText<ComparisonType>(proto.comparison_type(), "comparison_type", place));
  return type == implied ? MaybeValue() : MaybeValue(type);
}

}  // namespace

void EncodeComparison(const HloInstruction& compare, proto::HloInstructionProto* out) {
  const ComparisonType type = compare.comparison_type();
  out->set_comparison_type(std::string(EnumText(type)));
  // type=TOTALORDER alone comes from before there was an order.
  const auto* order = compare.attributes().Find<ComparisonOrder>(AttributeId::kOrder);
  if (order != nullptr || !compare.attributes().Has(AttributeId::kType))
    out->set_comparison_order(std::string(EnumText(order != nullptr ? *order : OrderOf(type))));
}

Status EncodeAttribute(AttributeId id, const AttributeValue& value, const HloInstruction&, const ProtoPlace& place,
                       proto::HloInstructionProto* out) {
  // See EncodeComparison.
  if (id == AttributeId::kOrder || id == AttributeId::kType) return OkStatus();
  const auto* text = std::get_if<Verbatim>(&value);
  if (text == nullptr) return std::visit(Encoder{out, place}, value);
  if (id == AttributeId::kFrontendAttributes)
    return FrontendAttributesToProto(text->text, place, out->mutable_frontend_attributes());
  return EncodeText(id, text->text, place, out);
}

StatusOr<MaybeValue> DecodeAttribute(AttributeId id, const proto::HloInstructionProto& proto,
                                     const HloInstruction& instruction, const ProtoPlace& place) {
  if (id == AttributeId::kOrder || id == AttributeId::kType) return DecodeComparison(id, proto, instruction, place);
  AttributeValue value = EmptyValueOf(id);
  if (!std::holds_alternative<Verbatim>(value)) {
    ASSIGN_OR_RETURN(const bool says_something, std::visit(Decoder{proto, place}, value));
    return says_something ? MaybeValue(std::move(value)) : MaybeValue();
  }
  ASSIGN_OR_RETURN(const MaybeText text, DecodeText(id, proto, instruction, place));
  if (!text) return MaybeValue();
  if (!IsOneValue(*text)) {
    return place.Bad({.what = fmt::format("{} cannot be said in HLO text", AttributeText(id)),
                      .found = Quoted(text->substr(0, 200))});
  }
  return MaybeValue(Verbatim{*text});
}

}  // namespace xla
