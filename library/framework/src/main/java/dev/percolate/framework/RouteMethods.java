package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Defines routes. Each route handles one HTTP method and the paths that match one pattern.
 *
 * <p>The middleware and handlers of a route run in order. Each one calls {@code next.run()} to
 * continue, calls {@code next.route()} to skip the rest of the route, or sends a response. Up to
 * three middleware may come before the handler; combine more with {@code Chain.of(a, b, c, d)}.
 *
 * <pre>{@code
 * app.get("/users/:id", (req, res) -> res.json(users.find(req.params().get("id"))));
 * app.post("/login", form, csrf, (req, res) -> res.redirect("/"));
 * app.get(Pattern.compile("^/commits/(\\w+)"), (req, res) -> res.send(req.params().get(0)));
 * app.method("propfind", "/dav/*", Dav::list);
 * }</pre>
 *
 * <p>Routes for GET also handle HEAD requests. {@link PathPattern} describes the syntax of paths. A
 * regular expression is searched for in the path. A route without middleware and handlers passes
 * requests on, but is included in {@code Allow}.
 *
 * <p>Each method throws an {@link IllegalArgumentException} if the path is empty, can never match,
 * repeats a parameter name or writes a parameter as {@code {id}}, or if the verb is unknown.
 *
 * @param <T> the return type of the methods, for chained calls
 */
@SuppressWarnings("doclint:missing") // seven forms of each verb, described above
public interface RouteMethods<T> {

  /**
   * Defines a route. All other methods call this one.
   *
   * @param verb an HTTP method, or one of its registered extensions, in any letter case; {@code
   *     all} for all methods
   * @param path the pattern of the paths
   * @param steps the middleware and handlers, in order
   * @return this
   */
  T define(String verb, PathPattern path, List<Middleware> steps);

  /** Defines a route for GET and HEAD. */
  default T get(String path, Middleware... steps) {
    return define("get", PathPattern.of(path), Arrays.asList(steps));
  }

  default T get(String path, Handler last) {
    return define("get", PathPattern.of(path), Arrays.asList(last));
  }

  default T get(String path, Middleware a, Handler last) {
    return define("get", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T get(String path, Middleware a, Middleware b, Handler last) {
    return define("get", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T get(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("get", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T get(Pattern path, Middleware... steps) {
    return define("get", PathPattern.of(path), Arrays.asList(steps));
  }

  default T get(Pattern path, Handler last) {
    return define("get", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for POST. */
  default T post(String path, Middleware... steps) {
    return define("post", PathPattern.of(path), Arrays.asList(steps));
  }

  default T post(String path, Handler last) {
    return define("post", PathPattern.of(path), Arrays.asList(last));
  }

  default T post(String path, Middleware a, Handler last) {
    return define("post", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T post(String path, Middleware a, Middleware b, Handler last) {
    return define("post", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T post(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("post", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T post(Pattern path, Middleware... steps) {
    return define("post", PathPattern.of(path), Arrays.asList(steps));
  }

  default T post(Pattern path, Handler last) {
    return define("post", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for PUT. */
  default T put(String path, Middleware... steps) {
    return define("put", PathPattern.of(path), Arrays.asList(steps));
  }

  default T put(String path, Handler last) {
    return define("put", PathPattern.of(path), Arrays.asList(last));
  }

  default T put(String path, Middleware a, Handler last) {
    return define("put", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T put(String path, Middleware a, Middleware b, Handler last) {
    return define("put", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T put(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("put", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T put(Pattern path, Middleware... steps) {
    return define("put", PathPattern.of(path), Arrays.asList(steps));
  }

  default T put(Pattern path, Handler last) {
    return define("put", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for PATCH. */
  default T patch(String path, Middleware... steps) {
    return define("patch", PathPattern.of(path), Arrays.asList(steps));
  }

  default T patch(String path, Handler last) {
    return define("patch", PathPattern.of(path), Arrays.asList(last));
  }

  default T patch(String path, Middleware a, Handler last) {
    return define("patch", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T patch(String path, Middleware a, Middleware b, Handler last) {
    return define("patch", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T patch(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("patch", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T patch(Pattern path, Middleware... steps) {
    return define("patch", PathPattern.of(path), Arrays.asList(steps));
  }

  default T patch(Pattern path, Handler last) {
    return define("patch", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for DELETE. */
  default T delete(String path, Middleware... steps) {
    return define("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T delete(String path, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(last));
  }

  default T delete(String path, Middleware a, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T delete(String path, Middleware a, Middleware b, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T delete(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T delete(Pattern path, Middleware... steps) {
    return define("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T delete(Pattern path, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for HEAD. */
  default T head(String path, Middleware... steps) {
    return define("head", PathPattern.of(path), Arrays.asList(steps));
  }

  default T head(String path, Handler last) {
    return define("head", PathPattern.of(path), Arrays.asList(last));
  }

  default T head(String path, Middleware a, Handler last) {
    return define("head", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T head(String path, Middleware a, Middleware b, Handler last) {
    return define("head", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T head(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("head", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T head(Pattern path, Middleware... steps) {
    return define("head", PathPattern.of(path), Arrays.asList(steps));
  }

  default T head(Pattern path, Handler last) {
    return define("head", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for OPTIONS. */
  default T options(String path, Middleware... steps) {
    return define("options", PathPattern.of(path), Arrays.asList(steps));
  }

  default T options(String path, Handler last) {
    return define("options", PathPattern.of(path), Arrays.asList(last));
  }

  default T options(String path, Middleware a, Handler last) {
    return define("options", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T options(String path, Middleware a, Middleware b, Handler last) {
    return define("options", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T options(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("options", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T options(Pattern path, Middleware... steps) {
    return define("options", PathPattern.of(path), Arrays.asList(steps));
  }

  default T options(Pattern path, Handler last) {
    return define("options", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for all methods, including unknown ones. */
  default T all(String path, Middleware... steps) {
    return define("all", PathPattern.of(path), Arrays.asList(steps));
  }

  default T all(String path, Handler last) {
    return define("all", PathPattern.of(path), Arrays.asList(last));
  }

  default T all(String path, Middleware a, Handler last) {
    return define("all", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T all(String path, Middleware a, Middleware b, Handler last) {
    return define("all", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T all(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("all", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T all(Pattern path, Middleware... steps) {
    return define("all", PathPattern.of(path), Arrays.asList(steps));
  }

  default T all(Pattern path, Handler last) {
    return define("all", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for DELETE; short for {@code delete}. */
  default T del(String path, Middleware... steps) {
    return define("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T del(String path, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(last));
  }

  default T del(String path, Middleware a, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T del(String path, Middleware a, Middleware b, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T del(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T del(Pattern path, Middleware... steps) {
    return define("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T del(Pattern path, Handler last) {
    return define("delete", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for an HTTP method, or one of its registered extensions, by name. */
  default T method(String name, String path, Middleware... steps) {
    return define(name, PathPattern.of(path), Arrays.asList(steps));
  }

  default T method(String name, String path, Handler last) {
    return define(name, PathPattern.of(path), Arrays.asList(last));
  }

  default T method(String name, String path, Middleware a, Handler last) {
    return define(name, PathPattern.of(path), Arrays.asList(a, last));
  }

  default T method(String name, String path, Middleware a, Middleware b, Handler last) {
    return define(name, PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T method(
      String name, String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return define(name, PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T method(String name, Pattern path, Middleware... steps) {
    return define(name, PathPattern.of(path), Arrays.asList(steps));
  }

  default T method(String name, Pattern path, Handler last) {
    return define(name, PathPattern.of(path), Arrays.asList(last));
  }
}
