package dev.percolate.conformance;

import dev.percolate.core.Response;
import dev.percolate.framework.App;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' response to {@link Response}. */
final class ResponseMembers {

  private static final String JSON = "application/json; charset=utf-8";

  private ResponseMembers() {}

  static @Nullable Object read(Response res, String name, Scope scope) {
    return switch (name) {
      case "charset" -> Values.orUndefined(res.charset());
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
      case "charset" -> res.charset(Values.isTrue(value) ? Values.text(value) : null);
      case "statusCode" -> res.status(((Number) Values.orUndefined(value)).intValue());
      default -> throw scope.world().missing("res." + name);
    }
  }

  static @Nullable Object call(Response res, String name, @Nullable Object[] args, Scope scope)
      throws Exception {
    return switch (name) {
      case "contentType", "type" -> res.type(Values.text(args[0]));
      case "end" -> end(res, args);
      case "get", "getHeader" -> get(res, Values.text(args[0]));
      case "header", "set", "setHeader" -> set(res, args);
      case "json" -> json(res, args);
      case "locals" -> {
        Values.map(res.locals()).putAll(Values.map(args[0]));
        yield res.locals();
      }
      case "download" -> FileForm.download(res, args, scope);
      case "removeHeader" -> res.remove(Values.text(args[0]));
      case "render" -> render(res, args);
      case "send" -> send(res, args);
      case "sendFile", "sendfile" -> FileForm.sendFile(res, args, scope);
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
    Object body = args.length == 0 ? Values.UNDEFINED : args[args.length - 1];
    if (args.length > 1) {
      boolean swapped = !(args[0] instanceof Number) && args[1] instanceof Number;
      res.status(number(args[swapped ? 1 : 0]));
      body = args[swapped ? 0 : 1];
      return body instanceof Number number ? res.send(res.status(), number) : send(res, body);
    }
    return body instanceof Number number ? res.sendStatus(number.intValue()) : send(res, body);
  }

  private static Object send(Response res, @Nullable Object body) {
    if (body == Values.UNDEFINED) {
      res.end();
      return res;
    }
    return res.send(body instanceof byte[] ? body : Values.plain(body));
  }

  private static Object json(Response res, @Nullable Object... args) {
    Object value = args[args.length - 1];
    if (args.length > 1) {
      boolean swapped = args[1] instanceof Number;
      res.status(number(args[swapped ? 1 : 0]));
      value = args[swapped ? 0 : 1];
    }
    if (value == Values.UNDEFINED) {
      Object ignored = res.get("Content-Type") == null ? set(res, "Content-Type", JSON) : null;
      res.end();
      return res;
    }
    return res.json(Values.plain(value));
  }

  private static @Nullable Object get(Response res, String name) {
    List<String> values = res.headers().all(name);
    return values.size() > 1 ? values : Values.orUndefined(res.get(name));
  }

  private static Object render(Response res, @Nullable Object[] args) {
    Map<String, @Nullable Object> none = Map.of();
    Map<String, @Nullable Object> locals =
        args.length > 1 && args[1] instanceof Map ? Values.map(args[1]) : none;
    if (args[args.length - 1] instanceof Routine callback) {
      res.render(Values.text(args[0]), locals, Templates.callback(callback));
    } else {
      res.render(Values.text(args[0]), locals);
    }
    return Values.UNDEFINED;
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

  private static int number(@Nullable Object value) {
    return ((Number) Values.orUndefined(value)).intValue();
  }
}
