package dev.percolate.nio;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines that heads of answers had lately, as bytes: most come again with the next answer, and
 * need no look at their characters then. A line is kept when it comes twice; cookies never are,
 * which tell one client from another. Used for one head at a time.
 */
final class RecentLines {

  private static final int SLOTS = 64;

  /** Longer lines are not kept. */
  private static final int LONGEST = 256;

  private final String[] names = new String[SLOTS];
  private final String[] values = new String[SLOTS];

  /** The lines; null of what has come once. */
  private final byte[] @Nullable [] lines = new byte[SLOTS][];

  RecentLines() {
    Arrays.fill(names, "");
    Arrays.fill(values, "");
  }

  /** Returns a line, if it has come twice of late. */
  byte @Nullable [] find(String name, String value) {
    int slot = slot(name, value);
    return isAt(slot, name, value) ? lines[slot] : null;
  }

  /** Takes note of a line that has been written. */
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

  /** Returns the place of a line: its name, and the length and end of its value say. */
  private static int slot(String name, String value) {
    int length = value.length();
    int last = length == 0 ? 0 : value.charAt(length - 1);
    return (name.hashCode() + 31 * length + last) & (SLOTS - 1);
  }
}
