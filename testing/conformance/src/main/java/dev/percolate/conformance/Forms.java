package dev.percolate.conformance;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.framework.ParamCallback;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates handlers, middleware and functions. */
final class Forms {

  static final Set<String> NAMES =
      Set.of("handler", "error", "param", "router", "app", "logger", "parser", "middleware");

  private Forms() {}

  private record Function(List<@Nullable Object> body, List<String> params, Variables scope)
      implements Routine {

    @Override
    public @Nullable Object call(@Nullable Object... args) throws Exception {
      Variables inner = scope.copy();
      for (int i = 0; i < params.size(); i++) {
        inner.set(params.get(i), i < args.length ? args[i] : ScriptValues.UNDEFINED);
      }
      return Statements.run(body, inner);
    }

    @Override
    public int arity() {
      return params.size();
    }
  }

  static Object make(
      String form, @Nullable Object given, Map<String, @Nullable Object> map, Variables scope)
      throws Exception {
    return switch (form) {
      case "handler" -> handler(ScriptValues.list(given), scope);
      case "error" -> errorHandler(ScriptValues.list(given), scope);
      case "param" -> paramCallback(ScriptValues.list(given), scope);
      case "router" -> ((App) ScriptValues.orUndefined(scope.get("app"))).router();
      case "app" -> Steps.inner(ScriptValues.list(given), scope.world());
      case "logger" ->
          LoggerForm.make(Expressions.evaluate(given, scope), options(map, scope), scope);
      case "parser" ->
          ParserForm.make((String) ScriptValues.orUndefined(given), options(map, scope));
      default -> {
        List<@Nullable Object> list = ScriptValues.list(given);
        @Nullable Object[] args = Expressions.all(list.subList(1, list.size()), scope);
        yield MiddlewareForm.make((String) list.get(0), args, scope);
      }
    };
  }

  /** Creates a function. Its parameters hide outer names. */
  static Routine function(List<@Nullable Object> body, List<String> params, Variables scope) {
    return new Function(body, params, scope);
  }

  private static Middleware handler(List<@Nullable Object> body, Variables scope) {
    return (req, res, next) -> {
      Variables inner = called(req, res, next, scope);
      App app = App.of(req);
      Object ignored = Statements.run(body, app == null ? inner : inner.set("app", app));
    };
  }

  private static ErrorHandler errorHandler(List<@Nullable Object> body, Variables scope) {
    return (error, req, res, next) -> {
      Variables inner = called(req, res, next, scope).set("err", Errors.value(error));
      Object ignored = Statements.run(body, inner);
    };
  }

  private static ParamCallback paramCallback(List<@Nullable Object> body, Variables scope) {
    return (req, res, next, value, name) -> {
      Variables inner = called(req, res, next, scope).set("value", value).set("name", name);
      Object ignored = Statements.run(body, inner);
    };
  }

  private static Variables called(Request req, Response res, Next next, Variables scope) {
    return scope.copy().set("req", req).set("res", res).set("next", next);
  }

  private static Map<String, @Nullable Object> options(
      Map<String, @Nullable Object> map, Variables scope) throws Exception {
    Object options = map.get("options");
    return options == null ? Map.of() : Expressions.fields(ScriptValues.map(options), scope, false);
  }
}
