package dev.percolate.openapi;

import java.util.HashMap;
import java.util.Map;

/**
 * Compares JSON values with the schemas that {@link Schemas} creates, and reports all faults.
 *
 * <p>Schemas are compiled on first use. Thread-safe.
 */
final class SchemaCheck implements ValueRule.Context {

  private final Map<String, Map<String, Object>> components;
  private final Map<String, ValueRule> compiled = new HashMap<>();

  /**
   * Creates a check.
   *
   * @param components the components of the schemas
   */
  SchemaCheck(Map<String, Map<String, Object>> components) {
    this.components = components;
  }

  /** Compiles a schema. */
  ValueRule rule(Map<String, ?> schema) {
    return new ValueRule(schema, this);
  }

  @Override
  public synchronized ValueRule component(String name) {
    ValueRule known = compiled.get(name);
    if (known == null) {
      Map<String, Object> schema = components.get(name);
      if (schema == null) {
        throw new IllegalStateException("unknown component " + name);
      }
      known = new ValueRule(schema, this);
      compiled.put(name, known);
    }
    return known;
  }
}
