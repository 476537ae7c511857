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
 * Tells which paths a route answers, and what their parameters are; compiled once.
 *
 * <pre>
 *   path                 answers                    parameters
 *   /about               /about, /about/, /ABOUT
 *   /users/:id           /users/7                   id=7
 *   /shop/:item?         /shop, /shop/3             item=3
 *   /:file.:ext          /a.tar.gz                  file=a.tar, ext=gz
 *   /files/*             /files/a/b.txt             0=a/b.txt
 *   /item/:id(\d+)       /item/12                   id=12
 * </pre>
 *
 * <p>The operators of regular expressions keep their meaning in a path; a dot always stands for
 * itself, a star for any text. Outside of parentheses {@code $} and {@code ^} stand for themselves,
 * too. Letter case (of ASCII letters) and a trailing slash do not matter, unless the application
 * says otherwise by its settings {@code case sensitive routing} and {@code strict routing}.
 *
 * <p>Text may be written plain or percent-encoded, and matches requests in either spelling: {@code
 * /café}, {@code /caf%C3%A9}. Write {@code %2F}, {@code %3A}, {@code %3F} and the like for a slash
 * within a segment, a colon, or an operator that stands for itself. An expression is compared with
 * the path as sent, then with the decoded path. If the setting {@code ambiguous targets} is {@code
 * pass}, all paths are compared as sent.
 *
 * <p>A path matches in linear time if it needs no operators; otherwise a budget of steps ends a
 * search that takes too long with status 400.
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

  /** Compares decoded paths; the same if the pattern has nothing to decode. */
  private final Comparison decoded;

  private final boolean isDecoded;

  /** A matcher, and roughly which paths it matches. */
  private record Comparison(PathMatcher matcher, PathShape shape) {

    boolean isExpression() {
      return matcher instanceof Expression;
    }
  }

  /**
   * Names a parameter of a path.
   *
   * @param name its name
   * @param optional whether the path matches without it, too
   */
  public record Parameter(String name, boolean optional) {}

  /**
   * Shows the regular expression that a path stands for.
   *
   * @param source its text, in the syntax of JavaScript where it was made from a path
   * @param flags {@code i} if letter case does not matter, else empty
   */
  public record Regexp(String source, String flags) {}

  private PathPattern(@Nullable String path, boolean caseSensitive, boolean strict) {
    if (path == null) {
      throw new IllegalArgumentException("null: not the path of a route");
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
      throw new IllegalArgumentException("null: not the path of a route");
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
   * Creates the pattern of a path, letter case and a trailing slash ignored.
   *
   * @param path the path
   * @return the pattern
   * @throws IllegalArgumentException if its operators are none of a regular expression
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
   * @throws IllegalArgumentException if its operators are none of a regular expression
   */
  public static PathPattern of(String path, boolean caseSensitive, boolean strict) {
    return new PathPattern(path, caseSensitive, strict);
  }

  /**
   * Creates a pattern of a regular expression, which is searched for in the path as it stands. Its
   * captures are counted from 0.
   *
   * @param expression the expression
   * @return the pattern
   */
  public static PathPattern of(Pattern expression) {
    return new PathPattern(expression);
  }

  /**
   * Returns what the pattern was made of.
   *
   * @return a {@link String} or a {@link Pattern}
   */
  public Object given() {
    return given;
  }

  /**
   * Returns the parameters that have a name.
   *
   * @return their names, from the left
   */
  public List<Parameter> keys() {
    return keys;
  }

  /**
   * Returns the regular expression that the pattern stands for.
   *
   * @return its text and flags
   */
  public Regexp regexp() {
    return regexp;
  }

  /** Returns what the pattern was made of, as text. */
  @Override
  public String toString() {
    return given.toString();
  }

  /** Returns the pattern of the same path under other settings. */
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
   * Returns roughly which paths match, decoded or as sent, letter case and a trailing slash
   * ignored.
   */
  Set<PathShape> shapes() {
    return asSent.shape.equals(decoded.shape)
        ? Set.of(decoded.shape)
        : Set.of(asSent.shape, decoded.shape);
  }

  /** Returns true if no path of a request can match, since those begin with a slash. */
  boolean matchesNothing() {
    Pattern anchored = anchored();
    if (anchored == null) {
      return false;
    }
    Matcher matcher = anchored.matcher("/");
    return !matcher.lookingAt() && !matcher.hitEnd();
  }

  /** Returns the expression if it can match at the start of a path only, and not in its middle. */
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
   * @return what was found; null if the path does not match
   * @throws dev.percolate.http.HttpError 400 if that takes too long
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
      throw new IllegalArgumentException(
          "\"" + given + "\": not the path of a route: " + reason, e);
    }
  }

  /** What a pattern has found in a path. */
  static final class Match {

    private final String path;
    private final List<String> names;
    private final int[] bounds;

    /**
     * Creates a match.
     *
     * @param names those of the first captures
     * @param bounds begin and end of each capture; -1 where one took no part
     */
    Match(String path, List<String> names, int[] bounds) {
      this.path = path;
      this.names = names;
      this.bounds = bounds;
    }

    /**
     * Returns the captures, decoded: the first ones under their names, the others counted.
     *
     * @throws HttpError 400 if one cannot be decoded
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
