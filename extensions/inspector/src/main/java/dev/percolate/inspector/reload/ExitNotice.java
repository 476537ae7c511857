package dev.percolate.inspector.reload;

import dev.percolate.engine.CallSite;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the line of the application that has ended the process. */
final class ExitNotice {

  private ExitNotice() {}

  /** Reports a later call of {@code System.exit}, when the process ends. */
  static void add(Consumer<String> console) {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> report(console), "percolate-exit-notice"));
  }

  private static void report(Consumer<String> console) {
    Thread.getAllStackTraces().values().stream()
        .map(ExitNotice::caller)
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(
            line ->
                console.accept("System.exit was called " + line + "; the development loop ends"));
  }

  /** Returns the line that called the method; null if the thread did not call it. */
  private static @Nullable String caller(StackTraceElement... stack) {
    boolean exits =
        Stream.of(stack)
            .anyMatch(
                frame ->
                    frame.getClassName().equals("java.lang.Runtime")
                        && frame.getMethodName().equals("exit"));
    return exits ? CallSite.of(stack) : null;
  }
}
