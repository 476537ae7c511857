package dev.percolate.framework;

import dev.percolate.framework.path.CompiledPath;
import java.util.List;
import java.util.regex.Pattern;

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

  private final CompiledPath compiled;
  private final List<Parameter> keys;
  private final Regexp regexp;

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

  private PathPattern(CompiledPath compiled) {
    this.compiled = compiled;
    this.keys = compiled.parameters(Parameter::new);
    this.regexp = new Regexp(compiled.source(), compiled.isCaseSensitive() ? "" : "i");
  }

  /**
   * Creates the pattern of a path that ignores letter case and a trailing slash.
   *
   * @param path the path
   * @return the pattern
   * @throws IllegalArgumentException if the path is not a valid regular expression
   */
  public static PathPattern of(String path) {
    return of(path, false, false);
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
    return new PathPattern(new CompiledPath(path, caseSensitive, strict));
  }

  /**
   * Creates the pattern of a regular expression, which is searched for in the path as sent. Its
   * captures are numbered from 0.
   *
   * @param expression the expression
   * @return the pattern
   */
  public static PathPattern of(Pattern expression) {
    return new PathPattern(new CompiledPath(expression));
  }

  /**
   * Returns the path or expression that the pattern was created from.
   *
   * @return a {@link String} or a {@link Pattern}
   */
  public Object original() {
    return compiled.original();
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
    return compiled.toString();
  }

  /** Returns the pattern of the same path with other settings. */
  PathPattern under(boolean caseMatters, boolean slashMatters) {
    CompiledPath changed = compiled.under(caseMatters, slashMatters);
    return changed == compiled ? this : new PathPattern(changed);
  }

  CompiledPath compiled() {
    return compiled;
  }
}
