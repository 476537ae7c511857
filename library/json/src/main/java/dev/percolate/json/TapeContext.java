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

/** Passes the limits and features of a mapper to parsers of tapes, and reads values for them. */
final class TapeContext extends ObjectReadContext.Base {

  private final JsonMapper mapper;

  /** Reads values inside a document. */
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
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // like the overridden method
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
  @SuppressWarnings("TypeParameterUnusedInFormals") // like the overridden method
  public <T> T readValue(JsonParser parser, ResolvedType type) {
    return inner.forType((JavaType) type).readValue(parser);
  }
}
