package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Defines routes, each for one verb of HTTP and the paths of one pattern.
 *
 * <p>Steps run in order; each passes on to the next one by {@code next.run()}, leaves the route by
 * {@code next.route()}, or answers. Up to three steps of three arguments may stand before a handler
 * of two; a longer list is one step, as {@code Chain.of(a, b, c, d)}.
 *
 * <pre>{@code
 * app.get("/users/:id", (req, res) -> res.json(users.find(req.params().get("id"))));
 * app.post("/login", form, csrf, (req, res) -> res.redirect("/"));
 * app.get(Pattern.compile("^/commits/(\\w+)"), (req, res) -> res.send(req.params().get(0)));
 * app.verb("propfind", "/dav/*", Dav::list);
 * }</pre>
 *
 * <p>A HEAD request is also answered by the routes for GET. A path is as {@link PathPattern} says;
 * an expression is searched for in the path as it stands. Without any step a route passes on, but
 * counts for {@code Allow}. Each method fails with an {@link IllegalArgumentException} for a path
 * that is empty, can never match, names a parameter twice or writes one as {@code {id}}, naming
 * itself and the path; and for a verb that is none.
 *
 * @param <T> what the methods return, to go on with: the type itself
 */
@SuppressWarnings("doclint:missing") // nine forms of each verb, described above
public interface Verbs<T> {

  /**
   * Defines a route; all other methods come down to this one.
   *
   * @param verb the method of HTTP, or of one of its registered extensions, in any case; {@code
   *     all} for every one of them
   * @param path the paths it answers
   * @param steps its steps, in order
   * @return this
   */
  T on(String verb, PathPattern path, List<Middleware> steps);

  /** Defines a route for GET, and for HEAD. */
  default T get(String path, Middleware... steps) {
    return on("get", PathPattern.of(path), Arrays.asList(steps));
  }

  default T get(String path, Middleware step) {
    return on("get", PathPattern.of(path), Arrays.asList(step));
  }

  default T get(String path, Handler last) {
    return on("get", PathPattern.of(path), Arrays.asList(last));
  }

  default T get(String path, Middleware a, Handler last) {
    return on("get", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T get(String path, Middleware a, Middleware b, Handler last) {
    return on("get", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T get(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("get", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T get(Pattern path, Middleware... steps) {
    return on("get", PathPattern.of(path), Arrays.asList(steps));
  }

  default T get(Pattern path, Middleware step) {
    return on("get", PathPattern.of(path), Arrays.asList(step));
  }

  default T get(Pattern path, Handler last) {
    return on("get", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for POST. */
  default T post(String path, Middleware... steps) {
    return on("post", PathPattern.of(path), Arrays.asList(steps));
  }

  default T post(String path, Middleware step) {
    return on("post", PathPattern.of(path), Arrays.asList(step));
  }

  default T post(String path, Handler last) {
    return on("post", PathPattern.of(path), Arrays.asList(last));
  }

  default T post(String path, Middleware a, Handler last) {
    return on("post", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T post(String path, Middleware a, Middleware b, Handler last) {
    return on("post", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T post(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("post", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T post(Pattern path, Middleware... steps) {
    return on("post", PathPattern.of(path), Arrays.asList(steps));
  }

  default T post(Pattern path, Middleware step) {
    return on("post", PathPattern.of(path), Arrays.asList(step));
  }

  default T post(Pattern path, Handler last) {
    return on("post", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for PUT. */
  default T put(String path, Middleware... steps) {
    return on("put", PathPattern.of(path), Arrays.asList(steps));
  }

  default T put(String path, Middleware step) {
    return on("put", PathPattern.of(path), Arrays.asList(step));
  }

  default T put(String path, Handler last) {
    return on("put", PathPattern.of(path), Arrays.asList(last));
  }

  default T put(String path, Middleware a, Handler last) {
    return on("put", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T put(String path, Middleware a, Middleware b, Handler last) {
    return on("put", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T put(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("put", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T put(Pattern path, Middleware... steps) {
    return on("put", PathPattern.of(path), Arrays.asList(steps));
  }

  default T put(Pattern path, Middleware step) {
    return on("put", PathPattern.of(path), Arrays.asList(step));
  }

  default T put(Pattern path, Handler last) {
    return on("put", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for PATCH. */
  default T patch(String path, Middleware... steps) {
    return on("patch", PathPattern.of(path), Arrays.asList(steps));
  }

  default T patch(String path, Middleware step) {
    return on("patch", PathPattern.of(path), Arrays.asList(step));
  }

  default T patch(String path, Handler last) {
    return on("patch", PathPattern.of(path), Arrays.asList(last));
  }

  default T patch(String path, Middleware a, Handler last) {
    return on("patch", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T patch(String path, Middleware a, Middleware b, Handler last) {
    return on("patch", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T patch(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("patch", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T patch(Pattern path, Middleware... steps) {
    return on("patch", PathPattern.of(path), Arrays.asList(steps));
  }

  default T patch(Pattern path, Middleware step) {
    return on("patch", PathPattern.of(path), Arrays.asList(step));
  }

  default T patch(Pattern path, Handler last) {
    return on("patch", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for DELETE. */
  default T delete(String path, Middleware... steps) {
    return on("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T delete(String path, Middleware step) {
    return on("delete", PathPattern.of(path), Arrays.asList(step));
  }

  default T delete(String path, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(last));
  }

  default T delete(String path, Middleware a, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T delete(String path, Middleware a, Middleware b, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T delete(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T delete(Pattern path, Middleware... steps) {
    return on("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T delete(Pattern path, Middleware step) {
    return on("delete", PathPattern.of(path), Arrays.asList(step));
  }

  default T delete(Pattern path, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for HEAD. */
  default T head(String path, Middleware... steps) {
    return on("head", PathPattern.of(path), Arrays.asList(steps));
  }

  default T head(String path, Middleware step) {
    return on("head", PathPattern.of(path), Arrays.asList(step));
  }

  default T head(String path, Handler last) {
    return on("head", PathPattern.of(path), Arrays.asList(last));
  }

  default T head(String path, Middleware a, Handler last) {
    return on("head", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T head(String path, Middleware a, Middleware b, Handler last) {
    return on("head", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T head(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("head", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T head(Pattern path, Middleware... steps) {
    return on("head", PathPattern.of(path), Arrays.asList(steps));
  }

  default T head(Pattern path, Middleware step) {
    return on("head", PathPattern.of(path), Arrays.asList(step));
  }

  default T head(Pattern path, Handler last) {
    return on("head", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for OPTIONS. */
  default T options(String path, Middleware... steps) {
    return on("options", PathPattern.of(path), Arrays.asList(steps));
  }

  default T options(String path, Middleware step) {
    return on("options", PathPattern.of(path), Arrays.asList(step));
  }

  default T options(String path, Handler last) {
    return on("options", PathPattern.of(path), Arrays.asList(last));
  }

  default T options(String path, Middleware a, Handler last) {
    return on("options", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T options(String path, Middleware a, Middleware b, Handler last) {
    return on("options", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T options(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("options", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T options(Pattern path, Middleware... steps) {
    return on("options", PathPattern.of(path), Arrays.asList(steps));
  }

  default T options(Pattern path, Middleware step) {
    return on("options", PathPattern.of(path), Arrays.asList(step));
  }

  default T options(Pattern path, Handler last) {
    return on("options", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for every method, including methods without a named verb. */
  default T all(String path, Middleware... steps) {
    return on("all", PathPattern.of(path), Arrays.asList(steps));
  }

  default T all(String path, Middleware step) {
    return on("all", PathPattern.of(path), Arrays.asList(step));
  }

  default T all(String path, Handler last) {
    return on("all", PathPattern.of(path), Arrays.asList(last));
  }

  default T all(String path, Middleware a, Handler last) {
    return on("all", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T all(String path, Middleware a, Middleware b, Handler last) {
    return on("all", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T all(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("all", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T all(Pattern path, Middleware... steps) {
    return on("all", PathPattern.of(path), Arrays.asList(steps));
  }

  default T all(Pattern path, Middleware step) {
    return on("all", PathPattern.of(path), Arrays.asList(step));
  }

  default T all(Pattern path, Handler last) {
    return on("all", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for DELETE, by a shorter name. */
  default T del(String path, Middleware... steps) {
    return on("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T del(String path, Middleware step) {
    return on("delete", PathPattern.of(path), Arrays.asList(step));
  }

  default T del(String path, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(last));
  }

  default T del(String path, Middleware a, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, last));
  }

  default T del(String path, Middleware a, Middleware b, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T del(String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T del(Pattern path, Middleware... steps) {
    return on("delete", PathPattern.of(path), Arrays.asList(steps));
  }

  default T del(Pattern path, Middleware step) {
    return on("delete", PathPattern.of(path), Arrays.asList(step));
  }

  default T del(Pattern path, Handler last) {
    return on("delete", PathPattern.of(path), Arrays.asList(last));
  }

  /** Defines a route for a verb by its name, one of HTTP or of its registered extensions. */
  default T verb(String name, String path, Middleware... steps) {
    return on(name, PathPattern.of(path), Arrays.asList(steps));
  }

  default T verb(String name, String path, Middleware step) {
    return on(name, PathPattern.of(path), Arrays.asList(step));
  }

  default T verb(String name, String path, Handler last) {
    return on(name, PathPattern.of(path), Arrays.asList(last));
  }

  default T verb(String name, String path, Middleware a, Handler last) {
    return on(name, PathPattern.of(path), Arrays.asList(a, last));
  }

  default T verb(String name, String path, Middleware a, Middleware b, Handler last) {
    return on(name, PathPattern.of(path), Arrays.asList(a, b, last));
  }

  default T verb(String name, String path, Middleware a, Middleware b, Middleware c, Handler last) {
    return on(name, PathPattern.of(path), Arrays.asList(a, b, c, last));
  }

  default T verb(String name, Pattern path, Middleware... steps) {
    return on(name, PathPattern.of(path), Arrays.asList(steps));
  }

  default T verb(String name, Pattern path, Middleware step) {
    return on(name, PathPattern.of(path), Arrays.asList(step));
  }

  default T verb(String name, Pattern path, Handler last) {
    return on(name, PathPattern.of(path), Arrays.asList(last));
  }
}
