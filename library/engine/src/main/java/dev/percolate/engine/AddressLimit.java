package dev.percolate.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the memory used by the bodies of one address. Each body counts with its whole claim, so
 * two bodies of one address never wait for each other. Used under the lock of {@link BodyMemory}.
 */
final class AddressLimit {

  private static final class Use {
    private long claims;
    private long values;
  }

  private final long most;
  private final Map<String, Use> uses = new HashMap<>();

  /**
   * Creates a limit.
   *
   * @param most the limit for each address, in bytes; {@code Long.MAX_VALUE} for no limit
   */
  AddressLimit(long most) {
    this.most = most;
  }

  boolean isNone() {
    return most == Long.MAX_VALUE;
  }

  /** Returns true if another claim would exceed the limit of an address. */
  boolean isBeyond(String address, long claimed) {
    Use use = uses.get(address);
    return !isNone() && use != null && use.claims + use.values + claimed > most;
  }

  /**
   * Returns true if a parsed value would exceed the limit. The first value of an address never
   * does.
   */
  boolean isValueBeyond(String address, long value) {
    Use use = uses.get(address);
    return isBeyond(address, value) && use != null && use.values > 0;
  }

  /** Adds to the claims and values of an address; negative numbers release them. */
  void count(String address, long claimed, long values) {
    if (isNone()) {
      return;
    }
    Use use = uses.computeIfAbsent(address, none -> new Use());
    use.claims += claimed;
    use.values += values;
    if (use.claims == 0 && use.values == 0) {
      uses.remove(address);
    }
  }
}
