package dev.percolate.framework;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The paths that a layer may see, from the root on, as far as they can be compared with those of
 * another layer.
 */
final class PathSpace {

  /** A path of which everything is known: texts, plain parameters, at the end perhaps a star. */
  private static final Pattern KNOWN =
      Pattern.compile("(/([^/:*?+()\\[\\]{}|\\\\^$]+|:\\w+(\\(\\\\[dw]\\+\\))?|\\*(?=$))?)+|\\*|");

  /** What stands for any one segment. */
  private static final String ANY = ":";

  private final String text;
  private final boolean exact;
  private final boolean caseSensitive;
  private final boolean strict;
  private final @Nullable List<String> segments;
  private final boolean below;
  private final boolean star;

  /**
   * Creates the space of a mount or a route.
   *
   * @param path the path from the root on
   * @param pattern that of a route; null for a mount, which also covers what lies below it
   */
  PathSpace(String path, @Nullable PathPattern pattern) {
    boolean expression = pattern != null && !(pattern.given() instanceof String);
    int end = expression ? 0 : literalEnd(path);
    this.text = path.substring(0, end);
    this.exact = pattern != null && end == path.length();
    this.star = path.endsWith("*");
    this.below = pattern == null || star;
    this.caseSensitive = pattern != null && pattern.isCaseSensitive();
    this.strict = pattern != null && pattern.isStrict();
    this.segments = expression || !KNOWN.matcher(path).matches() ? null : segments(path);
  }

  /** Tells whether some path may be seen by both. */
  boolean meets(PathSpace other) {
    return covers(other) || other.covers(this);
  }

  /** Tells whether this one sees all paths that the other sees; false if that is not certain. */
  boolean includes(PathSpace other) {
    List<String> mine = segments;
    List<String> theirs = other.segments;
    if (mine == null || theirs == null) {
      return false;
    }
    boolean looser = (!caseSensitive || other.caseSensitive) && (!strict || other.strict);
    int size = mine.size();
    // A star stands behind a slash, so it needs one segment more, but for the root.
    boolean further = theirs.size() > size || other.below || !star || size == 0;
    boolean fits = below ? theirs.size() >= size && further : theirs.size() == size && !other.below;
    for (int i = 0; fits && i < size; i++) {
      fits = includes(mine.get(i), theirs.get(i));
    }
    return looser && fits;
  }

  /** Returns true if this space may include all paths of another space. */
  boolean mayInclude(PathSpace other) {
    boolean known = segments != null && other.segments != null;
    return known ? includes(other) : meets(other);
  }

  private boolean includes(String mine, String theirs) {
    if (mine.equals(ANY)) {
      return true;
    }
    // A parameter with an expression sees less than any segment.
    return mine.charAt(0) != ':'
        && (caseSensitive ? mine.equals(theirs) : mine.equalsIgnoreCase(theirs));
  }

  private boolean covers(PathSpace other) {
    return Mount.covers(text, other.text) || (!exact && isBegin(other.text));
  }

  /** Tells whether a text goes on as this one's does, up to where it may be anything. */
  private boolean isBegin(String other) {
    return other.regionMatches(true, 0, text, 0, Math.min(text.length(), other.length()))
        && other.length() >= text.length();
  }

  /** Returns where the first segment begins that is no text. */
  private static int literalEnd(String path) {
    for (int i = 0; i < path.length(); i++) {
      if ("*:?+([{|\\^$".indexOf(path.charAt(i)) >= 0) {
        return Math.max(0, path.lastIndexOf('/', i));
      }
    }
    return path.endsWith("/") ? path.length() - 1 : path.length();
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    Matcher found = Pattern.compile("[^/]+").matcher(path);
    while (found.find()) {
      String segment = found.group();
      boolean plain = segment.startsWith(":") && segment.indexOf('(') < 0;
      if (!segment.equals("*")) {
        segments.add(plain ? ANY : segment);
      }
    }
    return List.copyOf(segments);
  }
}
