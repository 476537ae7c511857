package dev.percolate.conformance;

import dev.percolate.framework.App;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' application to {@link App}. */
final class AppMembers {

  private AppMembers() {}

  static @Nullable Object read(App app, String name) {
    return switch (name) {
      case "locals" -> app.locals();
      case "mountpath", "route" -> app.mountPath();
      case "parent" -> ScriptValues.orUndefined(app.parent());
      case "router" -> app.router();
      case "routes" -> app.routes();
      case "settings" -> app.settings();
      default -> ScriptValues.UNDEFINED;
    };
  }

  static @Nullable Object call(App app, String name, @Nullable Object[] args, Variables scope)
      throws Exception {
    return switch (name) {
      case "disabled" -> app.disabled(ScriptValues.text(args[0]));
      case "enabled" -> app.enabled(ScriptValues.text(args[0]));
      case "locals" -> app.locals(ScriptValues.map(args[0]));
      case "path" -> app.path();
      case "render" -> render(app, args);
      default -> {
        if (args.length == 1 && (name.equals("get") || name.equals("set"))) {
          Object value = app.get(ScriptValues.text(args[0]));
          boolean isNull = value == null && app.settings().has(ScriptValues.text(args[0]));
          yield isNull ? null : ScriptValues.orUndefined(value);
        }
        AppSteps.apply(app, name, args, scope.world());
        yield app;
      }
    };
  }

  private static Object render(App app, @Nullable Object[] args) {
    Map<String, @Nullable Object> none = Map.of();
    app.render(
        ScriptValues.text(args[0]),
        args.length > 2 && args[1] instanceof Map ? ScriptValues.map(args[1]) : none,
        ViewForms.callback((Routine) ScriptValues.orUndefined(args[args.length - 1])));
    return ScriptValues.UNDEFINED;
  }
}
