package dev.percolate.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds what the bodies of one address may take. Bodies count with all that they may claim, so
 * that two of one address cannot wait for each other. Used under the lock of {@link BodyMemory}.
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
   * @param most bytes for each address; {@code Long.MAX_VALUE} for no limit
   */
  AddressLimit(long most) {
    this.most = most;
  }

  boolean isNone() {
    return most == Long.MAX_VALUE;
  }

  long most() {
    return most;
  }

  /** Returns whether a body that claims so much more is too much for an address. */
  boolean isBeyond(String address, long claimed) {
    Use use = uses.get(address);
    return !isNone() && use != null && use.claims + use.values + claimed > most;
  }

  /** Returns whether a parsed value is too much; the first of an address never is. */
  boolean isValueBeyond(String address, long value) {
    Use use = uses.get(address);
    return isBeyond(address, value) && use != null && use.values > 0;
  }

  /** Counts what was claimed and taken, or is given back. */
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
