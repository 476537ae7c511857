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
 * <p>The methods are those of {@link Verbs} without the path. They throw an {@link
 * IllegalArgumentException} if a middleware or handler is null.
 */
@SuppressWarnings("doclint:missing") // six forms of each verb, described by Verbs
public final class RouteVerbs {

  private final Verbs<?> verbs;
  private final PathPattern path;

  RouteVerbs(Verbs<?> verbs, PathPattern path) {
    this.verbs = verbs;
    this.path = path;
  }

  /** Defines a route for GET and HEAD. */
  public RouteVerbs get(Middleware... steps) {
    return on("get", Arrays.asList(steps));
  }

  public RouteVerbs get(Middleware step) {
    return on("get", Arrays.asList(step));
  }

  public RouteVerbs get(Handler last) {
    return on("get", Arrays.asList(last));
  }

  public RouteVerbs get(Middleware a, Handler last) {
    return on("get", Arrays.asList(a, last));
  }

  public RouteVerbs get(Middleware a, Middleware b, Handler last) {
    return on("get", Arrays.asList(a, b, last));
  }

  public RouteVerbs get(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("get", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for POST. */
  public RouteVerbs post(Middleware... steps) {
    return on("post", Arrays.asList(steps));
  }

  public RouteVerbs post(Middleware step) {
    return on("post", Arrays.asList(step));
  }

  public RouteVerbs post(Handler last) {
    return on("post", Arrays.asList(last));
  }

  public RouteVerbs post(Middleware a, Handler last) {
    return on("post", Arrays.asList(a, last));
  }

  public RouteVerbs post(Middleware a, Middleware b, Handler last) {
    return on("post", Arrays.asList(a, b, last));
  }

  public RouteVerbs post(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("post", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for PUT. */
  public RouteVerbs put(Middleware... steps) {
    return on("put", Arrays.asList(steps));
  }

  public RouteVerbs put(Middleware step) {
    return on("put", Arrays.asList(step));
  }

  public RouteVerbs put(Handler last) {
    return on("put", Arrays.asList(last));
  }

  public RouteVerbs put(Middleware a, Handler last) {
    return on("put", Arrays.asList(a, last));
  }

  public RouteVerbs put(Middleware a, Middleware b, Handler last) {
    return on("put", Arrays.asList(a, b, last));
  }

  public RouteVerbs put(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("put", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for PATCH. */
  public RouteVerbs patch(Middleware... steps) {
    return on("patch", Arrays.asList(steps));
  }

  public RouteVerbs patch(Middleware step) {
    return on("patch", Arrays.asList(step));
  }

  public RouteVerbs patch(Handler last) {
    return on("patch", Arrays.asList(last));
  }

  public RouteVerbs patch(Middleware a, Handler last) {
    return on("patch", Arrays.asList(a, last));
  }

  public RouteVerbs patch(Middleware a, Middleware b, Handler last) {
    return on("patch", Arrays.asList(a, b, last));
  }

  public RouteVerbs patch(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("patch", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for DELETE. */
  public RouteVerbs delete(Middleware... steps) {
    return on("delete", Arrays.asList(steps));
  }

  public RouteVerbs delete(Middleware step) {
    return on("delete", Arrays.asList(step));
  }

  public RouteVerbs delete(Handler last) {
    return on("delete", Arrays.asList(last));
  }

  public RouteVerbs delete(Middleware a, Handler last) {
    return on("delete", Arrays.asList(a, last));
  }

  public RouteVerbs delete(Middleware a, Middleware b, Handler last) {
    return on("delete", Arrays.asList(a, b, last));
  }

  public RouteVerbs delete(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("delete", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for HEAD. */
  public RouteVerbs head(Middleware... steps) {
    return on("head", Arrays.asList(steps));
  }

  public RouteVerbs head(Middleware step) {
    return on("head", Arrays.asList(step));
  }

  public RouteVerbs head(Handler last) {
    return on("head", Arrays.asList(last));
  }

  public RouteVerbs head(Middleware a, Handler last) {
    return on("head", Arrays.asList(a, last));
  }

  public RouteVerbs head(Middleware a, Middleware b, Handler last) {
    return on("head", Arrays.asList(a, b, last));
  }

  public RouteVerbs head(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("head", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for OPTIONS. */
  public RouteVerbs options(Middleware... steps) {
    return on("options", Arrays.asList(steps));
  }

  public RouteVerbs options(Middleware step) {
    return on("options", Arrays.asList(step));
  }

  public RouteVerbs options(Handler last) {
    return on("options", Arrays.asList(last));
  }

  public RouteVerbs options(Middleware a, Handler last) {
    return on("options", Arrays.asList(a, last));
  }

  public RouteVerbs options(Middleware a, Middleware b, Handler last) {
    return on("options", Arrays.asList(a, b, last));
  }

  public RouteVerbs options(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("options", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for all methods, including unknown ones. */
  public RouteVerbs all(Middleware... steps) {
    return on("all", Arrays.asList(steps));
  }

  public RouteVerbs all(Middleware step) {
    return on("all", Arrays.asList(step));
  }

  public RouteVerbs all(Handler last) {
    return on("all", Arrays.asList(last));
  }

  public RouteVerbs all(Middleware a, Handler last) {
    return on("all", Arrays.asList(a, last));
  }

  public RouteVerbs all(Middleware a, Middleware b, Handler last) {
    return on("all", Arrays.asList(a, b, last));
  }

  public RouteVerbs all(Middleware a, Middleware b, Middleware c, Handler last) {
    return on("all", Arrays.asList(a, b, c, last));
  }

  /** Defines a route for an HTTP method by name. */
  public RouteVerbs verb(String name, Middleware... steps) {
    return on(name, Arrays.asList(steps));
  }

  public RouteVerbs verb(String name, Middleware step) {
    return on(name, Arrays.asList(step));
  }

  public RouteVerbs verb(String name, Handler last) {
    return on(name, Arrays.asList(last));
  }

  public RouteVerbs verb(String name, Middleware a, Handler last) {
    return on(name, Arrays.asList(a, last));
  }

  public RouteVerbs verb(String name, Middleware a, Middleware b, Handler last) {
    return on(name, Arrays.asList(a, b, last));
  }

  public RouteVerbs verb(String name, Middleware a, Middleware b, Middleware c, Handler last) {
    return on(name, Arrays.asList(a, b, c, last));
  }

  private RouteVerbs on(String verb, List<Middleware> steps) {
    Object unused = verbs.on(verb, path, steps);
    return this;
  }

  /** Returns the path as text. */
  @Override
  public String toString() {
    return path.toString();
  }
}
