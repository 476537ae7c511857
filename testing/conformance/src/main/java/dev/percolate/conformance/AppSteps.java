package dev.percolate.conformance;

import dev.percolate.core.ETagFunction;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.framework.ParamFactory;
import dev.percolate.framework.PathPattern;
import dev.percolate.http.Trust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the steps that build an application. Their arguments are already evaluated. */
final class AppSteps {

  private AppSteps() {}

  /** Runs a step. */
  static void apply(App app, String name, @Nullable Object[] args, World world) {
    switch (name) {
      case "disable" -> app.disable(ScriptValues.text(args[0]));
      case "enable" -> app.enable(ScriptValues.text(args[0]));
      case "engine" -> app.engine(ScriptValues.text(args[0]), ViewForms.engine(args[1]));
      case "locals" -> ScriptValues.map(app.locals()).putAll(ScriptValues.map(args[0]));
      case "locals.call" -> app.locals(ScriptValues.map(args[0]));
      case "log" -> world.log(PlainValues.show(args[0]));
      case "logger.format" -> LoggerForm.defineFormat(ScriptValues.text(args[0]), args[1]);
      case "logger.token" -> LoggerForm.defineToken(ScriptValues.text(args[0]), (Routine) args[1]);
      case "param" -> param(app, args);
      case "render" -> render(app, args, world);
      case "set" -> set(app, ScriptValues.text(args[0]), args.length < 2 ? null : args[1]);
      case "use" -> use(app, args);
      case "use-router" -> app.use(app.router());
      default -> route(app, name, args);
    }
  }

  /** Renders a view and logs the result. */
  private static void render(App app, @Nullable Object[] args, World world) {
    Map<String, @Nullable Object> none = Map.of();
    app.render(
        ScriptValues.text(args[0]),
        args.length > 1 ? ScriptValues.map(args[1]) : none,
        (error, text) ->
            world.log(error == null ? String.valueOf(text) : "error: " + OriginalTexts.of(error)));
  }

  private static void set(App app, String name, @Nullable Object value) {
    Object given = ScriptValues.orNull(value);
    if (given instanceof Routine function) {
      given =
          switch (name) {
            case "etag" -> etag(function);
            case "json replacer" -> (JsonCodec.Replacer) function::invoke;
            case "trust proxy" -> trust(function);
            default -> function;
          };
    }
    app.set(name, given);
  }

  private static ETagFunction etag(Routine function) {
    return (body, charset) -> {
      Object tag = function.invoke(body, ScriptValues.orUndefined(charset));
      return ScriptValues.isTrue(tag) ? ScriptValues.text(tag) : null;
    };
  }

  private static Trust trust(Routine function) {
    return (address, hop) -> ScriptValues.isTrue(function.invoke(address, hop));
  }

  private static void use(App app, @Nullable Object[] args) {
    boolean atPath = args[0] instanceof String;
    List<Middleware> steps = steps(Arrays.asList(args).subList(atPath ? 1 : 0, args.length));
    define(() -> app.use(atPath ? (String) args[0] : "/", steps.toArray(Middleware[]::new)));
  }

  /**
   * Runs a definition. Ignores paths without a leading slash, which never match in the originals.
   */
  private static void define(Supplier<App> definition) {
    try {
      App ignored = definition.get();
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).endsWith(": path must start with \"/\"")) {
        throw e;
      }
    }
  }

  private static void route(App app, String verb, @Nullable Object[] args) {
    PathPattern path =
        args[0] instanceof Pattern expression
            ? PathPattern.of(expression)
            : PathPattern.of(ScriptValues.isAbsent(args[0]) ? "" : ScriptValues.text(args[0]));
    List<Middleware> steps = steps(Arrays.asList(args).subList(1, args.length));
    define(() -> app.define(verb.equals("del") ? "delete" : verb, path, steps));
  }

  private static void param(App app, @Nullable Object[] args) {
    if (args.length == 1) {
      Routine function = (Routine) ScriptValues.orUndefined(args[0]);
      ParamFactory factory =
          (name, value) -> paramValue(ScriptValues.orNull(function.invoke(name, value)));
      app.param(factory);
      return;
    }
    Object value = ScriptValues.orUndefined(paramValue(args[1]));
    if (args[0] instanceof List<?> names) {
      app.param(names.stream().map(String::valueOf).toList(), value);
    } else {
      app.param(ScriptValues.text(args[0]), value);
    }
  }

  private static @Nullable Object paramValue(@Nullable Object value) {
    return value instanceof Routine function ? function.paramCallback() : value;
  }

  private static List<Middleware> steps(List<?> values) {
    List<Middleware> steps = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof List<?> list) {
        steps.addAll(steps(list));
      } else {
        steps.add(value instanceof Routine function ? function.step() : (Middleware) value);
      }
    }
    return steps;
  }
}
