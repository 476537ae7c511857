package dev.percolate.api;

import java.util.HashMap;
import java.util.Map;

/**
 * Compares plain values of JSON with the schemas that {@link Schemas} makes, and tells all faults.
 *
 * <p>Schemas are compiled when they are needed first; it may be shared by all threads.
 */
final class SchemaCheck implements ValueRule.Context {

  private final Map<String, Map<String, Object>> components;
  private final ValueRule.Direction direction;
  private final boolean constraints;
  private final Map<String, ValueRule> compiled = new HashMap<>();

  /**
   * Creates a check.
   *
   * @param components what schemas refer to
   * @param direction which way the values go
   * @param constraints whether lengths, ranges and patterns count, too
   */
  SchemaCheck(
      Map<String, Map<String, Object>> components,
      ValueRule.Direction direction,
      boolean constraints) {
    this.components = components;
    this.direction = direction;
    this.constraints = constraints;
  }

  /** Compiles a schema. */
  ValueRule rule(Map<String, ?> schema) {
    return new ValueRule(schema, this);
  }

  @Override
  public boolean constraints() {
    return constraints;
  }

  @Override
  public ValueRule.Direction direction() {
    return direction;
  }

  @Override
  public synchronized ValueRule component(String name) {
    ValueRule known = compiled.get(name);
    if (known == null) {
      Map<String, Object> schema = components.get(name);
      if (schema == null) {
        throw new IllegalStateException("no component " + name);
      }
      known = new ValueRule(schema, this);
      compiled.put(name, known);
    }
    return known;
  }
}
