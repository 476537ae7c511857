package dev.percolate.framework.path;

import dev.percolate.http.BoundedText;
import dev.percolate.http.HttpError;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Searches untrusted text with a regular expression, within the budget of a {@link BoundedText}.
 */
public final class Expression implements PathMatcher {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  private final Pattern pattern;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Creates a search for a regular expression. */
  public Expression(Pattern pattern) {
    this.pattern = pattern;
  }

  @Override
  public int @Nullable [] match(String path) {
    int[] bounds = find(path);
    return bounds == null ? null : Arrays.copyOfRange(bounds, 2, bounds.length);
  }

  /**
   * Returns start and end of the whole match and of each capture, -1 if a capture took no part;
   * null if there is no match.
   *
   * @throws HttpError 400 if the budget or the stack is exhausted
   */
  public int @Nullable [] find(String text) {
    Matcher matcher = pattern.matcher(new BoundedText(text));
    try {
      if (!matcher.find()) {
        return null;
      }
    } catch (BoundedText.Exhausted | StackOverflowError e) {
      if (warned.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "expression " + pattern + " takes too long to match some paths; they get status 400");
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
}
