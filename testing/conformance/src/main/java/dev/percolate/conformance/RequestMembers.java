package dev.percolate.conformance;

import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.http.Range;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.MethodOverride;
import dev.percolate.middleware.Timeout;
import dev.percolate.middleware.VirtualHost;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' request to {@link Request}. */
final class RequestMembers {

  private static final Key<Fields> FIELDS = Key.of("fields of the scenario", Fields.class);

  /** Set if the scenario has set the body to null, which Java does not distinguish from absent. */
  private static final String NO_BODY = " null body";

  private RequestMembers() {}

  /** The fields that a scenario, or middleware for it, has added to a request. */
  private record Fields(Map<String, @Nullable Object> values) {}

  /** The headers of a request with lower-case names. Changes apply to the request. */
  private static final class HeaderFields extends AbstractMap<String, @Nullable Object> {

    private final Request req;

    HeaderFields(Request req) {
      this.req = req;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
      boolean lower = name instanceof String text && text.equals(text.toLowerCase(Locale.ROOT));
      return lower ? req.get((String) name) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
      return get(name) != null;
    }

    @Override
    public @Nullable Object put(String name, @Nullable Object value) {
      Object before = get(name);
      if (ScriptValues.isAbsent(value)) {
        req.headers().remove(name);
      } else {
        req.headers().set(name, ScriptValues.text(value));
      }
      return before;
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      req.headers()
          .forEach(
              (name, value) -> {
                String lower = name.toLowerCase(Locale.ROOT);
                all.put(lower, req.get(lower));
              });
      return all.entrySet();
    }
  }

  /** Sets a field that has no accessor. */
  static void put(Request req, String name, @Nullable Object value) {
    Fields fields = req.attrOrNull(FIELDS);
    if (fields == null) {
      fields = new Fields(new HashMap<>());
      req.attr(FIELDS, fields);
    }
    fields.values().put(name, value);
  }

  static @Nullable Object read(Request req, String name) {
    Fields fields = req.attrOrNull(FIELDS);
    if (fields != null && fields.values().containsKey(name)) {
      return fields.values().get(name);
    }
    return switch (name) {
      case "accepted" -> req.accepted();
      case "acceptedCharsets" -> req.acceptedCharsets();
      case "acceptedEncodings" -> req.acceptedEncodings();
      case "acceptedLanguages" -> req.acceptedLanguages();
      case "auth" -> ScriptValues.orUndefined(req.auth());
      case "app" -> ScriptValues.orUndefined(App.of(req));
      case "body" -> body(req);
      case "cookies" -> ScriptValues.orUndefined(req.attrOrNull(Request.COOKIES));
      case "fresh" -> req.fresh();
      case "headers" -> new HeaderFields(req);
      case "host" -> ScriptValues.orUndefined(req.host());
      case "httpVersion" -> req.httpVersion();
      case "ip" -> req.ip();
      case "ips" -> req.ips();
      case "method" -> req.method();
      case "originalUrl" -> req.originalUrl();
      case "params" -> params(req);
      case "path" -> req.path();
      case "protocol" -> req.protocol();
      case "query" -> req.query();
      case "readable" -> RequestControl.readable(req);
      case "res" -> req.response();
      case "route" -> ScriptValues.orUndefined(req.route());
      case "secret" -> ScriptValues.orUndefined(req.attrOrNull(Request.SECRET));
      case "secure" -> req.secure();
      case "signedCookies" -> ScriptValues.orUndefined(req.attrOrNull(Request.SIGNED_COOKIES));
      case "stale" -> req.stale();
      case "subdomains" -> req.subdomains();
      case "url" -> req.url();
      case "xhr" -> req.xhr();
      default -> SessionForm.isMember(name) ? SessionForm.read(req, name) : bundled(req, name);
    };
  }

  static void assign(Request req, String name, @Nullable Object value) {
    switch (name) {
      case "body" -> {
        RequestControl.body(req, ScriptValues.orNull(value));
        put(req, NO_BODY, value == null);
      }
      case "cookies" -> req.attr(Request.COOKIES, ScriptValues.attribute(value));
      case "method" -> req.method(ScriptValues.text(value));
      case "originalUrl" ->
          RequestControl.originalUrl(
              req, ScriptValues.isAbsent(value) ? "" : ScriptValues.text(value));
      case "readable" -> RequestControl.readable(req, ScriptValues.isTrue(value));
      case "url" -> req.url(ScriptValues.text(value));
      case "user" -> req.attr(BasicAuth.USER, ScriptValues.orNull(value));
      case "session" -> SessionForm.assign(req, name, value);
      default -> {
        put(req, name, value);
        if (value instanceof Map) {
          SessionForm.assign(req, name, value);
        }
      }
    }
  }

  static @Nullable Object call(Request req, String name, @Nullable Object[] args) throws Exception {
    return switch (name) {
      case "accepts" -> ScriptValues.orUndefined(req.accepts(offers(args)));
      case "clearTimeout" -> {
        req.attr(Timeout.WATCH).clear();
        yield ScriptValues.UNDEFINED;
      }
      case "csrfToken" -> Csrf.token(req);
      case "acceptsCharset" -> req.acceptsCharset(ScriptValues.text(args[0]));
      case "acceptsEncoding" -> req.acceptsEncoding(ScriptValues.text(args[0]));
      case "acceptsLanguage" -> req.acceptsLanguage(ScriptValues.text(args[0]));
      case "get", "header" -> ScriptValues.orUndefined(req.get(ScriptValues.text(args[0])));
      case "is" -> req.is(ScriptValues.text(args[0]));
      case "param" -> param(req, args);
      case "range" -> range(req, ((Number) ScriptValues.orUndefined(args[0])).longValue());
      case "setEncoding" -> {
        RequestControl.encoding(req, ScriptValues.text(args[0]));
        yield req;
      }
      default -> {
        Object field = read(req, name);
        yield Routine.of(field, "req." + name).call(args);
      }
    };
  }

  /** Returns a field that the bundled middleware adds to requests. */
  private static Object bundled(Request req, String name) {
    return switch (name) {
      case "originalMethod" ->
          ScriptValues.orUndefined(req.attrOrNull(MethodOverride.ORIGINAL_METHOD));
      case "remoteUser" -> ScriptValues.orUndefined(req.attrOrNull(BasicAuth.REMOTE_USER));
      case "timedout" -> {
        Timeout.Watch watch = req.attrOrNull(Timeout.WATCH);
        yield watch == null ? ScriptValues.UNDEFINED : (Object) watch.expired();
      }
      case "user" -> ScriptValues.orUndefined(req.attrOrNull(BasicAuth.USER));
      case "vhost" -> vhost(req.attrOrNull(VirtualHost.MATCH));
      default -> ScriptValues.UNDEFINED;
    };
  }

  private static Object vhost(VirtualHost.@Nullable Match match) {
    if (match == null) {
      return ScriptValues.UNDEFINED;
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("host", match.host());
    fields.put("hostname", match.hostname());
    fields.put("length", match.groups().size());
    for (int i = 0; i < match.groups().size(); i++) {
      fields.put(Integer.toString(i), ScriptValues.orUndefined(match.groups().get(i)));
    }
    return fields;
  }

  private static String[] offers(@Nullable Object[] args) {
    List<?> offers = args[0] instanceof List<?> list ? list : Arrays.asList(args);
    return offers.stream().map(ScriptValues::text).toArray(String[]::new);
  }

  private static @Nullable Object param(Request req, @Nullable Object[] args) {
    Object value = req.param(ScriptValues.text(args[0]));
    if (value == null && args.length > 1) {
      return args[1];
    }
    return ScriptValues.orUndefined(value);
  }

  /** Returns the ranges as the originals do: a list, or a number if no range can be sent. */
  private static Object range(Request req, long size) {
    Range range = req.range(size);
    if (range == null) {
      return ScriptValues.UNDEFINED;
    }
    return range.code() == 0 ? range : range.code();
  }

  /** Returns the parameters. Outside of routes, the originals have none. */
  private static Object params(Request req) {
    boolean none = req.route() == null && req.params().asMap().isEmpty();
    return none ? ScriptValues.UNDEFINED : req.params();
  }

  private static @Nullable Object body(Request req) {
    Object body = req.body();
    if (body != null) {
      return body;
    }
    Fields fields = req.attrOrNull(FIELDS);
    if (fields != null && fields.values().containsKey(NO_BODY)) {
      return ScriptValues.isTrue(fields.values().get(NO_BODY)) ? null : ScriptValues.UNDEFINED;
    }
    try {
      return req.body(Object.class);
    } catch (IllegalStateException | HttpError e) {
      return ScriptValues.UNDEFINED;
    }
  }
}
