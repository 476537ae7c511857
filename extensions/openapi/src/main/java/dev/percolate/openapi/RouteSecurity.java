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
 * @param schemes the security schemes of which one suffices
 * @param required whether requests without a user are rejected
 * @param access the roles or scopes that the user needs
 */
record RouteSecurity(List<SecurityScheme> schemes, boolean required, List<String> access) {

  private static final Set<String> TYPES_WITH_SCOPES = Set.of("oauth2", "openIdConnect");

  static RouteSecurity of(List<MiddlewareTraits> traits) {
    Set<SecurityScheme> schemes = new LinkedHashSet<>();
    Set<String> access = new LinkedHashSet<>();
    boolean required = false;
    for (MiddlewareTraits one : traits) {
      if (one.securityScheme() != null) {
        schemes.add(one.securityScheme());
      }
      if (one.access() != null) {
        required = true;
        access.addAll(one.access());
      }
    }
    return new RouteSecurity(List.copyOf(schemes), required, List.copyOf(access));
  }

  /** Returns the alternatives in the format of OpenAPI; none if requests without a user pass. */
  List<Map<String, List<String>>> alternatives() {
    List<Map<String, List<String>>> all = new ArrayList<>();
    if (required) {
      for (SecurityScheme scheme : schemes) {
        // For these types, the list may contain only scopes of the provider.
        boolean withScopes = TYPES_WITH_SCOPES.contains(scheme.definition().get("type"));
        all.add(Map.of(scheme.name(), withScopes ? List.of() : access));
      }
    }
    return all;
  }

  /** Returns the schemes in the format of OpenAPI; none if requests without a user pass. */
  Map<String, Map<String, Object>> definitions() {
    Map<String, Map<String, Object>> all = new LinkedHashMap<>();
    if (required) {
      schemes.forEach(scheme -> all.putIfAbsent(scheme.name(), scheme.definition()));
    }
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
