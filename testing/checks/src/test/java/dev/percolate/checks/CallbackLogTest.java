package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Tests the log lines of {@link Callbacks} about callbacks that throw. */
final class CallbackLogTest {

  @Test
  void allCallbacksRunAndEachFailureIsLoggedOnce() {
    Fault fault = new Fault();
    List<Integer> ran = new ArrayList<>();
    try (LogCapture log = new LogCapture()) {
      Callbacks.runAll(
          "a hook", List.of(() -> ran.add(1), fault::run, fault::run, () -> ran.add(2)));
      Callbacks.accept("a subscriber", value -> fault.run(), 1);
      assertEquals(List.of(1, 2), ran);
      assertEquals(3, fault.raised().size());
      fault.raised().forEach(one -> assertEquals(1, log.linesOf(one)));
      assertTrue(log.contains("a hook failed"));
      assertTrue(log.contains("a subscriber failed"));
    }
  }

  @Test
  void logThatFailsItselfDoesNotReachTheCaller() {
    Fault fault = new Fault();
    Logger logger = Logger.getLogger("dev.percolate");
    Handler failing =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            fault.run();
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    try (LogCapture log = new LogCapture()) {
      logger.addHandler(failing);
      for (int i = 0; i < Fault.COUNT; i++) {
        Callbacks.failed("a hook", new IllegalStateException());
      }
      assertTrue(log.contains("a hook failed"));
    } finally {
      logger.removeHandler(failing);
    }
    assertEquals(Fault.COUNT, fault.raised().size());
  }
}
