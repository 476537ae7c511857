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

  private PathSpace(String path, @Nullable CompiledPath route) {
    boolean expression = route != null && !(route.original() instanceof String);
    int end = expression ? 0 : literalEnd(path);
    this.path = path;
    this.text = path.substring(0, end);
    this.exact = route != null && end == path.length();
    this.star = path.endsWith("*");
    this.whole = route != null && "/*".equals(route.original());
    this.below = route == null || star;
    this.caseSensitive = route != null && route.isCaseSensitive();
    this.strict = route != null && route.isStrict();
    this.segments = expression || !KNOWN.matcher(path).matches() ? null : segments(path);
  }

  /** Creates the space of a mount, which also covers the paths below its path. */
  public static PathSpace ofMount(String path) {
    return new PathSpace(path, null);
  }

  /** Creates the space of a route below mount paths. */
  public static PathSpace ofRoute(String prefix, CompiledPath route) {
    return new PathSpace(route.original() instanceof String ? prefix + route : prefix, route);
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
        || mine.equalsIgnoreCase(theirs)
        || (last && below && !star && theirs.regionMatches(true, 0, dotted, 0, dotted.length()));
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
    return mine.charAt(0) != ':'
        && (caseSensitive ? mine.equals(theirs) : mine.equalsIgnoreCase(theirs));
  }

  private boolean covers(PathSpace other) {
    return MountPath.covers(text, other.text) || (!exact && isBegin(other.text));
  }

  /** Returns true if a text starts with the literal text of this space. */
  private boolean isBegin(String other) {
    return other.regionMatches(true, 0, text, 0, Math.min(text.length(), other.length()))
        && other.length() >= text.length();
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
