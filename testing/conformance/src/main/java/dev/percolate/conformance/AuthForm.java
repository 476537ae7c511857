package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.middleware.BasicAuth;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Creates the middleware for basic authentication. */
final class AuthForm {

  private AuthForm() {}

  static Middleware make(@Nullable Object[] args) {
    if (args.length > 0 && args[0] instanceof Routine check) {
      BasicAuth auth =
          check.arity() >= 3
              ? BasicAuth.async(asked(check))
              : BasicAuth.of((user, password) -> ScriptValues.isTrue(check.invoke(user, password)));
      return args.length > 1 ? auth.realm(ScriptValues.text(args[1])) : auth;
    }
    if (args.length < 2 || !(args[1] instanceof String password)) {
      throw Errors.of("password argument required");
    }
    BasicAuth auth = BasicAuth.of(ScriptValues.text(args[0]), password);
    return args.length > 2 ? auth.realm(ScriptValues.text(args[2])) : auth;
  }

  private static BasicAuth.AsyncCheck asked(Routine check) {
    return (user, password) -> {
      CompletableFuture<@Nullable Object> found = new CompletableFuture<>();
      Routine done =
          answer -> {
            boolean failed = answer.length > 0 && ScriptValues.isTrue(answer[0]);
            found.complete(failed || answer.length < 2 ? null : ScriptValues.orNull(answer[1]));
            return ScriptValues.UNDEFINED;
          };
      Object ignored = check.invoke(user, password, done);
      return found;
    };
  }
}
