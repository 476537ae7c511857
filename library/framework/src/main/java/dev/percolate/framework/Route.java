package dev.percolate.framework;

import dev.percolate.core.Middleware;
import java.util.List;

/** Shows one route of an application, as it was defined for one verb. */
public final class Route {

  private final String method;
  private final PathPattern pattern;
  private final List<Middleware> callbacks;
  private final String origin;
  private final String template;

  Route(String method, PathPattern pattern, List<Middleware> callbacks, String origin) {
    this.method = method;
    this.pattern = pattern;
    this.callbacks = callbacks;
    this.origin = origin;
    this.template = pattern.given().toString();
  }

  /**
   * Returns the path as it was given.
   *
   * @return a {@link String} or a {@link java.util.regex.Pattern}
   */
  public Object path() {
    return pattern.given();
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
   * Returns the steps, those of chains one by one.
   *
   * @return the steps in order
   */
  public List<Middleware> callbacks() {
    return callbacks;
  }

  /**
   * Returns the parameters that have a name.
   *
   * @return their names, from the left
   */
  public List<PathPattern.Parameter> keys() {
    return pattern.keys();
  }

  /**
   * Returns the regular expression that the path stands for.
   *
   * @return its text and flags
   */
  public PathPattern.Regexp regexp() {
    return pattern.regexp();
  }

  /** Returns the path as text. */
  String template() {
    return template;
  }

  /** Returns where it was defined. */
  String origin() {
    return origin;
  }

  /** Returns what it is and where it was defined: {@code get /users/:id at Users.java:31}. */
  @Override
  public String toString() {
    return method + " " + pattern + " at " + origin;
  }
}
