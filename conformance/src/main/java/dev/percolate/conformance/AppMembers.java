package dev.percolate.conformance;

import dev.percolate.framework.App;
import org.jspecify.annotations.Nullable;

/** Maps the members of the originals' application to {@link App}. */
final class AppMembers {

  private AppMembers() {}

  static @Nullable Object read(App app, String name, Scope scope) {
    return switch (name) {
      case "locals" -> app.locals();
      case "mountpath", "route" -> app.mountPath();
      case "parent" -> Values.orUndefined(app.parent());
      case "router" -> app.router();
      case "routes" -> app.routes();
      case "settings" -> app.settings();
      default -> Values.UNDEFINED;
    };
  }

  static @Nullable Object call(App app, String name, @Nullable Object[] args, Scope scope)
      throws Exception {
    return switch (name) {
      case "disabled" -> app.disabled(Values.text(args[0]));
      case "enabled" -> app.enabled(Values.text(args[0]));
      case "locals" -> app.locals(Values.map(args[0]));
      case "path" -> app.path();
      default -> {
        if (args.length == 1 && (name.equals("get") || name.equals("set"))) {
          Object value = app.get(Values.text(args[0]));
          yield value == null ? scope.world().absent(app, Values.text(args[0])) : value;
        }
        Steps.apply(app, name, args, scope);
        yield app;
      }
    };
  }
}
