package dev.percolate.openapi;

import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.SecurityScheme;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How clients authenticate for a route, as declared by the middleware that its requests pass.
 *
 * @param schemes the security schemes of which one suffices, for middleware that needs a user
 * @param always the schemes of middleware that rejects all other requests itself
 * @param required whether requests without a user are rejected
 * @param access the roles or scopes that the user needs
 */
record RouteSecurity(
    List<SecurityScheme> schemes,
    List<SecurityScheme> always,
    boolean required,
    List<String> access) {

  private static final Set<String> TYPES_WITH_SCOPES = Set.of("oauth2", "openIdConnect");

  static RouteSecurity of(List<MiddlewareTraits> traits) {
    Set<SecurityScheme> schemes = new LinkedHashSet<>();
    Set<SecurityScheme> always = new LinkedHashSet<>();
    Set<String> access = new LinkedHashSet<>();
    boolean required = false;
    boolean needsUser = false;
    for (MiddlewareTraits one : traits) {
      SecurityScheme scheme = one.securityScheme();
      if (scheme != null) {
        (one.access() == null ? schemes : always).add(scheme);
      }
      if (one.access() != null) {
        required = true;
        needsUser |= scheme == null;
        access.addAll(one.access());
      }
    }
    List<SecurityScheme> oneOf = needsUser ? List.copyOf(schemes) : List.of();
    return new RouteSecurity(oneOf, List.copyOf(always), required, List.copyOf(access));
  }

  /** Returns the alternatives in the format of OpenAPI; none if requests without a user pass. */
  List<Map<String, List<String>>> alternatives() {
    Map<String, List<String>> needed = new LinkedHashMap<>();
    always.forEach(scheme -> needed.put(scheme.name(), access(scheme)));
    List<Map<String, List<String>>> all = new ArrayList<>();
    for (SecurityScheme scheme : schemes) {
      Map<String, List<String>> one = new LinkedHashMap<>(needed);
      one.put(scheme.name(), access(scheme));
      all.add(one);
    }
    return all.isEmpty() && !needed.isEmpty() ? List.of(needed) : all;
  }

  private List<String> access(SecurityScheme scheme) {
    // For these types, the list may contain only scopes of the provider.
    return TYPES_WITH_SCOPES.contains(scheme.definition().get("type")) ? List.of() : access;
  }

  /** Returns the schemes in the format of OpenAPI; none if requests without a user pass. */
  Map<String, Map<String, Object>> definitions() {
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    always.forEach(scheme -> all.putIfAbsent(scheme.name(), scheme.definition()));
    schemes.forEach(scheme -> all.putIfAbsent(scheme.name(), scheme.definition()));
    return all;
  }

  /** Returns the status codes of responses that reject a request. */
  Set<Integer> rejections() {
    if (!required) {
      return Set.of();
    }
    return access.isEmpty() ? Set.of(401) : Set.of(401, 403);
  }
}
