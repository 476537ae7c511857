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
import org.jspecify.annotations.Nullable;

/**
 * Lets clients that can only send GET and POST ask for other methods: by the header {@code
 * X-HTTP-Method-Override}, or by a field of the body.
 *
 * <p>The header wins. A method counts if it is a known one of HTTP, in any letter case; anything
 * else is ignored. The field is taken out of the body, and {@code Vary} names the header. {@link
 * #ORIGINAL_METHOD} tells what the client really sent. To be put behind the body parsers and in
 * front of the routes; since a request of any method may be changed, protection from forgery
 * ({@link Csrf}) belongs behind it:
 *
 * <pre>{@code
 * app.use(BodyParsers.urlencoded(), MethodOverride.of(), Csrf.of());
 * app.delete("/entries/:id", entries::remove);        // <input name="_method" value="delete">
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class MethodOverride implements Middleware {

  /** The method that the client sent. */
  public static final Key<String> ORIGINAL_METHOD = Key.of("originalMethod", String.class);

  private static final String HEADER = "X-HTTP-Method-Override";

  private final String field;

  private MethodOverride(String field) {
    this.field = field;
  }

  /** Looks for the field {@code _method} of the body. */
  public static MethodOverride of() {
    return new MethodOverride("_method");
  }

  /**
   * Chooses the field of the body that names the method.
   *
   * @param name the field's name
   */
  public MethodOverride field(String name) {
    return new MethodOverride(name);
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (req.attrOrNull(ORIGINAL_METHOD) == null) {
      req.attr(ORIGINAL_METHOD, req.method());
    }
    change(req, takeField(req));
    String header = req.get(HEADER);
    if (header != null) {
      change(req, header.split(",", 2)[0].trim());
    }
    res.vary(HEADER);
    next.run();
  }

  private static void change(Request req, @Nullable Object candidate) {
    String method = candidate instanceof String name ? KnownMethods.find(name) : null;
    if (method != null) {
      req.method(method);
    }
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
