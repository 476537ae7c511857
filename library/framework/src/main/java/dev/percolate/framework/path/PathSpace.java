package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The full paths that a layer may see, for comparison with those of another layer. */
public final class PathSpace {

  /**
   * A path that can be compared exactly: texts, plain parameters, and optionally a star at the end.
   */
  private static final Pattern KNOWN =
      Pattern.compile("(/([^/:*?+()\\[\\]{}|\\\\^$]+|:\\w+(\\(\\\\[dw]\\+\\))?|\\*(?=$))?)+|\\*|");

  /** An escape after the name of a parameter, which is not part of the name. */
  private static final Pattern ESCAPE_AFTER_NAME = Pattern.compile(":\\w+%");

  private static final String OPERATORS = ":*?+()[]{}|\\^$";

  /** Represents any single segment. */
  private static final String ANY = ":";

  private final String path;
  private final String text;
  private final boolean exact;
  private final boolean caseSensitive;
  private final boolean strict;
  private final @Nullable List<String> segments;
  private final boolean below;
  private final boolean star;

  /** Whether this is the route {@code /*}, which also sees a mount path itself: it is "/" there. */
  private final boolean whole;

  /**
   * Creates a space.
   *
   * @param path the full path, as it was defined
   * @param plain the full path, as it is compared
   * @param route the route; null for a mount
   */
  private PathSpace(String path, String plain, @Nullable CompiledPath route) {
    boolean expression = route != null && !(route.original() instanceof String);
    boolean known = !expression && KNOWN.matcher(plain).matches();
    int end = expression ? 0 : literalEnd(plain);
    this.path = path;
    this.text = plain.substring(0, end);
    this.exact = route != null && end == plain.length();
    this.star = plain.endsWith("*");
    this.whole = route != null && "/*".equals(route.original());
    this.below = route == null || star;
    this.caseSensitive = route != null && route.isCaseSensitive();
    this.strict = route != null && route.isStrict();
    this.segments = known && !ESCAPE_AFTER_NAME.matcher(path).find() ? segments(plain) : null;
  }

  /**
   * Creates the space of a mount, which also covers the paths below its path.
   *
   * @param normalised whether request paths are normalised; otherwise paths are compared as sent
   */
  public static PathSpace ofMount(String path, boolean normalised) {
    return new PathSpace(path, literal(path, normalised), null);
  }

  /**
   * Creates the space of a route below mount paths.
   *
   * @param normalised whether request paths are normalised; otherwise paths are compared as sent
   */
  public static PathSpace ofRoute(String prefix, CompiledPath route, boolean normalised) {
    String mounted = literal(prefix, normalised);
    if (!(route.original() instanceof String own)) {
      return new PathSpace(prefix, mounted, route);
    }
    return new PathSpace(prefix + own, mounted + (normalised ? decoded(own) : own), route);
  }

  /** Returns a mount path for comparison; it has no operators. */
  private static String literal(String path, boolean normalised) {
    StringBuilder out = new StringBuilder(normalised ? RoutePath.decoded(path).text() : path);
    for (int i = 0; i < out.length(); i++) {
      out.setCharAt(i, literal(out.charAt(i)));
    }
    return out.toString();
  }

  /** Returns the path of a route with decoded escapes. Escaped operators become literal text. */
  private static String decoded(String path) {
    RoutePath known = RoutePath.decoded(path);
    StringBuilder out = new StringBuilder(known.text());
    for (int i = 0; i < out.length(); i++) {
      if (path.charAt(known.sentIndex(i)) == '%') {
        out.setCharAt(i, literal(out.charAt(i)));
      }
    }
    return out.toString();
  }

  /** Returns a character; for an operator, a lone surrogate, which no decoded text contains. */
  private static char literal(char c) {
    return OPERATORS.indexOf(c) < 0 ? c : (char) ('\uDC00' + c);
  }

  /** Returns the full path, including mount paths; for an expression only mount paths. */
  @Override
  public String toString() {
    return path;
  }

  /** Returns true if a path exists that both layers may see. */
  public boolean meets(PathSpace other) {
    return covers(other) || other.covers(this);
  }

  /**
   * Returns true if a path may exist that both layers see. Unlike {@link #meets}, compares whole
   * segments where both paths are known.
   */
  public boolean mayMeet(PathSpace other) {
    List<String> mine = segments;
    List<String> theirs = other.segments;
    if (mine == null || theirs == null) {
      return meets(other);
    }
    for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
      boolean last = i == mine.size() - 1;
      boolean othersLast = i == theirs.size() - 1;
      if (!mayBe(mine.get(i), last, theirs.get(i))
          && !other.mayBe(theirs.get(i), othersLast, mine.get(i))) {
        return false;
      }
    }
    int longer = mine.size() - theirs.size();
    return longer == 0 || (longer > 0 ? other.below : below);
  }

  /** Returns true if a segment of this space matches another one; a mount also ends at a dot. */
  private boolean mayBe(String mine, boolean last, String theirs) {
    String dotted = mine + ".";
    return mine.startsWith(ANY)
        || same(mine, theirs)
        || (last && below && !star && PathMatcher.startsWith(theirs, 0, dotted, true));
  }

  /** Returns true if this layer sees all paths that the other sees; false if that is uncertain. */
  public boolean includes(PathSpace other) {
    List<String> mine = segments;
    List<String> theirs = other.segments;
    if (mine == null || theirs == null) {
      return false;
    }
    boolean sameEnd = star || path.endsWith("/") == other.path.endsWith("/");
    boolean looser =
        (!caseSensitive || other.caseSensitive) && (!strict || (other.strict && sameEnd));
    int size = mine.size();
    // A star follows a slash, so it needs one more segment, except at the root.
    boolean needsMore = star && !whole && size > 0;
    boolean further = theirs.size() > size || !needsMore || (other.star && !other.whole);
    boolean fits = below ? theirs.size() >= size && further : theirs.size() == size && !other.below;
    for (int i = 0; fits && i < size; i++) {
      fits = includes(mine.get(i), theirs.get(i));
    }
    return looser && fits;
  }

  /** Returns true if this space may include all paths of another space. */
  public boolean mayInclude(PathSpace other) {
    boolean known = segments != null && other.segments != null;
    return known ? includes(other) : meets(other);
  }

  private boolean includes(String mine, String theirs) {
    if (mine.equals(ANY)) {
      return true;
    }
    // A parameter with an expression matches only some segments.
    return mine.charAt(0) != ':' && (caseSensitive ? mine.equals(theirs) : same(mine, theirs));
  }

  /** Returns true if two segments are equal, ignoring the case of ASCII letters, as routes do. */
  private static boolean same(String one, String other) {
    return one.length() == other.length() && PathMatcher.startsWith(one, 0, other, true);
  }

  private boolean covers(PathSpace other) {
    return MountPath.covers(text, other.text)
        || (!exact && PathMatcher.startsWith(other.text, 0, text, true));
  }

  /** Returns the index of the first segment that is not literal. */
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
