package dev.percolate.framework;

import dev.percolate.core.Middleware;
import java.util.List;

/** A route of an application, for one verb. */
public final class Route {

  private final String method;
  private final PathPattern pattern;
  private final List<Middleware> callbacks;
  private final String origin;

  Route(String method, PathPattern pattern, List<Middleware> callbacks, String origin) {
    this.method = method;
    this.pattern = pattern;
    this.callbacks = callbacks;
    this.origin = origin;
  }

  /**
   * Returns the path as it was defined.
   *
   * @return a {@link String} or a {@link java.util.regex.Pattern}
   */
  public Object path() {
    return pattern.original();
  }

  /**
   * Returns the verb.
   *
   * @return the verb in lower case, such as {@code get}
   */
  public String method() {
    return method;
  }

  /**
   * Returns the middleware and handlers, including those inside chains.
   *
   * @return the middleware and handlers, in order
   */
  public List<Middleware> callbacks() {
    return callbacks;
  }

  /**
   * Returns the named parameters of the path.
   *
   * @return the parameters, from left to right
   */
  public List<PathPattern.Parameter> keys() {
    return pattern.keys();
  }

  /**
   * Returns the regular expression of the path.
   *
   * @return the text and flags of the expression
   */
  public PathPattern.Regexp regexp() {
    return pattern.regexp();
  }

  /** Returns the source line of the definition. */
  String origin() {
    return origin;
  }

  /** Returns the route and its source line: {@code get /users/:id at Users.java:31}. */
  @Override
  public String toString() {
    return method + " " + pattern + " at " + origin;
  }
}
