package dev.percolate.core;

import dev.percolate.http.CheckReturnValue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kind of middleware and its requirements on the order of the chain; see {@link
 * TraitsProvider}. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * MiddlewareTraits.of("logger").beforeRoutes();
 * MiddlewareTraits.of("csrf").requires(Sessions.SESSION);
 * }</pre>
 *
 * @param kind the kind, in lower case with hyphens; part of the names of warnings, such as {@code
 *     logger-below-routes}
 * @param onlyOne an object that is equal for two instances if the second is redundant on the same
 *     path; null if any number is allowed
 * @param isBeforeRoutes whether it should be added before all routes that it affects
 * @param isAuthentication whether it identifies the client
 * @param provided the names of the attributes that it sets
 * @param required the names of the attributes that earlier middleware must set
 * @param warning what is doubtful about its options; null if nothing is
 */
@CheckReturnValue
public record MiddlewareTraits(
    String kind,
    @Nullable Object onlyOne,
    boolean isBeforeRoutes,
    boolean isAuthentication,
    Set<String> provided,
    Set<String> required,
    @Nullable String warning) {

  /**
   * Creates the traits of a kind without requirements.
   *
   * @param kind the kind
   */
  public static MiddlewareTraits of(String kind) {
    return new MiddlewareTraits(kind, null, false, false, Set.of(), Set.of(), null);
  }

  /** Returns a copy that allows only one middleware of this kind on a path. */
  public MiddlewareTraits once() {
    return once("");
  }

  /**
   * Returns a copy that allows only one middleware of this kind and purpose on a path.
   *
   * @param deed the purpose, compared with {@code equals}
   */
  public MiddlewareTraits once(Object deed) {
    return new MiddlewareTraits(
        kind, deed, isBeforeRoutes, isAuthentication, provided, required, warning);
  }

  /** Returns a copy that requires a position before all routes that the middleware affects. */
  public MiddlewareTraits beforeRoutes() {
    return new MiddlewareTraits(
        kind, onlyOne, true, isAuthentication, provided, required, warning);
  }

  /**
   * Returns a copy that declares that the middleware identifies the client, for example by a
   * session or credentials. Middleware that must distinguish clients, such as {@code Idempotency},
   * needs such middleware before it.
   */
  public MiddlewareTraits authenticates() {
    return new MiddlewareTraits(
        kind, onlyOne, isBeforeRoutes, true, provided, required, warning);
  }

  /**
   * Returns a copy that declares the attributes that the middleware sets.
   *
   * @param keys their keys
   */
  public MiddlewareTraits provides(Key<?>... keys) {
    return new MiddlewareTraits(
        kind, onlyOne, isBeforeRoutes, isAuthentication, names(keys), required, warning);
  }

  /**
   * Returns a copy that requires attributes from earlier middleware.
   *
   * @param keys their keys
   */
  public MiddlewareTraits requires(Key<?>... keys) {
    return new MiddlewareTraits(
        kind, onlyOne, isBeforeRoutes, isAuthentication, provided, names(keys), warning);
  }

  /**
   * Returns a copy with a warning about the options of the middleware, which a server logs when it
   * starts, in every environment.
   *
   * @param text continues the sentence that begins with the middleware and its source line, such as
   *     {@code accepts an empty password}; null for no warning
   */
  public MiddlewareTraits warns(@Nullable String text) {
    return new MiddlewareTraits(
        kind, onlyOne, isBeforeRoutes, isAuthentication, provided, required, text);
  }

  private static Set<String> names(Key<?>... keys) {
    return Stream.of(keys).map(Key::name).collect(Collectors.toUnmodifiableSet());
  }
}
