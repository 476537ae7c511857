package dev.percolate.core;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The kind of middleware and its requirements on the order of the chain; see {@link
 * TraitsProvider}. Immutable; each method that returns traits returns a changed copy.
 *
 * <pre>{@code
 * MiddlewareTraits.of("logger").beforeRoutes();
 * MiddlewareTraits.of("csrf").requires(Sessions.SESSION);
 * }</pre>
 */
@CheckReturnValue
public final class MiddlewareTraits extends Copyable<MiddlewareTraits> {

  private final String kind;
  private @Nullable Object onlyOne;
  private boolean beforeRoutes;
  private boolean authentication;
  private Set<String> provided = Set.of();
  private Set<String> required = Set.of();
  private @Nullable String warning;
  private @Nullable SecurityScheme securityScheme;
  private @Nullable List<String> access;

  private MiddlewareTraits(String kind) {
    this.kind = kind;
  }

  /**
   * Creates the traits of a kind without requirements.
   *
   * @param kind the kind, in lower case with hyphens; part of the names of warnings, such as {@code
   *     logger-below-routes}
   */
  public static MiddlewareTraits of(String kind) {
    return new MiddlewareTraits(kind);
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
    return with(copy -> copy.onlyOne = deed);
  }

  /** Returns a copy that requires a position before all routes that the middleware affects. */
  public MiddlewareTraits beforeRoutes() {
    return with(copy -> copy.beforeRoutes = true);
  }

  /**
   * Returns a copy that declares that the middleware identifies the client, for example by a
   * session or credentials. Middleware that must distinguish clients, such as {@code Idempotency},
   * needs such middleware before it.
   */
  public MiddlewareTraits authenticates() {
    return with(copy -> copy.authentication = true);
  }

  /**
   * Returns a copy that declares that the middleware identifies the client, and how. Descriptions
   * of routes show the scheme if later middleware {@linkplain #requiresUser requires a user}.
   *
   * @param scheme how clients authenticate
   */
  public MiddlewareTraits authenticatesBy(SecurityScheme scheme) {
    return authenticates().with(copy -> copy.securityScheme = scheme);
  }

  /**
   * Returns a copy that declares that the middleware rejects requests without a user.
   *
   * @param rolesOrScopes the roles or scopes that the user needs; none if every user passes
   */
  public MiddlewareTraits requiresUser(String... rolesOrScopes) {
    List<String> needed = List.of(rolesOrScopes);
    return with(copy -> copy.access = needed);
  }

  /**
   * Returns a copy that declares the attributes that the middleware sets.
   *
   * @param keys their keys
   */
  public MiddlewareTraits provides(Key<?>... keys) {
    return with(copy -> copy.provided = names(keys));
  }

  /**
   * Returns a copy that requires attributes from earlier middleware.
   *
   * @param keys their keys
   */
  public MiddlewareTraits requires(Key<?>... keys) {
    return with(copy -> copy.required = names(keys));
  }

  /**
   * Returns a copy with a warning about the options of the middleware, which a server logs when it
   * starts, in every environment.
   *
   * @param text continues the sentence that begins with the middleware and its source line, such as
   *     {@code accepts an empty password}; null for no warning
   */
  public MiddlewareTraits warns(@Nullable String text) {
    return with(copy -> copy.warning = text);
  }

  private static Set<String> names(Key<?>... keys) {
    return Stream.of(keys).map(Key::name).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the kind. */
  public String kind() {
    return kind;
  }

  /**
   * Returns an object that is equal for two instances if the second is redundant on the same path;
   * null if any number is allowed.
   */
  public @Nullable Object onlyOne() {
    return onlyOne;
  }

  /** Returns whether it should be added before all routes that it affects. */
  public boolean isBeforeRoutes() {
    return beforeRoutes;
  }

  /** Returns whether it identifies the client. */
  public boolean isAuthentication() {
    return authentication;
  }

  /** Returns the names of the attributes that it sets. */
  public Set<String> provided() {
    return provided;
  }

  /** Returns the names of the attributes that earlier middleware must set. */
  public Set<String> required() {
    return required;
  }

  /** Returns the warning about its options; null if there is none. */
  public @Nullable String warning() {
    return warning;
  }

  /**
   * Returns how clients authenticate; null if it does not authenticate them, or not by a scheme.
   */
  public @Nullable SecurityScheme securityScheme() {
    return securityScheme;
  }

  /**
   * Returns the roles or scopes that the user of a request needs: empty if every user passes, null
   * if requests without a user pass.
   */
  public @Nullable List<String> access() {
    return access;
  }
}
