package dev.percolate.framework;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import java.util.Arrays;
import java.util.List;

/**
 * Defines several routes with the same path; see {@link App#route}.
 *
 * <pre>{@code
 * app.route("/books")
 *     .get((req, res) -> res.json(books.all()))
 *     .post(json, (req, res) -> res.status(201).json(books.add(req.body(Book.class))));
 * }</pre>
 *
 * <p>The methods are those of {@link RouteMethods} without the path. They throw an {@link
 * IllegalArgumentException} if a middleware or handler is null.
 */
@SuppressWarnings("doclint:missing") // five forms of each verb, described by Verbs
public final class RouteBuilder {

  private final RouteMethods<?> verbs;
  private final PathPattern path;

  RouteBuilder(RouteMethods<?> verbs, PathPattern path) {
    this.verbs = verbs;
    this.path = path;
  }

  /** Defines a route for GET and HEAD. */
  public RouteBuilder get(Middleware... steps) {
    return on("get", Arrays.asList(steps));
  }

  public RouteBuilder get(Handler last) {
    return on("get", Arrays.asList(last));
  }

  public RouteBuilder get(Middleware a, Handler last) {
    return on("get", Arrays.asList(a, last));
  }

  public RouteBuilder get(Middleware a, Middleware b, Handler last) {
    return on("get", Arrays.asList(a, b, last));
  }

  public RouteBuilder get(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("get", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for POST. */
  public RouteBuilder post(Middleware... steps) {
    return on("post", Arrays.asList(steps));
  }

  public RouteBuilder post(Handler last) {
    return on("post", Arrays.asList(last));
  }

  public RouteBuilder post(Middleware a, Handler last) {
    return on("post", Arrays.asList(a, last));
  }

  public RouteBuilder post(Middleware a, Middleware b, Handler last) {
    return on("post", Arrays.asList(a, b, last));
  }

  public RouteBuilder post(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("post", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for PUT. */
  public RouteBuilder put(Middleware... steps) {
    return on("put", Arrays.asList(steps));
  }

  public RouteBuilder put(Handler last) {
    return on("put", Arrays.asList(last));
  }

  public RouteBuilder put(Middleware a, Handler last) {
    return on("put", Arrays.asList(a, last));
  }

  public RouteBuilder put(Middleware a, Middleware b, Handler last) {
    return on("put", Arrays.asList(a, b, last));
  }

  public RouteBuilder put(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("put", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for PATCH. */
  public RouteBuilder patch(Middleware... steps) {
    return on("patch", Arrays.asList(steps));
  }

  public RouteBuilder patch(Handler last) {
    return on("patch", Arrays.asList(last));
  }

  public RouteBuilder patch(Middleware a, Handler last) {
    return on("patch", Arrays.asList(a, last));
  }

  public RouteBuilder patch(Middleware a, Middleware b, Handler last) {
    return on("patch", Arrays.asList(a, b, last));
  }

  public RouteBuilder patch(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("patch", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for DELETE. */
  public RouteBuilder delete(Middleware... steps) {
    return on("delete", Arrays.asList(steps));
  }

  public RouteBuilder delete(Handler last) {
    return on("delete", Arrays.asList(last));
  }

  public RouteBuilder delete(Middleware a, Handler last) {
    return on("delete", Arrays.asList(a, last));
  }

  public RouteBuilder delete(Middleware a, Middleware b, Handler last) {
    return on("delete", Arrays.asList(a, b, last));
  }

  public RouteBuilder delete(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("delete", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for HEAD. */
  public RouteBuilder head(Middleware... steps) {
    return on("head", Arrays.asList(steps));
  }

  public RouteBuilder head(Handler last) {
    return on("head", Arrays.asList(last));
  }

  public RouteBuilder head(Middleware a, Handler last) {
    return on("head", Arrays.asList(a, last));
  }

  public RouteBuilder head(Middleware a, Middleware b, Handler last) {
    return on("head", Arrays.asList(a, b, last));
  }

  public RouteBuilder head(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("head", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for OPTIONS. */
  public RouteBuilder options(Middleware... steps) {
    return on("options", Arrays.asList(steps));
  }

  public RouteBuilder options(Handler last) {
    return on("options", Arrays.asList(last));
  }

  public RouteBuilder options(Middleware a, Handler last) {
    return on("options", Arrays.asList(a, last));
  }

  public RouteBuilder options(Middleware a, Middleware b, Handler last) {
    return on("options", Arrays.asList(a, b, last));
  }

  public RouteBuilder options(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("options", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for all methods, including unknown ones. */
  public RouteBuilder all(Middleware... steps) {
    return on("all", Arrays.asList(steps));
  }

  public RouteBuilder all(Handler last) {
    return on("all", Arrays.asList(last));
  }

  public RouteBuilder all(Middleware a, Handler last) {
    return on("all", Arrays.asList(a, last));
  }

  public RouteBuilder all(Middleware a, Middleware b, Handler last) {
    return on("all", Arrays.asList(a, b, last));
  }

  public RouteBuilder all(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("all", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for an HTTP method by name. */
  public RouteBuilder method(String name, Middleware... steps) {
    return on(name, Arrays.asList(steps));
  }

  public RouteBuilder method(String name, Handler last) {
    return on(name, Arrays.asList(last));
  }

  public RouteBuilder method(String name, Middleware a, Handler last) {
    return on(name, Arrays.asList(a, last));
  }

  public RouteBuilder method(String name, Middleware a, Middleware b, Handler last) {
    return on(name, Arrays.asList(a, b, last));
  }

  public RouteBuilder method(String name, Middleware a, Middleware b, Middleware c, Handler last) {
    return on(name, Arrays.asList(a, b, c, last));
  }

  private RouteBuilder on(String verb, List<Middleware> steps) {
    Object unused = verbs.define(verb, path, steps);
    return this;
  }

  /** Returns the path as text. */
  @Override
  public String toString() {
    return path.toString();
  }
}
