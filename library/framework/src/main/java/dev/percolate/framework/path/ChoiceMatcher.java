package dev.percolate.framework.path;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Matches paths of literals, parameters and stars that need backtracking, in time linear in the
 * length of the path.
 *
 * <p>It runs a small program that tries alternatives in the same order as a regular expression, so
 * it finds the same captures. It never tries an alternative twice at the same position: if it
 * failed once, it fails again, whatever was captured before.
 */
record ChoiceMatcher(PathProgram program, boolean caseless, String prefix) implements PathMatcher {

  ChoiceMatcher(PathProgram program, boolean caseSensitive) {
    this(program, !caseSensitive, program.prefix());
  }

  @Override
  public int @Nullable [] match(String path) {
    boolean may = PathMatcher.startsWith(path, 0, prefix, caseless) && program.fits(path);
    return may ? new Run(path).run() : null;
  }

  /** One match attempt: the positions in the program and the path, and the choices to return to. */
  private final class Run {

    private final String path;
    private final int[] captures;
    private final long[] tried;
    private int[] waiting = new int[16];
    private int waitings;
    private int at;
    private int pc;

    Run(String path) {
      this.path = path;
      this.captures = new int[program.captures() * 2];
      this.tried = new long[((program.choices() * (path.length() + 1)) >> 6) + 1];
      Arrays.fill(captures, -1);
    }

    int @Nullable [] run() {
      while (true) {
        if (program.kind(pc) == PathProgram.END && at == path.length()) {
          return captures;
        }
        if (!step() && !back()) {
          return null;
        }
      }
    }

    /** Runs the instruction at {@code pc}; returns false if the path does not match it. */
    private boolean step() {
      int argument = program.argument(pc);
      return switch (program.kind(pc)) {
        case PathProgram.TEXT -> took(program.text(argument));
        case PathProgram.SAVE -> save(argument);
        case PathProgram.EITHER -> choose(argument);
        case PathProgram.JUMP -> jump(argument);
        case PathProgram.END -> false;
        default -> tookOne(program.kind(pc));
      };
    }

    private boolean took(String text) {
      if (!PathMatcher.startsWith(path, at, text, caseless)) {
        return false;
      }
      at += text.length();
      pc++;
      return true;
    }

    private boolean tookOne(int kind) {
      if (at == path.length() || !PathMatcher.takes(kind, path.charAt(at))) {
        return false;
      }
      at++;
      pc++;
      return true;
    }

    private boolean save(int bound) {
      push(~bound, captures[bound]);
      captures[bound] = at;
      pc++;
      return true;
    }

    private boolean jump(int to) {
      pc = to;
      return true;
    }

    private boolean choose(int choice) {
      int bit = choice * (path.length() + 1) + at;
      if ((tried[bit >> 6] >> bit & 1) != 0) {
        return false;
      }
      tried[bit >> 6] |= 1L << bit;
      push(program.second(choice), at);
      pc = program.first(choice);
      return true;
    }

    private void push(int what, int value) {
      if (waitings == waiting.length) {
        waiting = Arrays.copyOf(waiting, waitings * 2);
      }
      waiting[waitings++] = what;
      waiting[waitings++] = value;
    }

    /** Returns to the last choice and restores the captures. */
    private boolean back() {
      while (waitings > 0) {
        int value = waiting[--waitings];
        int what = waiting[--waitings];
        if (what >= 0) {
          pc = what;
          at = value;
          return true;
        }
        captures[~what] = value;
      }
      return false;
    }
  }
}
