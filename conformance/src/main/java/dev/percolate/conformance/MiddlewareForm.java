package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the middleware that the originals' framework bundles. */
final class MiddlewareForm {

  private MiddlewareForm() {}

  static Middleware make(String name, @Nullable Object[] args, Scope scope) {
    return switch (name) {
      case "logger" -> LoggerForm.make(args.length == 0 ? "combined" : args[0], Map.of(), scope);
      default -> throw scope.world().missing("middleware " + name);
    };
  }
}
