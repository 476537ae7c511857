package dev.percolate.nio;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of encoded header lines. Most lines repeat from response to response, and a cached line
 * is not checked again. A line is cached when it repeats. Cookies are never cached, because they
 * differ per client. Used for one head at a time.
 */
final class RecentLines {

  private static final int SLOTS = 64;

  /** Longer lines are not cached. */
  private static final int LONGEST = 256;

  private final String[] names = new String[SLOTS];
  private final String[] values = new String[SLOTS];

  /** The encoded lines; null for lines that occurred once. */
  private final byte[] @Nullable [] lines = new byte[SLOTS][];

  RecentLines() {
    Arrays.fill(names, "");
    Arrays.fill(values, "");
  }

  /** Returns a cached line; null if there is none. */
  byte @Nullable [] find(String name, String value) {
    int slot = slot(name, value);
    return isAt(slot, name, value) ? lines[slot] : null;
  }

  /** Records a line that was written. */
  void note(String name, String value, byte[] bytes, int from, int to) {
    if (to - from > LONGEST || name.equalsIgnoreCase("Set-Cookie")) {
      return;
    }
    int slot = slot(name, value);
    if (isAt(slot, name, value)) {
      lines[slot] = Arrays.copyOfRange(bytes, from, to);
    } else {
      names[slot] = name;
      values[slot] = value;
      lines[slot] = null;
    }
  }

  private boolean isAt(int slot, String name, String value) {
    return name.equals(names[slot]) && value.equals(values[slot]);
  }

  /**
   * Returns the slot of a line, from its name and from the length and last character of its value.
   */
  private static int slot(String name, String value) {
    int length = value.length();
    int last = length == 0 ? 0 : value.charAt(length - 1);
    return (name.hashCode() + 31 * length + last) & (SLOTS - 1);
  }
}
