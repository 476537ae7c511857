package dev.percolate.conformance;

import dev.percolate.core.Response;
import dev.percolate.http.CookieOptions;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sets and clears cookies. */
final class CookieForm {

  private CookieForm() {}

  /** Runs {@code cookie(name, value, options?)}. */
  static Response cookie(Response res, @Nullable Object[] args) {
    Object value = PlainValues.plain(args[1]);
    return args.length > 2 && args[2] instanceof Map
        ? res.cookie(ScriptValues.text(args[0]), value, options(ScriptValues.map(args[2])))
        : res.cookie(ScriptValues.text(args[0]), value);
  }

  /** Runs {@code clearCookie(name, options?)}. */
  static Response clear(Response res, @Nullable Object[] args) {
    return args.length > 1 && args[1] instanceof Map
        ? res.clearCookie(ScriptValues.text(args[0]), options(ScriptValues.map(args[1])))
        : res.clearCookie(ScriptValues.text(args[0]));
  }

  private static CookieOptions options(Map<String, @Nullable Object> given) {
    return options(CookieOptions.none(), given);
  }

  /** Applies the given options. */
  static CookieOptions options(CookieOptions before, Map<String, @Nullable Object> given) {
    CookieOptions options = before;
    for (Map.Entry<String, @Nullable Object> option : given.entrySet()) {
      options = with(options, option.getKey(), option.getValue());
    }
    return options;
  }

  private static CookieOptions with(CookieOptions options, String option, @Nullable Object value) {
    return switch (option) {
      case "domain" -> options.domain(value == null ? null : ScriptValues.text(value));
      case "encode" -> {
        Routine encode = (Routine) ScriptValues.orUndefined(value);
        yield options.encode(text -> ScriptValues.text(encode.invoke(text)));
      }
      case "expires" -> value instanceof Instant time ? options.expires(time) : options;
      case "httpOnly" -> options.httpOnly(ScriptValues.isTrue(value));
      case "maxAge" ->
          value instanceof Number millis ? options.maxAge(millis.doubleValue()) : options;
      case "path" -> options.path(value == null ? null : ScriptValues.text(value));
      case "secure" -> options.secure(ScriptValues.isTrue(value));
      case "signed" -> options.signed(ScriptValues.isTrue(value));
      default -> options;
    };
  }
}
