package dev.percolate.middleware;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.KnownMethods;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Middleware for forms and old clients that can only send POST: handles a POST as another method.
 * The method is given by the header {@code X-HTTP-Method-Override} or by a field of the body.
 *
 * <p>The header takes precedence. Only a POST is changed, and only to one of the {@link #methods};
 * the name is case-insensitive. All other values are ignored. So a link or an image of another site
 * cannot cause a DELETE, and a request that passed a check as GET remains a GET. The field is
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
public final class MethodOverride extends Copyable<MethodOverride> implements Middleware {

  /** The method that the client sent. */
  public static final Key<String> ORIGINAL_METHOD =
      Key.of("originalMethod", String.class).providedBy("app.use(MethodOverride.of())");

  private static final String HEADER = "X-HTTP-Method-Override";

  private String field = "_method";
  private Set<String> methods = Set.of("PUT", "PATCH", "DELETE");

  private MethodOverride() {}

  /** Creates the middleware with its defaults. */
  public static MethodOverride of() {
    return new MethodOverride();
  }

  /**
   * Sets the field of the body that names the method. Default: {@code _method}.
   *
   * @param name the name of the field
   */
  public MethodOverride field(String name) {
    return with(copy -> copy.field = name);
  }

  /**
   * Sets the methods that a POST can become. Default: PUT, PATCH and DELETE.
   *
   * @param methods the method names; standard HTTP methods are case-insensitive
   * @throws IllegalArgumentException if a name is invalid
   */
  public MethodOverride methods(String... methods) {
    return with(copy -> copy.methods = Options.methods("methods", methods));
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

  /** Returns the method that a client requests; null if a POST cannot become it. */
  private @Nullable String method(@Nullable Object asked) {
    if (!(asked instanceof String name)) {
      return null;
    }
    String known = KnownMethods.find(name);
    String method = known == null ? name : known;
    return methods.contains(method) ? method : null;
  }

  /**
   * Removes the field from a copy of the body, since the body may be immutable. Returns its value.
   */
  private @Nullable Object takeField(Request req) {
    if (!(req.body() instanceof Map<?, ?> body) || !body.containsKey(field)) {
      return null;
    }
    Map<Object, @Nullable Object> rest = new LinkedHashMap<>(body);
    Object value = rest.remove(field);
    RequestControl.body(req, rest);
    return value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
  }
}
