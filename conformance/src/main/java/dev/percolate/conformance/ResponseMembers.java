package dev.percolate.conformance;

import dev.percolate.core.Response;
import dev.percolate.framework.App;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' response to {@link Response}. */
final class ResponseMembers {

  private ResponseMembers() {}

  static @Nullable Object read(Response res, String name, Scope scope) {
    return switch (name) {
      case "app" -> Values.orUndefined(App.of(res.req()));
      case "finished" -> res.finished();
      case "headersSent" -> res.headersSent();
      case "locals" -> res.locals();
      case "req" -> res.req();
      case "statusCode" -> res.status();
      default -> throw scope.world().missing("res." + name);
    };
  }

  static void assign(Response res, String name, @Nullable Object value, Scope scope) {
    switch (name) {
      case "statusCode" -> res.status(((Number) Values.orUndefined(value)).intValue());
      default -> throw scope.world().missing("res." + name);
    }
  }

  static @Nullable Object call(Response res, String name, @Nullable Object[] args, Scope scope)
      throws Exception {
    return switch (name) {
      case "contentType", "type" -> res.type(Values.text(args[0]));
      case "end" -> end(res, args);
      case "get", "getHeader" -> Values.orUndefined(res.get(Values.text(args[0])));
      case "header", "set", "setHeader" -> set(res, args);
      case "json" ->
          args.length > 1
              ? res.json(number(args[0]), Values.plain(args[1]))
              : res.json(Values.plain(args[0]));
      case "locals" -> {
        Values.map(res.locals()).putAll(Values.map(args[0]));
        yield res.locals();
      }
      case "removeHeader" -> res.remove(Values.text(args[0]));
      case "send" -> send(res, args);
      case "status" -> res.status(number(args[0]));
      case "write" -> {
        Response ignored =
            args[0] instanceof byte[] bytes ? res.write(bytes) : res.write(Values.text(args[0]));
        yield true;
      }
      case "writeHead" -> {
        res.status(number(args[0]));
        if (args.length > 1) {
          Object ignored = set(res, args[args.length - 1]);
        }
        res.flushHead();
        yield res;
      }
      default -> throw scope.world().missing("res." + name);
    };
  }

  private static Object send(Response res, @Nullable Object[] args) {
    if (args.length > 1) {
      boolean swapped = !(args[0] instanceof Number) && args[1] instanceof Number;
      Object status = args[swapped ? 1 : 0];
      return res.send(number(status), body(args[swapped ? 0 : 1]));
    }
    Object body = args.length == 0 ? null : args[0];
    return body instanceof Number number ? res.sendStatus(number.intValue()) : res.send(body(body));
  }

  private static Object end(Response res, @Nullable Object[] args) {
    if (args.length == 0 || Values.isAbsent(args[0])) {
      res.end();
    } else if (args[0] instanceof byte[] bytes) {
      res.end(bytes);
    } else {
      res.end(Values.text(args[0]));
    }
    return Values.UNDEFINED;
  }

  private static Object set(Response res, @Nullable Object... args) {
    if (args[0] instanceof Map<?, ?> map) {
      map.forEach((name, value) -> set(res, String.valueOf(name), value));
      return res;
    }
    String name = Values.text(args[0]);
    if (args[1] instanceof List<?> values) {
      res.remove(name);
      values.forEach(value -> res.append(name, Values.text(value)));
      return res;
    }
    return res.set(name, Values.text(args[1]));
  }

  private static @Nullable Object body(@Nullable Object value) {
    return value instanceof byte[] ? value : Values.plain(value);
  }

  private static int number(@Nullable Object value) {
    return ((Number) Values.orUndefined(value)).intValue();
  }
}
