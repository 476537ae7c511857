package dev.percolate.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TreeNode;
import tools.jackson.core.type.ResolvedType;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Tells parsers of tapes the limits and features of a mapper, and lets it read their values. */
final class TapeContext extends ObjectReadContext.Base {

  private final JsonMapper mapper;

  /** Reads values in the middle of a text. */
  private final ObjectReader inner;

  private final StreamReadConstraints constraints;
  private final int features;

  TapeContext(JsonMapper mapper) {
    this.mapper = mapper;
    this.inner = mapper.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    this.constraints = mapper.tokenStreamFactory().streamReadConstraints();
    int enabled = 0;
    for (StreamReadFeature feature : StreamReadFeature.values()) {
      enabled |= mapper.isEnabled(feature) ? feature.getMask() : 0;
    }
    this.features = enabled;
  }

  JsonMapper mapper() {
    return mapper;
  }

  @Override
  public StreamReadConstraints streamReadConstraints() {
    return constraints;
  }

  @Override
  public int getStreamReadFeatures(int defaults) {
    return features;
  }

  @Override
  public TokenStreamFactory tokenStreamFactory() {
    return mapper.tokenStreamFactory();
  }

  @Override
  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // as the method that it overrides
  public <T extends TreeNode> T readTree(JsonParser parser) {
    return (T) inner.readTree(parser);
  }

  @Override
  public <T> T readValue(JsonParser parser, Class<T> type) {
    return inner.forType(type).readValue(parser);
  }

  @Override
  public <T> T readValue(JsonParser parser, TypeReference<T> type) {
    return inner.forType(type).readValue(parser);
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // as the method that it overrides
  public <T> T readValue(JsonParser parser, ResolvedType type) {
    return inner.forType((JavaType) type).readValue(parser);
  }
}
