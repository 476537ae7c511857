package dev.percolate.conformance;

import dev.percolate.core.Middleware;
import dev.percolate.middleware.BasicAuth;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes the middleware that asks for a name and a password. */
final class AuthForm {

  private AuthForm() {}

  static Middleware make(@Nullable Object[] args) {
    if (args.length > 0 && args[0] instanceof Routine check) {
      BasicAuth auth =
          check.arity() >= 3
              ? BasicAuth.async(asked(check))
              : BasicAuth.of((user, password) -> Values.isTrue(check.invoke(user, password)));
      return args.length > 1 ? auth.realm(Values.text(args[1])) : auth;
    }
    if (args.length < 2 || !(args[1] instanceof String password)) {
      throw Errors.of("password argument required");
    }
    BasicAuth auth = BasicAuth.of(Values.text(args[0]), password);
    return args.length > 2 ? auth.realm(Values.text(args[2])) : auth;
  }

  private static BasicAuth.AsyncCheck asked(Routine check) {
    return (user, password) -> {
      CompletableFuture<@Nullable Object> found = new CompletableFuture<>();
      Routine done =
          answer -> {
            boolean failed = answer.length > 0 && Values.isTrue(answer[0]);
            found.complete(failed || answer.length < 2 ? null : Values.orNull(answer[1]));
            return Values.UNDEFINED;
          };
      Object ignored = check.invoke(user, password, done);
      return found;
    };
  }
}
