package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CallbacksTest {

  private static final Logger LOGGER = Logger.getLogger("dev.percolate");

  private final List<LogRecord> lines = new ArrayList<>();
  private boolean broken;
  private final Handler log =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line);
          if (broken) {
            throw new OutOfMemoryError("thrown by the log");
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(log);
  }

  @AfterEach
  void listenNoMore() {
    LOGGER.removeHandler(log);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void allCallbacksRunAndEachFailureIsLoggedOnce() {
    Error error = new StackOverflowError();
    List<Integer> ran = new ArrayList<>();
    Callbacks.runAll(
        "a hook",
        List.of(
            () -> ran.add(1),
            () -> {
              throw error;
            },
            () -> {
              throw new IllegalStateException();
            },
            () -> ran.add(2)));
    assertEquals(List.of(1, 2), ran);
    assertEquals(
        List.of("a hook failed", "a hook failed"),
        lines.stream().map(LogRecord::getMessage).toList());
    assertSame(error, lines.get(0).getThrown());
  }

  @Test
  void consumerThatThrowsIsLogged() {
    Callbacks.accept("a subscriber", List.<Integer>of()::add, 1); // of a list that cannot change
    assertEquals("a subscriber failed", lines.get(0).getMessage());
  }

  @Test
  void logThatFailsItselfDoesNotReachTheCaller() {
    broken = true;
    Callbacks.run("a hook", () -> Callbacks.failed("another", new IllegalStateException()));
    assertEquals(1, lines.size());
  }
}
