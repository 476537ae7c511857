package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The instructions that {@link ChoiceMatcher} runs to match a path.
 *
 * <pre>
 *   TEXT n    matches the text n                  SAVE n   saves the position as capture bound n
 *   EITHER n  continues at first(n); if that      JUMP n   continues at n
 *             fails, at second(n)                 END      succeeds at the end of the path
 *   any other kind matches one character of its class
 * </pre>
 */
final class PathProgram {

  static final int TEXT = 0;
  static final int SAVE = 1;
  static final int EITHER = 2;
  static final int JUMP = 3;
  static final int END = 4;
  private static final int MANY = Integer.MAX_VALUE / 2;

  private static final Set<String> EXPRESSIONS = Set.of("(\\d+)", "(\\w+)", "(*)");

  private final StringBuilder pending = new StringBuilder();
  private final List<String> texts = new ArrayList<>();
  private int[] code = new int[32];
  private int[] targets = new int[8];
  private int size;
  private int choices;
  private int captures;

  // The number of slashes in a matching path; with a loose end, one more as the last character.
  private int fewestSlashes;
  private int mostSlashes;
  private boolean looseEnd;

  private PathProgram() {}

  /** Creates the program of a path; null if the path needs a regular expression. */
  static @Nullable PathProgram of(PathTranslation path, boolean strict) {
    PathProgram program = new PathProgram();
    for (PathTranslation.Piece piece : path.pieces()) {
      if (piece instanceof PathTranslation.Parameter parameter) {
        if (parameter.capture() != null && !EXPRESSIONS.contains(parameter.capture())) {
          return null;
        }
        program.parameter(parameter);
      } else if (piece instanceof PathTranslation.Literal literal) {
        program.literal(literal.text());
      } else if (!program.pattern(((PathTranslation.Text) piece).text())) {
        return null;
      }
    }
    if (!strict) {
      program.looseEnd = true;
      program.optional(() -> program.pending.append('/'));
    }
    program.add(END, 0);
    return program;
  }

  /**
   * Returns true if a path has as many slashes as a matching path. This avoids the search through a
   * long segment before a slash that cannot match.
   */
  boolean fits(String path) {
    int slashes = 0;
    for (int i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) {
      slashes++;
    }
    int most = mostSlashes + (looseEnd && path.endsWith("/") ? 1 : 0);
    return slashes >= fewestSlashes && slashes <= most;
  }

  int kind(int pc) {
    return code[pc * 2];
  }

  int argument(int pc) {
    return code[pc * 2 + 1];
  }

  String text(int number) {
    return texts.get(number);
  }

  int first(int choice) {
    return targets[choice * 2];
  }

  int second(int choice) {
    return targets[choice * 2 + 1];
  }

  int choices() {
    return choices;
  }

  int captures() {
    return captures;
  }

  /** Returns the text that each matching path starts with; may be empty. */
  String prefix() {
    return kind(0) == TEXT ? texts.get(0) : "";
  }

  /** Adds text with stars; returns false if it contains operators of regular expressions. */
  private boolean pattern(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '*') {
        star();
      } else if ("\\^$|?+()[]{}".indexOf(c) >= 0) {
        return false;
      } else {
        literal(String.valueOf(c));
      }
    }
    return true;
  }

  private void literal(String text) {
    int slashes = (int) text.chars().filter(c -> c == '/').count();
    slashes(slashes, slashes);
    pending.append(text);
  }

  /** Counts slashes of the path; only a star matches any number of them. */
  private void slashes(int fewest, int most) {
    fewestSlashes += fewest;
    mostSlashes = Math.min(mostSlashes + most, MANY);
  }

  private void parameter(PathTranslation.Parameter parameter) {
    if (parameter.slash()) {
      slashes(parameter.optional() ? 0 : 1, 1);
    }
    Runnable body =
        () -> {
          pending.append(parameter.slash() && parameter.optional() ? "/" : "");
          pending.append(parameter.dot() ? "." : "");
          capture(parameter);
        };
    if (parameter.optional()) {
      optional(body);
    } else {
      pending.append(parameter.slash() ? "/" : "");
      body.run();
    }
    if (parameter.star()) {
      optional(
          () -> {
            int slash = captures++;
            add(SAVE, slash * 2);
            pending.append('/');
            star();
            add(SAVE, slash * 2 + 1);
          });
    }
  }

  private void capture(PathTranslation.Parameter parameter) {
    int number = captures++;
    add(SAVE, number * 2);
    int kind = PathMatcher.kind(parameter);
    if (kind == PathMatcher.ANYTHING) {
      star();
    } else {
      oneOrMore(kind, parameter.capture() != null);
    }
    add(SAVE, number * 2 + 1);
  }

  private void oneOrMore(int kind, boolean greedy) {
    int begin = add(kind, 0);
    int choice = choice();
    add(EITHER, choice);
    targets[choice * 2] = greedy ? begin : size;
    targets[choice * 2 + 1] = greedy ? size : begin;
  }

  private void star() {
    slashes(0, MANY);
    int number = captures++;
    add(SAVE, number * 2);
    int choice = choice();
    int begin = add(EITHER, choice);
    targets[choice * 2] = add(PathMatcher.ANYTHING, 0);
    add(JUMP, begin);
    targets[choice * 2 + 1] = size;
    add(SAVE, number * 2 + 1);
  }

  private void optional(Runnable body) {
    int choice = choice();
    targets[choice * 2] = add(EITHER, choice) + 1;
    body.run();
    flush();
    targets[choice * 2 + 1] = size;
  }

  private int choice() {
    if (targets.length == choices * 2) {
      targets = Arrays.copyOf(targets, choices * 4);
    }
    return choices++;
  }

  private int add(int kind, int argument) {
    flush();
    return append(kind, argument);
  }

  /** Adds the collected text as one instruction. */
  private void flush() {
    if (pending.length() > 0) {
      texts.add(pending.toString());
      pending.setLength(0);
      append(TEXT, texts.size() - 1);
    }
  }

  private int append(int kind, int argument) {
    if (code.length == size * 2) {
      code = Arrays.copyOf(code, size * 4);
    }
    code[size * 2] = kind;
    code[size * 2 + 1] = argument;
    return size++;
  }
}
