package dev.percolate.framework;

import dev.percolate.http.HttpError;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Searches untrusted text by a regular expression, within a budget of steps.
 *
 * <p>Some expressions take a time exponential in the text. The budget allows for any reasonable one
 * and is used up in some milliseconds.
 */
final class Expression implements PathMatcher {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** How many characters one search may look at, each as often as it likes. */
  private static final int BUDGET = 1_000_000;

  private final Pattern pattern;
  private final AtomicBoolean warned = new AtomicBoolean();

  Expression(Pattern pattern) {
    this.pattern = pattern;
  }

  @Override
  public String prefix() {
    return "";
  }

  @Override
  public int @Nullable [] match(String path) {
    int[] bounds = find(path);
    return bounds == null ? null : Arrays.copyOfRange(bounds, 2, bounds.length);
  }

  /**
   * Returns begin and end of the whole match and of each capture, -1 where one took no part; null
   * if there is no match.
   *
   * @throws HttpError 400 if the budget or the stack does not suffice
   */
  int @Nullable [] find(String text) {
    Matcher matcher = pattern.matcher(new Counted(text));
    try {
      if (!matcher.find()) {
        return null;
      }
    } catch (Exhausted | StackOverflowError e) {
      if (warned.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "the expression " + pattern + " takes too long on some texts; they are answered 400");
      }
      throw new HttpError(400, "The path takes too long to match");
    }
    int[] bounds = new int[(matcher.groupCount() + 1) * 2];
    for (int i = 0; i <= matcher.groupCount(); i++) {
      bounds[i * 2] = matcher.start(i);
      bounds[i * 2 + 1] = matcher.end(i);
    }
    return bounds;
  }

  private static final class Exhausted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("budget", null, false, false);
    }
  }

  private static final class Counted implements CharSequence {

    private final String text;
    private int left = BUDGET;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new Exhausted();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
