package dev.percolate.conformance;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs statements. */
final class Statements {

  private static final long DEFER_MILLIS = 3;

  private static final Executor LATER =
      CompletableFuture.delayedExecutor(DEFER_MILLIS, TimeUnit.MILLISECONDS);

  private Statements() {}

  /** The value of a return statement that has run. */
  private record Returned(@Nullable Object value) {}

  /** Runs a body, and returns its result; undefined without a return statement. */
  static @Nullable Object run(List<@Nullable Object> body, Variables scope) throws Exception {
    Returned returned = runAll(body, scope);
    return returned == null ? ScriptValues.UNDEFINED : returned.value();
  }

  private static @Nullable Returned runAll(List<@Nullable Object> body, Variables scope)
      throws Exception {
    for (Object statement : body) {
      List<@Nullable Object> parts = ScriptValues.list(statement);
      String name = (String) parts.get(0);
      Returned returned = one(name, parts.subList(1, parts.size()), scope);
      if (returned != null) {
        return returned;
      }
    }
    return null;
  }

  private static @Nullable Returned one(String name, List<@Nullable Object> args, Variables scope)
      throws Exception {
    switch (name) {
      case "return" -> {
        return new Returned(
            args.isEmpty() ? ScriptValues.UNDEFINED : Expressions.evaluate(args.get(0), scope));
      }
      case "throw" -> rethrow(Errors.raised(Expressions.evaluate(args.get(0), scope)));
      case "let" -> scope.set((String) args.get(0), Expressions.evaluate(args.get(1), scope));
      case "assign" ->
          Expressions.assign((String) args.get(0), Expressions.evaluate(args.get(1), scope), scope);
      case "if" -> {
        boolean holds = ScriptValues.isTrue(Expressions.evaluate(args.get(0), scope));
        Object branch = holds ? args.get(1) : args.size() > 2 ? args.get(2) : List.of();
        return runAll(ScriptValues.list(branch), scope);
      }
      case "log" -> scope.world().log(PlainValues.show(Expressions.evaluate(args.get(0), scope)));
      case "defer" -> defer(ScriptValues.list(args.get(0)), scope);
      case "try" -> {
        return attempt(ScriptValues.list(args.get(0)), ScriptValues.list(args.get(1)), scope);
      }
      case "drain" -> drain(ScriptValues.list(args.get(0)), scope);
      default -> Expressions.call(name, args, scope);
    }
    return null;
  }

  private static @Nullable Returned attempt(
      List<@Nullable Object> body, List<@Nullable Object> otherwise, Variables scope)
      throws Exception {
    try {
      return runAll(body, scope);
    } catch (MissingFeature e) {
      throw e;
    } catch (Exception e) {
      return runAll(otherwise, scope.copy().set("err", Errors.value(e)));
    }
  }

  private static void defer(List<@Nullable Object> body, Variables scope) {
    scope.world().begun();
    LATER.execute(() -> runLater(body, scope));
  }

  private static void drain(List<@Nullable Object> body, Variables scope) {
    Request req = (Request) ScriptValues.orUndefined(scope.get("req"));
    req.read(
        new ChunkReader() {
          @Override
          public boolean chunk(ByteBuffer piece) {
            return true;
          }

          @Override
          public void done(@Nullable Throwable failure) {
            if (failure == null) {
              scope.world().begun();
              runLater(body, scope);
            }
          }
        });
  }

  /** Runs a body after its caller has returned. Exceptions are passed to next. */
  private static void runLater(List<@Nullable Object> body, Variables scope) {
    try {
      run(body, scope);
    } catch (Exception e) {
      if (scope.get("next") instanceof Next next) {
        next.fail(e);
      }
    } finally {
      scope.world().over();
    }
  }

  private static void rethrow(Throwable error) throws Exception {
    if (error instanceof Error serious) {
      throw serious;
    }
    throw (Exception) error;
  }
}
