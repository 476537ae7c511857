package dev.percolate.framework;

import dev.percolate.core.Params;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A compiled pattern for the paths of a route and their parameters.
 *
 * <pre>
 *   path                 matches                    parameters
 *   /about               /about, /about/, /ABOUT
 *   /users/:id           /users/7                   id=7
 *   /shop/:item?         /shop, /shop/3             item=3
 *   /:file.:ext          /a.tar.gz                  file=a.tar, ext=gz
 *   /files/*             /files/a/b.txt             0=a/b.txt
 *   /item/:id(\d+)       /item/12                   id=12
 * </pre>
 *
 * <p>The operators of regular expressions work in paths, except that a dot is always literal and a
 * star matches any text. Outside parentheses, {@code $} and {@code ^} are literal too. The case of
 * ASCII letters and a trailing slash are ignored, unless the settings {@code case sensitive
 * routing} and {@code strict routing} are enabled.
 *
 * <p>Text may be plain or percent-encoded, and matches both spellings in requests: {@code /café},
 * {@code /caf%C3%A9}. Write {@code %2F}, {@code %3A} or {@code %3F} for a slash within a segment, a
 * literal colon or a literal operator. A pattern with operators is compared with the path as sent,
 * then with the decoded path. If the setting {@code ambiguous targets} is {@code pass}, all paths
 * are compared as sent.
 *
 * <p>Patterns without operators match in linear time. A search with operators that takes too long
 * is stopped, and the request gets 400.
 */
public final class PathPattern {

  private static final int KNOWN_FLAGS =
      Pattern.CASE_INSENSITIVE | Pattern.DOTALL | Pattern.UNICODE_CASE;

  private final Object given;
  private final boolean caseSensitive;
  private final boolean strict;
  private final List<Parameter> keys;
  private final List<String> names;
  private final Regexp regexp;

  /** Compares paths as sent. */
  private final Comparison asSent;

  /** Compares decoded paths; equal to {@code asSent} if the pattern has nothing to decode. */
  private final Comparison decoded;

  private final boolean isDecoded;

  /** A matcher, and the approximate shape of the paths that it matches. */
  private record Comparison(PathMatcher matcher, PathShape shape) {

    boolean isExpression() {
      return matcher instanceof Expression;
    }
  }

  /**
   * A parameter of a path.
   *
   * @param name the name of the parameter
   * @param optional whether the path also matches without it
   */
  public record Parameter(String name, boolean optional) {}

  /**
   * The regular expression of a path.
   *
   * @param source the text of the expression, in JavaScript syntax if it was created from a path
   * @param flags {@code i} to ignore letter case, else empty
   */
  public record Regexp(String source, String flags) {}

  private PathPattern(@Nullable String path, boolean caseSensitive, boolean strict) {
    if (path == null) {
      throw new IllegalArgumentException("route path must not be null");
    }
    PathTranslation translation = new PathTranslation(path, strict);
    this.given = path;
    this.caseSensitive = caseSensitive;
    this.strict = strict;
    this.keys =
        translation.parameters().stream()
            .map(found -> new Parameter(found.name(), found.optional()))
            .toList();
    this.names = keys.stream().map(Parameter::name).toList();
    this.regexp = new Regexp(translation.source(), caseSensitive ? "" : "i");
    PathTranslation literal = LiteralText.in(translation);
    this.isDecoded = !literal.pieces().equals(translation.pieces());
    this.asSent = comparison(translation);
    this.decoded = isDecoded ? comparison(literal) : asSent;
  }

  private PathPattern(@Nullable Pattern pattern) {
    if (pattern == null) {
      throw new IllegalArgumentException("route path must not be null");
    }
    this.given = pattern;
    this.caseSensitive = (pattern.flags() & Pattern.CASE_INSENSITIVE) == 0;
    this.strict = true;
    this.keys = List.of();
    this.names = List.of();
    this.regexp = new Regexp(pattern.pattern(), caseSensitive ? "" : "i");
    this.isDecoded = false;
    this.asSent = new Comparison(new Expression(pattern), PathShape.ANYTHING);
    this.decoded = asSent;
  }

  /**
   * Creates the pattern of a path that ignores letter case and a trailing slash.
   *
   * @param path the path
   * @return the pattern
   * @throws IllegalArgumentException if the path is not a valid regular expression
   */
  public static PathPattern of(String path) {
    return new PathPattern(path, false, false);
  }

  /**
   * Creates the pattern of a path.
   *
   * @param path the path
   * @param caseSensitive whether letter case matters
   * @param strict whether a trailing slash matters
   * @return the pattern
   * @throws IllegalArgumentException if the path is not a valid regular expression
   */
  public static PathPattern of(String path, boolean caseSensitive, boolean strict) {
    return new PathPattern(path, caseSensitive, strict);
  }

  /**
   * Creates the pattern of a regular expression, which is searched for in the path as sent. Its
   * captures are numbered from 0.
   *
   * @param expression the expression
   * @return the pattern
   */
  public static PathPattern of(Pattern expression) {
    return new PathPattern(expression);
  }

  /**
   * Returns the path or expression that the pattern was created from.
   *
   * @return a {@link String} or a {@link Pattern}
   */
  public Object given() {
    return given;
  }

  /**
   * Returns the named parameters.
   *
   * @return the parameters, from left to right
   */
  public List<Parameter> keys() {
    return keys;
  }

  /**
   * Returns the regular expression of the pattern.
   *
   * @return the text and flags of the expression
   */
  public Regexp regexp() {
    return regexp;
  }

  /** Returns the path or expression as text. */
  @Override
  public String toString() {
    return given.toString();
  }

  /** Returns the pattern of the same path with other settings. */
  PathPattern under(boolean caseMatters, boolean slashMatters) {
    if (given instanceof String path && (caseMatters != caseSensitive || slashMatters != strict)) {
      return new PathPattern(path, caseMatters, slashMatters);
    }
    return this;
  }

  boolean isCaseSensitive() {
    return caseSensitive;
  }

  boolean isStrict() {
    return strict;
  }

  /**
   * Returns approximate shapes of the paths that match, decoded or as sent, ignoring letter case
   * and a trailing slash.
   */
  Set<PathShape> shapes() {
    return asSent.shape.equals(decoded.shape)
        ? Set.of(decoded.shape)
        : Set.of(asSent.shape, decoded.shape);
  }

  /** Returns true if the pattern can never match, because request paths start with a slash. */
  boolean matchesNothing() {
    Pattern anchored = anchored();
    if (anchored == null) {
      return false;
    }
    Matcher matcher = anchored.matcher("/");
    return !matcher.lookingAt() && !matcher.hitEnd();
  }

  /** Returns the expression if it can only match at the start of a path, else null. */
  private @Nullable Pattern anchored() {
    if (given instanceof Pattern pattern) {
      boolean starts = pattern.pattern().startsWith("^") && (pattern.flags() & ~KNOWN_FLAGS) == 0;
      return starts && pattern.pattern().indexOf('|') < 0 ? pattern : null;
    }
    String path = given.toString();
    boolean rooted = path.startsWith("/") || path.startsWith(".");
    return rooted || path.indexOf('|') >= 0 ? null : compiled(new PathTranslation(path, strict));
  }

  /** Matches a path as sent. */
  @Nullable Match match(String path) {
    return match(RoutePath.asSent(path));
  }

  /**
   * Matches a path. An expression is searched for in the path as sent, then in the decoded path.
   *
   * @return the match; null if the path does not match
   * @throws dev.percolate.http.HttpError 400 if matching takes too long
   */
  @Nullable Match match(RoutePath path) {
    boolean decodes = path.isDecoded() && (path.isEscaped() || isDecoded);
    int[] bounds = null;
    if (!decodes || decoded.isExpression()) {
      bounds = asSent.matcher.match(path.sent());
    }
    if (bounds == null && decodes) {
      bounds = path.sentBounds(decoded.matcher.match(path.text()));
    }
    return bounds == null ? null : new Match(path.sent(), names, bounds);
  }

  private Comparison comparison(PathTranslation translation) {
    PathProgram program = PathProgram.of(translation, strict);
    if (program == null) {
      return new Comparison(new Expression(compiled(translation)), PathShape.ANYTHING);
    }
    PathMatcher straight = StraightMatcher.of(translation, caseSensitive, strict);
    return new Comparison(
        straight != null ? straight : new ChoiceMatcher(program, caseSensitive),
        PathShape.of(translation));
  }

  private Pattern compiled(PathTranslation translation) {
    int flags = Pattern.DOTALL | (caseSensitive ? 0 : Pattern.CASE_INSENSITIVE);
    try {
      return Pattern.compile(ScriptSyntax.toJava(translation.source()), flags);
    } catch (IllegalArgumentException e) {
      String reason =
          e instanceof PatternSyntaxException syntax ? syntax.getDescription() : e.getMessage();
      throw new IllegalArgumentException("invalid route path \"" + given + "\": " + reason, e);
    }
  }

  /** The captures found in a path. */
  static final class Match {

    private final String path;
    private final List<String> names;
    private final int[] bounds;

    /**
     * Creates a match.
     *
     * @param names the names of the first captures
     * @param bounds start and end of each capture; -1 if a capture took no part
     */
    Match(String path, List<String> names, int[] bounds) {
      this.path = path;
      this.names = names;
      this.bounds = bounds;
    }

    /**
     * Returns the decoded captures: the first ones by name, the others by number.
     *
     * @throws HttpError 400 if a capture cannot be decoded
     */
    Params params() {
      Params params = new Params();
      for (int i = 0; i * 2 < bounds.length; i++) {
        if (i < names.size()) {
          params.set(names.get(i), decoded(i));
        } else if (bounds[i * 2] >= 0) {
          params.set(Integer.toString(i - names.size()), decoded(i));
        }
      }
      return params;
    }

    private @Nullable String decoded(int capture) {
      if (bounds[capture * 2] < 0) {
        return null;
      }
      String raw = path.substring(bounds[capture * 2], bounds[capture * 2 + 1]);
      String decoded = Percent.decode(raw);
      if (decoded == null) {
        throw new HttpError(400, "Failed to decode param '" + raw + "'");
      }
      return decoded;
    }
  }
}
