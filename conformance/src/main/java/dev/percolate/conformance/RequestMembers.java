package dev.percolate.conformance;

import dev.percolate.core.Key;
import dev.percolate.core.Request;
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

  /** Marks that the body was made null, which Java does not tell from none. */
  private static final String NO_BODY = " null body";

  private RequestMembers() {}

  /** What a scenario, or middleware on its behalf, has put on a request. */
  private record Fields(Map<String, @Nullable Object> values) {}

  /** Shows the headers of a request under their names in lower case; what is put here stays. */
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
      if (Values.isAbsent(value)) {
        req.headers().remove(name);
      } else {
        req.headers().set(name, Values.text(value));
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
      case "auth" -> Values.orUndefined(req.auth());
      case "app" -> Values.orUndefined(App.of(req));
      case "body" -> body(req);
      case "cookies" -> Values.orUndefined(req.attrOrNull(Request.COOKIES));
      case "fresh" -> req.fresh();
      case "headers" -> new HeaderFields(req);
      case "host" -> Values.orUndefined(req.host());
      case "httpVersion" -> req.httpVersion();
      case "ip" -> req.ip();
      case "ips" -> req.ips();
      case "method" -> req.method();
      case "originalUrl" -> req.originalUrl();
      case "params" -> params(req);
      case "path" -> req.path();
      case "protocol" -> req.protocol();
      case "query" -> req.query();
      case "readable" -> req.readable();
      case "res" -> req.response();
      case "route" -> Values.orUndefined(req.route());
      case "secret" -> Values.orUndefined(req.attrOrNull(Request.SECRET));
      case "secure" -> req.secure();
      case "signedCookies" -> Values.orUndefined(req.attrOrNull(Request.SIGNED_COOKIES));
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
        req.body(Values.orNull(value));
        put(req, NO_BODY, value == null);
      }
      case "cookies" -> req.attr(Request.COOKIES, Values.attribute(value));
      case "method" -> req.method(Values.text(value));
      case "originalUrl" -> req.originalUrl(Values.isAbsent(value) ? "" : Values.text(value));
      case "readable" -> req.readable(Values.isTrue(value));
      case "url" -> req.url(Values.text(value));
      case "user" -> req.attr(BasicAuth.USER, Values.orNull(value));
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
      case "accepts" -> Values.orUndefined(req.accepts(offers(args)));
      case "clearTimeout" -> {
        req.attr(Timeout.WATCH).clear();
        yield Values.UNDEFINED;
      }
      case "csrfToken" -> Csrf.token(req);
      case "acceptsCharset" -> req.acceptsCharset(Values.text(args[0]));
      case "acceptsEncoding" -> req.acceptsEncoding(Values.text(args[0]));
      case "acceptsLanguage" -> req.acceptsLanguage(Values.text(args[0]));
      case "get", "header" -> Values.orUndefined(req.get(Values.text(args[0])));
      case "is" -> req.is(Values.text(args[0]));
      case "param" -> param(req, args);
      case "range" -> range(req, ((Number) Values.orUndefined(args[0])).longValue());
      case "setEncoding" -> {
        req.encoding(Values.text(args[0]));
        yield req;
      }
      default -> {
        Object field = read(req, name);
        yield Routine.of(field, "req." + name).call(args);
      }
    };
  }

  /** Gives what the bundled middleware puts on requests. */
  private static Object bundled(Request req, String name) {
    return switch (name) {
      case "originalMethod" -> Values.orUndefined(req.attrOrNull(MethodOverride.ORIGINAL_METHOD));
      case "remoteUser" -> Values.orUndefined(req.attrOrNull(BasicAuth.REMOTE_USER));
      case "timedout" -> {
        Timeout.Watch watch = req.attrOrNull(Timeout.WATCH);
        yield watch == null ? Values.UNDEFINED : (Object) watch.expired();
      }
      case "user" -> Values.orUndefined(req.attrOrNull(BasicAuth.USER));
      case "vhost" -> vhost(req.attrOrNull(VirtualHost.MATCH));
      default -> Values.UNDEFINED;
    };
  }

  private static Object vhost(VirtualHost.@Nullable Match match) {
    if (match == null) {
      return Values.UNDEFINED;
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("host", match.host());
    fields.put("hostname", match.hostname());
    fields.put("length", match.groups().size());
    for (int i = 0; i < match.groups().size(); i++) {
      fields.put(Integer.toString(i), Values.orUndefined(match.groups().get(i)));
    }
    return fields;
  }

  private static String[] offers(@Nullable Object[] args) {
    List<?> offers = args[0] instanceof List<?> list ? list : Arrays.asList(args);
    return offers.stream().map(Values::text).toArray(String[]::new);
  }

  private static @Nullable Object param(Request req, @Nullable Object[] args) {
    Object value = req.param(Values.text(args[0]));
    if (value == null && args.length > 1) {
      return args[1];
    }
    return Values.orUndefined(value);
  }

  /** Gives the parts as the originals do: a list, or a number where there is none to send. */
  private static Object range(Request req, long size) {
    Range range = req.range(size);
    if (range == null) {
      return Values.UNDEFINED;
    }
    return range.code() == 0 ? range : range.code();
  }

  /** Gives the parameters; outside of routes the originals have none. */
  private static Object params(Request req) {
    boolean none = req.route() == null && req.params().asMap().isEmpty();
    return none ? Values.UNDEFINED : req.params();
  }

  private static @Nullable Object body(Request req) {
    Object body = req.body();
    if (body != null) {
      return body;
    }
    Fields fields = req.attrOrNull(FIELDS);
    if (fields != null && fields.values().containsKey(NO_BODY)) {
      return Values.isTrue(fields.values().get(NO_BODY)) ? null : Values.UNDEFINED;
    }
    try {
      return req.body(Object.class);
    } catch (IllegalStateException | HttpError e) {
      return Values.UNDEFINED;
    }
  }
}
