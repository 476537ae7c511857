package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.middleware.CookieParser;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the middleware that the originals' framework bundles. */
final class MiddlewareForm {

  private MiddlewareForm() {}

  static Middleware make(String name, @Nullable Object[] args, Names scope) {
    return switch (name) {
      case "cookieParser" -> cookieParser(args);
      case "logger" -> LoggerForm.make(args.length == 0 ? "combined" : args[0], Map.of(), scope);
      // The query is there without a middleware.
      case "query" -> (req, res, next) -> next.run();
      case "static" -> FileForm.middleware(args);
      default -> throw scope.world().missing("middleware " + name);
    };
  }

  private static CookieParser cookieParser(@Nullable Object[] args) {
    boolean secret = args.length > 0 && Values.isTrue(args[0]);
    return secret ? CookieParser.of(Values.text(args[0])) : CookieParser.of();
  }
}
