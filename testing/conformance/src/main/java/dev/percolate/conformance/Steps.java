package dev.percolate.conformance;

import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds an application from steps. */
final class Steps {

  private Steps() {}

  /** Builds the application of a scenario. The given settings replace our defaults. */
  static App outermost(Settings defaults, List<@Nullable Object> steps, World world)
      throws Exception {
    return build(new App().set(defaults), steps, world);
  }

  /** Builds an application that will be mounted in another one. */
  static App inner(List<@Nullable Object> steps, World world) throws Exception {
    return build(new App(), steps, world);
  }

  private static App build(App app, List<@Nullable Object> steps, World world) throws Exception {
    run(app, steps, Variables.of(world, app));
    return app;
  }

  private static void run(App app, List<@Nullable Object> steps, Variables scope) throws Exception {
    for (Object step : steps) {
      List<@Nullable Object> parts = ScriptValues.list(step);
      String name = (String) parts.get(0);
      List<@Nullable Object> args = parts.subList(1, parts.size());
      if (name.equals("configure")) {
        configure(app, args, scope);
      } else {
        Variables inner = isRoute(name) ? scope.ofRoute() : scope;
        AppSteps.apply(app, name, Expressions.all(args, inner), scope.world());
      }
    }
  }

  private static void configure(App app, List<@Nullable Object> args, Variables scope)
      throws Exception {
    int last = args.size() - 1;
    boolean[] wanted = {false};
    List<String> envs = args.subList(0, last).stream().map(String::valueOf).toList();
    app.configure(envs, () -> wanted[0] = true);
    if (wanted[0]) {
      run(app, ScriptValues.list(args.get(last)), scope);
    }
  }

  /** Returns true if the handlers of a step belong to a route. */
  private static boolean isRoute(String step) {
    return switch (step) {
      case "use", "set", "engine", "log", "logger.format", "logger.token" -> false;
      default -> true;
    };
  }
}
