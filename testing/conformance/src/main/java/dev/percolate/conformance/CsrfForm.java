package dev.percolate.conformance;

import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Response;
import dev.percolate.core.TypeRef;
import dev.percolate.middleware.Csrf;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the middleware against cross-site request forgery. */
final class CsrfForm {

  private static final String LISTED = " listed cookies";

  private CsrfForm() {}

  static Middleware make(Map<String, @Nullable Object> given) {
    Csrf csrf = Csrf.of();
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      csrf = with(csrf, option.getKey(), option.getValue());
    }
    Csrf made = csrf;
    return (req, res, next) -> {
      RequestMembers.put(req, LISTED, true);
      made.handle(req, res, next);
    };
  }

  /** Returns true if {@code Set-Cookie} must be read as a list, as in the originals. */
  static boolean listsCookies(Response res, String header) {
    return header.equalsIgnoreCase("Set-Cookie")
        && ScriptValues.isTrue(RequestMembers.read(res.req(), LISTED));
  }

  private static Csrf with(Csrf csrf, String option, @Nullable Object value) {
    return switch (option) {
      case "cookie" ->
          value instanceof Map ? cookie(csrf, ScriptValues.map(value)) : plain(csrf, value);
      case "ignoreMethods" ->
          csrf.ignoreMethods(
              ((List<?>) ScriptValues.orUndefined(value))
                  .stream().map(ScriptValues::text).toArray(String[]::new));
      case "sessionKey" ->
          csrf.sessionKey(Key.of(ScriptValues.text(value), new TypeRef<Map<String, Object>>() {}));
      case "value" -> {
        Routine find = (Routine) ScriptValues.orUndefined(value);
        yield csrf.value(req -> find.invoke(req) instanceof String token ? token : null);
      }
      default -> csrf;
    };
  }

  private static Csrf plain(Csrf csrf, @Nullable Object value) {
    return ScriptValues.isTrue(value) ? csrf.cookie() : csrf;
  }

  private static Csrf cookie(Csrf csrf, Map<String, @Nullable Object> given) {
    String name = given.containsKey("key") ? ScriptValues.text(given.get("key")) : "_csrf";
    return csrf.cookie(name, options -> CookieForm.options(options, given));
  }
}
