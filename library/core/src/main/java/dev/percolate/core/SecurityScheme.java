package dev.percolate.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How clients authenticate, in the format of OpenAPI. A middleware declares it in its {@link
 * MiddlewareTraits}, so that descriptions of routes can show it.
 *
 * <pre>{@code
 * MiddlewareTraits.of("token-auth").authenticatesBy(SecurityScheme.bearer("token"));
 * }</pre>
 *
 * @param name the name of the scheme in descriptions; letters, digits, {@code .}, {@code -} and
 *     {@code _}
 * @param definition the members of a Security Scheme Object of OpenAPI, such as {@code type}
 */
public record SecurityScheme(String name, Map<String, Object> definition) {

  /**
   * Checks the name and copies the definition.
   *
   * @throws IllegalArgumentException if the name contains other characters, or the definition has
   *     no type
   */
  public SecurityScheme {
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw new IllegalArgumentException(
          "name of a security scheme must consist of letters, digits, '.', '-' and '_', was \""
              + name
              + "\"");
    }
    if (!definition.containsKey("type")) {
      throw new IllegalArgumentException(
          "security scheme \"" + name + "\" must have a type, such as \"http\"");
    }
    definition = Collections.unmodifiableMap(new LinkedHashMap<>(definition));
  }

  /**
   * Creates a scheme of user names and passwords in the header {@code Authorization} (RFC 7617).
   *
   * @param name the name of the scheme
   */
  public static SecurityScheme basic(String name) {
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("type", "http");
    definition.put("scheme", "basic");
    return new SecurityScheme(name, definition);
  }

  /**
   * Creates a scheme of bearer tokens that are JWTs, in the header {@code Authorization} (RFC
   * 6750).
   *
   * @param name the name of the scheme
   */
  public static SecurityScheme bearer(String name) {
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("type", "http");
    definition.put("scheme", "bearer");
    definition.put("bearerFormat", "JWT");
    return new SecurityScheme(name, definition);
  }

  /**
   * Creates a scheme of API keys in a header.
   *
   * @param name the name of the scheme
   * @param header the name of the header
   */
  public static SecurityScheme apiKey(String name, String header) {
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("type", "apiKey");
    definition.put("in", "header");
    definition.put("name", header);
    return new SecurityScheme(name, definition);
  }

  /**
   * Creates a scheme of logins at an OpenID Connect provider.
   *
   * @param name the name of the scheme
   * @param url the URL of the provider's metadata
   */
  public static SecurityScheme openIdConnect(String name, String url) {
    Map<String, Object> definition = new LinkedHashMap<>();
    definition.put("type", "openIdConnect");
    definition.put("openIdConnectUrl", url);
    return new SecurityScheme(name, definition);
  }
}
