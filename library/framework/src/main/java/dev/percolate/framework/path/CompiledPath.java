package dev.percolate.framework.path;

import dev.percolate.core.Params;
import dev.percolate.http.HttpError;
import dev.percolate.http.Percent;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The path or regular expression of a route, compiled. Users see it as a {@code PathPattern}. */
public final class CompiledPath {

  private static final int KNOWN_FLAGS =
      Pattern.CASE_INSENSITIVE | Pattern.DOTALL | Pattern.UNICODE_CASE;

  private final Object original;
  private final boolean caseSensitive;
  private final boolean strict;
  private final List<PathTranslation.Parameter> parameters;
  private final List<String> names;
  private final String source;

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
   * Compiles a path.
   *
   * @param caseSensitive whether letter case matters
   * @param strict whether a trailing slash matters
   * @throws IllegalArgumentException if the path is not a valid regular expression
   */
  public CompiledPath(@Nullable String path, boolean caseSensitive, boolean strict) {
    if (path == null) {
      throw new IllegalArgumentException("route path must not be null");
    }
    PathTranslation translation = new PathTranslation(path, strict);
    this.original = path;
    this.caseSensitive = caseSensitive;
    this.strict = strict;
    this.parameters = translation.parameters();
    this.names = parameters.stream().map(PathTranslation.Parameter::name).toList();
    this.source = translation.source();
    PathTranslation literal = LiteralText.in(translation);
    this.isDecoded = !literal.pieces().equals(translation.pieces());
    this.asSent = comparison(translation);
    this.decoded = isDecoded ? comparison(literal) : asSent;
  }

  /** Compiles a regular expression, which is searched for in the path as sent. */
  public CompiledPath(@Nullable Pattern pattern) {
    if (pattern == null) {
      throw new IllegalArgumentException("route path must not be null");
    }
    this.original = pattern;
    this.caseSensitive = (pattern.flags() & Pattern.CASE_INSENSITIVE) == 0;
    this.strict = true;
    this.parameters = List.of();
    this.names = List.of();
    this.source = pattern.pattern();
    this.isDecoded = false;
    this.asSent = new Comparison(new Expression(pattern), PathShape.ANYTHING);
    this.decoded = asSent;
  }

  /** Returns the path, a {@link String}, or the expression, a {@link Pattern}. */
  public Object original() {
    return original;
  }

  /** Returns the names of the parameters, from left to right. */
  public List<String> names() {
    return names;
  }

  /**
   * Returns a value for each parameter, from left to right.
   *
   * @param make creates the value from the name, and from whether the path matches without it
   */
  public <P> List<P> parameters(BiFunction<String, Boolean, P> make) {
    return parameters.stream().map(found -> make.apply(found.name(), found.optional())).toList();
  }

  /** Returns the text of the regular expression, in JavaScript syntax if it comes from a path. */
  public String source() {
    return source;
  }

  public boolean isCaseSensitive() {
    return caseSensitive;
  }

  boolean isStrict() {
    return strict;
  }

  /** Returns the path or expression as text. */
  @Override
  public String toString() {
    return original.toString();
  }

  /** Returns the same path with other settings. */
  public CompiledPath under(boolean caseMatters, boolean slashMatters) {
    if (original instanceof String path
        && (caseMatters != caseSensitive || slashMatters != strict)) {
      return new CompiledPath(path, caseMatters, slashMatters);
    }
    return this;
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

  /** Returns true if no path matches, because request paths start with a slash. */
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
    if (original instanceof Pattern pattern) {
      boolean starts = pattern.pattern().startsWith("^") && (pattern.flags() & ~KNOWN_FLAGS) == 0;
      return starts && pattern.pattern().indexOf('|') < 0 ? pattern : null;
    }
    String path = original.toString();
    boolean rooted = path.startsWith("/") || path.startsWith(".");
    return rooted || path.indexOf('|') >= 0 ? null : compiled(new PathTranslation(path, strict));
  }

  /**
   * Matches a path. An expression is searched for in the path as sent, then in the decoded path.
   *
   * @return the match; null if the path does not match
   * @throws HttpError 400 if matching takes too long
   */
  public @Nullable Match match(RoutePath path) {
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
      throw new IllegalArgumentException("invalid route path \"" + original + "\": " + reason, e);
    }
  }

  /** The captures found in a path. */
  public static final class Match {

    private final String path;
    private final List<String> names;
    private final int[] bounds;

    /**
     * Creates a match.
     *
     * @param names the names of the first captures
     * @param bounds start and end of each capture; -1 if a capture took no part
     */
    private Match(String path, List<String> names, int[] bounds) {
      this.path = path;
      this.names = names;
      this.bounds = bounds;
    }

    /**
     * Returns the decoded captures: the first ones by name, the others by number.
     *
     * @throws HttpError 400 if a capture cannot be decoded
     */
    public Params params() {
      Params params = new Params(names);
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
