package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.KnownMethods;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a form or an old client send a POST that is handled as another method: by the header {@code
 * X-HTTP-Method-Override}, or by a field of the body.
 *
 * <p>The header wins. Only a POST is changed, and only to one of the {@link #methods}; the name may
 * have any letter case. Everything else is ignored, so that a link or an image of another site
 * cannot delete, and no request passes a guard as GET and arrives as something else. The field is
 * removed from the body of a POST, and {@code Vary} names the header. {@link #ORIGINAL_METHOD} is
 * the method that the client sent.
 *
 * <pre>
 *   field     _method             the field of the body
 *   methods   PUT PATCH DELETE    the methods that a POST can become
 * </pre>
 *
 * <p>Add it after the body parsers, and before {@link Csrf} and the routes. Each option returns a
 * changed copy:
 *
 * <pre>{@code
 * app.use(BodyParsers.urlencoded(), MethodOverride.of(), Csrf.of());
 * app.delete("/entries/:id", entries::remove);        // <input name="_method" value="delete">
 * }</pre>
 */
@CheckReturnValue
public final class MethodOverride implements Middleware {

  /** The method that the client sent. */
  public static final Key<String> ORIGINAL_METHOD = Key.of("originalMethod", String.class);

  private static final String HEADER = "X-HTTP-Method-Override";

  private final String field;
  private final Set<String> methods;

  private MethodOverride(String field, Set<String> methods) {
    this.field = field;
    this.methods = methods;
  }

  /** Creates the middleware with its defaults. */
  public static MethodOverride of() {
    return new MethodOverride("_method", Set.of("PUT", "PATCH", "DELETE"));
  }

  /**
   * Sets the field of the body that names the method. Default: {@code _method}.
   *
   * @param name the field's name
   */
  public MethodOverride field(String name) {
    return new MethodOverride(name, methods);
  }

  /**
   * Sets the methods that a POST can become. Default: PUT, PATCH and DELETE.
   *
   * @param methods their names; those that HTTP defines in any letter case
   * @throws IllegalArgumentException if one is not a method
   */
  public MethodOverride methods(String... methods) {
    return new MethodOverride(field, Options.methods("methods", methods));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(ORIGINAL_METHOD) == null) {
      req.attr(ORIGINAL_METHOD, req.method());
    }
    if (req.method().equals("POST")) {
      String byField = method(takeField(req));
      String header = req.get(HEADER);
      String byHeader = header == null ? null : method(header.split(",", 2)[0].trim());
      String asked = byHeader == null ? byField : byHeader;
      if (asked != null) {
        req.method(asked);
      }
    }
    res.vary(HEADER);
    next.run();
  }

  /** Returns the method that a client asks for; null if a POST cannot become it. */
  private @Nullable String method(@Nullable Object asked) {
    if (!(asked instanceof String name)) {
      return null;
    }
    String known = KnownMethods.find(name);
    String method = known == null ? name : known;
    return methods.contains(method) ? method : null;
  }

  /** Takes the field out of the body, which may be one that cannot be changed. */
  private @Nullable Object takeField(Request req) {
    if (!(req.body() instanceof Map<?, ?> body) || !body.containsKey(field)) {
      return null;
    }
    Map<Object, @Nullable Object> rest = new LinkedHashMap<>(body);
    Object value = rest.remove(field);
    req.body(rest);
    return value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
  }
}
