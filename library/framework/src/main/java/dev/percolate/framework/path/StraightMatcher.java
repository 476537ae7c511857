package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches paths without backtracking: literals, parameters that end with their segment, and
 * optionally a star. Most routes have such paths.
 *
 * <pre>
 *   /about   /users/:id   /shops/:shop/items/:item(\d+)   /files/*
 * </pre>
 */
final class StraightMatcher implements PathMatcher {

  private static final int[] NOTHING = {};

  private final String[] texts;
  private final int[] kinds;
  private final boolean caseless;
  private final boolean looseEnd;

  /**
   * Creates a matcher.
   *
   * @param texts a path consists of the first text, a capture of the first kind, the second text …
   * @param kinds the classes of the characters of the captures
   * @param looseEnd whether a slash may follow
   */
  private StraightMatcher(String[] texts, int[] kinds, boolean caseless, boolean looseEnd) {
    this.texts = texts;
    this.kinds = kinds;
    this.caseless = caseless;
    this.looseEnd = looseEnd;
  }

  /**
   * Creates the matcher of a path that {@link PathProgram} can match; null if it needs
   * backtracking.
   */
  static @Nullable StraightMatcher of(PathTranslation path, boolean caseSensitive, boolean strict) {
    Parts parts = new Parts();
    for (PathTranslation.Piece piece : path.pieces()) {
      if (!parts.add(piece)) {
        return null;
      }
    }
    String[] texts = parts.texts.toArray(String[]::new);
    int[] kinds = parts.kinds.stream().mapToInt(kind -> kind).toArray();
    return new StraightMatcher(texts, kinds, !caseSensitive, !strict);
  }

  @Override
  public int @Nullable [] match(String path) {
    if (kinds.length == 0) {
      return isLiteral(path) ? NOTHING : null;
    }
    if (!PathMatcher.startsWith(path, 0, texts[0], caseless)) {
      return null;
    }
    int[] bounds = new int[kinds.length * 2];
    int at = texts[0].length();
    for (int i = 0; i < kinds.length; i++) {
      int end = endOf(kinds[i], path, at);
      boolean missing = end == at && kinds[i] != PathMatcher.ANYTHING;
      if (missing || !PathMatcher.startsWith(path, end, texts[i + 1], caseless)) {
        return null;
      }
      bounds[i * 2] = at;
      bounds[i * 2 + 1] = end;
      at = end + texts[i + 1].length();
    }
    return isEnd(path, at) ? bounds : null;
  }

  private boolean isLiteral(String path) {
    String text = texts[0];
    return path.equals(text)
        || (isEnd(path, text.length()) && PathMatcher.startsWith(path, 0, text, caseless));
  }

  private static int endOf(int kind, String path, int from) {
    int at = from;
    while (at < path.length() && PathMatcher.takes(kind, path.charAt(at))) {
      at++;
    }
    return at;
  }

  private boolean isEnd(String path, int at) {
    int left = path.length() - at;
    return left == 0 || (looseEnd && left == 1 && path.charAt(at) == '/');
  }

  /** Collects the parts of a path. The methods return false if it needs backtracking. */
  private static final class Parts {

    private final List<String> texts = new ArrayList<>(List.of(""));
    private final List<Integer> kinds = new ArrayList<>();

    boolean add(PathTranslation.Piece piece) {
      if (piece instanceof PathTranslation.Parameter parameter) {
        return parameter(parameter);
      }
      return piece instanceof PathTranslation.Literal literal
          ? literal(literal.text())
          : text(((PathTranslation.Text) piece).text());
    }

    private boolean parameter(PathTranslation.Parameter parameter) {
      int kind = PathMatcher.kind(parameter);
      boolean plain = !parameter.optional() && !parameter.star() && kind != PathMatcher.ANYTHING;
      String before = (parameter.slash() ? "/" : "") + (parameter.dot() ? "." : "");
      return plain && literal(before) && capture(kind);
    }

    private boolean text(String text) {
      int star = text.indexOf('*');
      return star < 0
          ? literal(text)
          : literal(text.substring(0, star))
              && capture(PathMatcher.ANYTHING)
              && literal(text.substring(star + 1));
    }

    /** Adds text. After a parameter, it must start with the slash that ends the parameter. */
    private boolean literal(String text) {
      boolean ends = text.startsWith("/") && !kinds.contains(PathMatcher.ANYTHING);
      if (!text.isEmpty() && isCaptureLast() && !ends) {
        return false;
      }
      texts.add(texts.remove(texts.size() - 1) + text);
      return true;
    }

    private boolean capture(int kind) {
      if (isCaptureLast()) {
        return false;
      }
      kinds.add(kind);
      return texts.add("");
    }

    private boolean isCaptureLast() {
      return !kinds.isEmpty() && texts.get(texts.size() - 1).isEmpty();
    }
  }
}
