package dev.percolate.conformance;

import dev.percolate.core.ETagFunction;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
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

/** Builds an application by steps. */
final class Steps {

  private Steps() {}

  /** Builds the application of a scenario, with some settings in the place of our defaults. */
  static App outermost(Settings defaults, List<@Nullable Object> steps, World world)
      throws Exception {
    return build(new App().set(defaults), steps, world);
  }

  /** Builds an application that is to be mounted in another one. */
  static App inner(List<@Nullable Object> steps, World world) throws Exception {
    return build(new App(), steps, world);
  }

  private static App build(App app, List<@Nullable Object> steps, World world) throws Exception {
    run(app, steps, Names.of(world, app));
    return app;
  }

  /** Does what a step says, with its arguments evaluated. */
  static void apply(App app, String name, @Nullable Object[] args, Names scope) throws Exception {
    switch (name) {
      case "disable" -> app.disable(Values.text(args[0]));
      case "enable" -> app.enable(Values.text(args[0]));
      case "engine" -> app.engine(Values.text(args[0]), Templates.engine(args[1], scope));
      case "locals" -> Values.map(app.locals()).putAll(Values.map(args[0]));
      case "locals.call" -> app.locals(Values.map(args[0]));
      case "log" -> scope.world().log(Values.show(args[0]));
      case "logger.format" -> LoggerForm.defineFormat(Values.text(args[0]), args[1]);
      case "logger.token" -> LoggerForm.defineToken(Values.text(args[0]), (Routine) args[1]);
      case "param" -> param(app, args);
      case "render" -> render(app, args, scope.world());
      case "set" -> set(app, Values.text(args[0]), args.length < 2 ? null : args[1]);
      case "use" -> use(app, args);
      case "use-router" -> app.use(app.router());
      default -> route(app, name, args);
    }
  }

  private static void run(App app, List<@Nullable Object> steps, Names scope) throws Exception {
    for (Object step : steps) {
      List<@Nullable Object> parts = Values.list(step);
      String name = (String) parts.get(0);
      List<@Nullable Object> args = parts.subList(1, parts.size());
      if (name.equals("configure")) {
        configure(app, args, scope);
      } else {
        Names inner = isRoute(name) ? scope.ofRoute() : scope;
        apply(app, name, Expressions.all(args, inner), scope);
      }
    }
  }

  private static void configure(App app, List<@Nullable Object> args, Names scope)
      throws Exception {
    int last = args.size() - 1;
    boolean[] wanted = {false};
    List<String> envs = args.subList(0, last).stream().map(String::valueOf).toList();
    app.configure(envs, () -> wanted[0] = true);
    if (wanted[0]) {
      run(app, Values.list(args.get(last)), scope);
    }
  }

  /** Renders a view and logs it. */
  private static void render(App app, @Nullable Object[] args, World world) {
    Map<String, @Nullable Object> none = Map.of();
    app.render(
        Values.text(args[0]),
        args.length > 1 ? Values.map(args[1]) : none,
        (error, text) ->
            world.log(error == null ? String.valueOf(text) : "error: " + OriginalTexts.of(error)));
  }

  /** Tells whether handlers of a step belong to a route. */
  private static boolean isRoute(String step) {
    return switch (step) {
      case "use", "set", "engine", "log", "logger.format", "logger.token" -> false;
      default -> true;
    };
  }

  private static void set(App app, String name, @Nullable Object value) {
    Object given = Values.orNull(value);
    if (given instanceof Routine function) {
      given =
          switch (name) {
            case "etag" -> etag(function);
            case "json replacer" -> replacer(function);
            case "trust proxy" -> trust(function);
            default -> function;
          };
    }
    app.set(name, given);
  }

  private static ETagFunction etag(Routine function) {
    return (body, charset) -> {
      Object tag = call(function, body, Values.orUndefined(charset));
      return Values.isTrue(tag) ? Values.text(tag) : null;
    };
  }

  private static Trust trust(Routine function) {
    return (address, hop) -> Values.isTrue(call(function, address, hop));
  }

  static JsonCodec.Replacer replacer(Routine function) {
    return (key, value) -> call(function, key, value);
  }

  /** Calls a function where Java allows unchecked exceptions only. */
  static @Nullable Object call(Routine function, @Nullable Object... args) {
    try {
      return function.call(args);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void use(App app, @Nullable Object[] args) {
    boolean atPath = args[0] instanceof String;
    List<Middleware> steps = steps(Arrays.asList(args).subList(atPath ? 1 : 0, args.length));
    define(() -> app.use(atPath ? (String) args[0] : "/", steps.toArray(Middleware[]::new)));
  }

  /** Defines what has a path; where that does not begin with a slash, theirs never matches. */
  private static void define(Supplier<App> definition) {
    try {
      App ignored = definition.get();
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).endsWith(": a path starts with \"/\"")) {
        throw e;
      }
    }
  }

  private static void route(App app, String verb, @Nullable Object[] args) {
    PathPattern path =
        args[0] instanceof Pattern expression
            ? PathPattern.of(expression)
            : PathPattern.of(Values.isAbsent(args[0]) ? "" : Values.text(args[0]));
    List<Middleware> steps = steps(Arrays.asList(args).subList(1, args.length));
    define(() -> app.on(verb.equals("del") ? "delete" : verb, path, steps));
  }

  private static void param(App app, @Nullable Object[] args) {
    if (args.length == 1) {
      Routine function = (Routine) Values.orUndefined(args[0]);
      ParamFactory factory =
          (name, value) -> paramValue(Values.orNull(call(function, name, value)));
      app.param(factory);
      return;
    }
    Object value = Values.orUndefined(paramValue(args[1]));
    if (args[0] instanceof List<?> names) {
      app.param(names.stream().map(String::valueOf).toList(), value);
    } else {
      app.param(Values.text(args[0]), value);
    }
  }

  private static @Nullable Object paramValue(@Nullable Object value) {
    return value instanceof Routine function ? Forms.paramCallback(function) : value;
  }

  private static List<Middleware> steps(List<?> values) {
    List<Middleware> steps = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof List<?> list) {
        steps.addAll(steps(list));
      } else {
        steps.add(value instanceof Routine function ? Forms.step(function) : (Middleware) value);
      }
    }
    return steps;
  }
}
