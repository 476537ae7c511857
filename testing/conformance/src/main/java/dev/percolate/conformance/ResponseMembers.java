package dev.percolate.conformance;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' response to {@link Response}. */
final class ResponseMembers {

  private static final String JSON = "application/json; charset=utf-8";

  private ResponseMembers() {}

  static @Nullable Object read(Response res, String name, Variables scope) {
    return switch (name) {
      case "charset" -> ScriptValues.orUndefined(res.charset());
      case "app" -> ScriptValues.orUndefined(App.of(res.req()));
      case "finished" -> res.finished();
      case "headersSent" -> res.headersSent();
      case "locals" -> res.locals();
      case "req" -> res.req();
      case "statusCode" -> res.status();
      default -> throw scope.world().missing("res." + name);
    };
  }

  static void assign(Response res, String name, @Nullable Object value, Variables scope) {
    switch (name) {
      case "charset" -> res.charset(ScriptValues.isTrue(value) ? ScriptValues.text(value) : null);
      case "statusCode" -> res.status(((Number) ScriptValues.orUndefined(value)).intValue());
      default -> throw scope.world().missing("res." + name);
    }
  }

  static @Nullable Object call(Response res, String name, @Nullable Object[] args, Variables scope)
      throws Exception {
    return switch (name) {
      case "attachment" ->
          args.length == 0 || ScriptValues.isAbsent(args[0])
              ? res.attachment()
              : res.attachment(ScriptValues.text(args[0]));
      case "clearCookie" -> CookieForm.clear(res, args);
      case "contentType", "type" -> res.type(ScriptValues.text(args[0]));
      case "end" -> end(res, args);
      case "flush" -> res.flush();
      case "format" -> format(res, ScriptValues.map(args[0]), scope);
      case "get", "getHeader" -> get(res, ScriptValues.text(args[0]));
      case "header", "set", "setHeader" -> set(res, args);
      case "json" -> json(res, args);
      case "jsonp" -> jsonp(res, args);
      case "links" -> res.links(texts(ScriptValues.map(args[0])));
      case "location" -> res.location(ScriptValues.text(args[0]));
      case "locals" -> {
        ScriptValues.map(res.locals()).putAll(ScriptValues.map(args[0]));
        yield res.locals();
      }
      case "cookie" -> CookieForm.cookie(res, args);
      case "download" -> FileForm.download(res, args, scope);
      case "removeHeader" -> res.remove(ScriptValues.text(args[0]));
      case "redirect" -> redirect(res, args);
      case "render" -> render(res, args);
      case "send" -> send(res, args);
      case "sendFile", "sendfile" -> FileForm.sendFile(res, args, scope);
      case "status" -> res.status(number(args[0]));
      case "vary" -> res.vary(names(args));
      case "write" -> {
        Response ignored =
            args[0] instanceof byte[] bytes
                ? res.write(bytes)
                : res.write(ScriptValues.text(args[0]));
        yield true;
      }
      case "writeHead" -> {
        res.status(number(args[0]));
        if (args.length > 1) {
          Object ignored = set(res, args[args.length - 1]);
        }
        res.flushHeaders();
        yield res;
      }
      default -> throw scope.world().missing("res." + name);
    };
  }

  private static Object send(Response res, @Nullable Object[] args) {
    Object body = args.length == 0 ? ScriptValues.UNDEFINED : args[args.length - 1];
    if (args.length > 1) {
      boolean swapped = !(args[0] instanceof Number) && args[1] instanceof Number;
      res.status(number(args[swapped ? 1 : 0]));
      body = args[swapped ? 0 : 1];
      return body instanceof Number number ? res.send(res.status(), number) : send(res, body);
    }
    return body instanceof Number number ? res.sendStatus(number.intValue()) : send(res, body);
  }

  private static Object send(Response res, @Nullable Object body) {
    if (body == ScriptValues.UNDEFINED) {
      res.end();
      return res;
    }
    return res.send(body instanceof byte[] ? body : PlainValues.plain(body));
  }

  private static Object json(Response res, @Nullable Object... args) {
    Object value = args[args.length - 1];
    if (args.length > 1) {
      boolean swapped = args[1] instanceof Number;
      res.status(number(args[swapped ? 1 : 0]));
      value = args[swapped ? 0 : 1];
    }
    if (value == ScriptValues.UNDEFINED) {
      Object ignored = res.get("Content-Type") == null ? set(res, "Content-Type", JSON) : null;
      res.end();
      return res;
    }
    return res.json(PlainValues.plain(value));
  }

  private static Object jsonp(Response res, @Nullable Object... args) {
    if (args.length == 1) {
      return res.jsonp(PlainValues.plain(args[0]));
    }
    boolean swapped = args[1] instanceof Number;
    return res.jsonp(number(args[swapped ? 1 : 0]), PlainValues.plain(args[swapped ? 0 : 1]));
  }

  private static Object redirect(Response res, @Nullable Object... args) {
    if (args.length == 1) {
      return res.redirect(ScriptValues.text(args[0]));
    }
    boolean swapped = args[1] instanceof Number;
    return res.redirect(number(args[swapped ? 1 : 0]), ScriptValues.text(args[swapped ? 0 : 1]));
  }

  private static Object format(Response res, Map<String, @Nullable Object> given, Variables scope)
      throws Exception {
    Next next = (Next) ScriptValues.orUndefined(scope.get("next"));
    Map<String, Handler> offers = new LinkedHashMap<>();
    given.forEach(
        (type, offer) -> {
          Middleware step =
              offer instanceof Routine function
                  ? function.step()
                  : (Middleware) ScriptValues.orUndefined(offer);
          offers.put(type, (req, answer) -> step.handle(req, answer, next));
        });
    return res.format(offers);
  }

  private static Map<String, String> texts(Map<String, @Nullable Object> given) {
    Map<String, String> texts = new LinkedHashMap<>();
    given.forEach((name, value) -> texts.put(name, ScriptValues.text(value)));
    return texts;
  }

  private static String[] names(@Nullable Object[] args) {
    List<?> names = args.length > 0 && args[0] instanceof List<?> list ? list : Arrays.asList(args);
    return names.stream().map(ScriptValues::text).toArray(String[]::new);
  }

  private static @Nullable Object get(Response res, String name) {
    List<String> values = res.headers().all(name);
    boolean list = values.size() > 1 || (!values.isEmpty() && CsrfForm.listsCookies(res, name));
    return list ? values : ScriptValues.orUndefined(res.get(name));
  }

  private static Object render(Response res, @Nullable Object[] args) {
    Map<String, @Nullable Object> none = Map.of();
    Map<String, @Nullable Object> locals =
        args.length > 1 && args[1] instanceof Map ? ScriptValues.map(args[1]) : none;
    if (args[args.length - 1] instanceof Routine callback) {
      res.render(ScriptValues.text(args[0]), locals, ViewForms.callback(callback));
    } else {
      res.render(ScriptValues.text(args[0]), locals);
    }
    return ScriptValues.UNDEFINED;
  }

  private static Object end(Response res, @Nullable Object[] args) {
    if (args.length == 0 || ScriptValues.isAbsent(args[0])) {
      res.end();
    } else if (args[0] instanceof byte[] bytes) {
      res.end(bytes);
    } else {
      res.end(ScriptValues.text(args[0]));
    }
    return ScriptValues.UNDEFINED;
  }

  private static Object set(Response res, @Nullable Object... args) {
    if (args[0] instanceof Map<?, ?> map) {
      map.forEach((name, value) -> set(res, String.valueOf(name), value));
      return res;
    }
    String name = ScriptValues.text(args[0]);
    return args[1] instanceof List<?> values
        ? res.set(name, values.stream().map(ScriptValues::text).toList())
        : res.set(name, ScriptValues.text(args[1]));
  }

  private static int number(@Nullable Object value) {
    return ((Number) ScriptValues.orUndefined(value)).intValue();
  }
}
