package dev.percolate.core;

import dev.percolate.http.CheckReturnValue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a step is, and how it should stand among others; see {@link StepKind}. Each method gives a
 * changed copy.
 *
 * <pre>{@code
 * StepTraits.of("logger").aboveRoutes();
 * StepTraits.of("csrf").needs(Sessions.SESSION);
 * }</pre>
 *
 * @param kind its kind, in lower case with hyphens, of which warnings are named: {@code
 *     logger-below-routes}
 * @param onlyOne what two steps of the kind have in common if one of them is too many on the same
 *     path; null where any number may stand there
 * @param isAboveRoutes whether it should stand above all routes that it could see
 * @param isAuthentication whether the step identifies the client
 * @param given the names of the attributes that it sets for the steps behind it
 * @param needed the names of the attributes that a step above must have set
 */
@CheckReturnValue
public record StepTraits(
    String kind,
    @Nullable Object onlyOne,
    boolean isAboveRoutes,
    boolean isAuthentication,
    Set<String> given,
    Set<String> needed) {

  /**
   * Creates the traits of a kind without any demand.
   *
   * @param kind the kind
   */
  public static StepTraits of(String kind) {
    return new StepTraits(kind, null, false, false, Set.of(), Set.of());
  }

  /** Says that one step of the kind is enough on any path. */
  public StepTraits once() {
    return once("");
  }

  /**
   * Says that one step of the kind is enough on any path, of those that do the same.
   *
   * @param deed what it does, compared by {@code equals}
   */
  public StepTraits once(Object deed) {
    return new StepTraits(kind, deed, isAboveRoutes, isAuthentication, given, needed);
  }

  /** Says that the step should stand above all routes that it could see. */
  public StepTraits aboveRoutes() {
    return new StepTraits(kind, onlyOne, true, isAuthentication, given, needed);
  }

  /**
   * Declares that the step identifies the client, for example by a session or credentials. Steps
   * that must distinguish clients, such as {@code Idempotency}, need such a step before them.
   */
  public StepTraits authenticates() {
    return new StepTraits(kind, onlyOne, isAboveRoutes, true, given, needed);
  }

  /**
   * Says which attributes the step sets.
   *
   * @param keys their keys
   */
  public StepTraits gives(Key<?>... keys) {
    return new StepTraits(kind, onlyOne, isAboveRoutes, isAuthentication, names(keys), needed);
  }

  /**
   * Says which attributes a step above must have set.
   *
   * @param keys their keys
   */
  public StepTraits needs(Key<?>... keys) {
    return new StepTraits(kind, onlyOne, isAboveRoutes, isAuthentication, given, names(keys));
  }

  private static Set<String> names(Key<?>... keys) {
    return Stream.of(keys).map(Key::name).collect(Collectors.toUnmodifiableSet());
  }
}
