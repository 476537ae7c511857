package dev.percolate.core;

/**
 * Middleware that describes itself, so that its position in the chain can be checked.
 *
 * <p>Applications do not know middleware classes. In development, they read the traits once when a
 * server starts. The traits do not change how requests are handled.
 */
public interface TraitsProvider {

  /** Returns the kind of the middleware and its requirements on the order of the chain. */
  MiddlewareTraits traits();
}
