package dev.percolate.framework.path;

import dev.percolate.http.NormalPath;
import dev.percolate.http.Percent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request as mounts and routes compare it: with decoded escapes, so that {@code
 * /caf%C3%A9} and {@code /café} are equal, or as sent.
 *
 * <p>A decoded path is only compared, never returned: parameters are substrings of the path as
 * sent. So an escaped slash differs from a slash, and a byte that is not UTF-8 differs from every
 * character: both become lone surrogates, which no decoded text contains.
 */
public final class RoutePath {

  private static final char BYTE = '\uDC00';

  private final String sent;
  private final String text;
  private final boolean decoded;

  /** The position in the path as sent of each character of the text; null if they are equal. */
  private final int @Nullable [] starts;

  private @Nullable String fileForm;

  private RoutePath(String sent, String text, boolean decoded, int @Nullable [] starts) {
    this.sent = sent;
    this.text = text;
    this.decoded = decoded;
    this.starts = starts;
  }

  /**
   * Creates the path of a request.
   *
   * @param path the path, in its normal form if requests are normalised
   * @param normalised whether requests are normalised; otherwise paths are compared as sent
   */
  public static RoutePath of(String path, boolean normalised) {
    return normalised ? decoded(path) : asSent(path);
  }

  static RoutePath asSent(String path) {
    return new RoutePath(path, path, false, null);
  }

  static RoutePath decoded(String path) {
    int first = path.indexOf('%');
    if (first < 0) {
      return new RoutePath(path, path, true, null);
    }
    StringBuilder text = new StringBuilder(path.length()).append(path, 0, first);
    int[] starts = new int[path.length() + 1];
    Arrays.setAll(starts, i -> i);
    for (int at = first; at < path.length(); ) {
      int begin = text.length();
      int end = append(path, at, text);
      Arrays.fill(starts, begin, text.length(), at);
      at = end;
    }
    starts[text.length()] = path.length();
    return new RoutePath(path, text.toString(), true, starts);
  }

  /** Appends the decoded character at a position, and returns the position after it. */
  private static int append(String path, int at, StringBuilder text) {
    int value = Percent.byteAt(path, at);
    if (value < 0) {
      text.append(path.charAt(at));
      return at + 1;
    }
    int codePoint = value == '/' ? -1 : Percent.codePointAt(path, at);
    if (codePoint < 0) {
      text.append((char) (BYTE + value));
      return at + 3;
    }
    text.appendCodePoint(codePoint);
    return at + 3 * utf8Length(codePoint);
  }

  private static int utf8Length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  /** Returns the path as sent. */
  public String sent() {
    return sent;
  }

  /** Returns the text that is compared with literals. */
  public String text() {
    return text;
  }

  /** Returns true if escapes are compared decoded. */
  public boolean isDecoded() {
    return decoded;
  }

  /** Returns true if the text differs from the path as sent. */
  boolean isEscaped() {
    return starts != null;
  }

  /** Returns the position in the path as sent of a character of the text. */
  public int sentIndex(int index) {
    int[] known = starts;
    return known == null ? index : known[index];
  }

  /** Returns the bounds of captures in the path as sent; -1 if a capture took no part. */
  int @Nullable [] sentBounds(int @Nullable [] bounds) {
    int[] known = starts;
    if (bounds == null || known == null) {
      return bounds;
    }
    return Arrays.stream(bounds).map(i -> i < 0 ? i : known[i]).toArray();
  }

  /** Returns the path in the form that a file server reads. */
  String fileForm() {
    String known = fileForm;
    if (known == null) {
      known = NormalPath.decoded(sent);
      fileForm = known;
    }
    return known;
  }
}
