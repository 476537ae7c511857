package dev.percolate.testkit.replay;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The most recently used entries of a map, at most {@value #MOST}. Not thread-safe.
 *
 * @param <V> the type of the values
 */
final class Recent<V> extends LinkedHashMap<String, V> {

  static final int MOST = 10_000;

  private static final long serialVersionUID = 1L;

  Recent() {
    super(16, 0.75f, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
    return size() > MOST;
  }
}
