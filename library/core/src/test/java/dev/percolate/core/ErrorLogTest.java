package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorLogTest {

  private final Settings settings = new Settings();
  private final AppState appState = new AppState(settings);
  private final AppCounters counters = appState.counters();
  private final ErrorLog errorLog = appState.faultLog();
  private final String request = FakeExchange.of("GET", "/a\nb").request().toString();

  @Test
  void eachKindHasItsOwnCounter() {
    try (LogLines log = new LogLines()) {
      counters.duplicateResponses.increment();
      errorLog.secondNext(request);
      errorLog.secondNext(request);
      for (int i = 0; i < 3; i++) {
        errorLog.late(new IllegalStateException("late"), request, false);
      }
      assertEquals(
          List.of(1L, 2L, 3L),
          List.of(
              counters.duplicateResponses(), counters.duplicateNextCalls(), counters.lateErrors()));
      assertEquals(3, log.lines().size());
    }
  }

  @Test
  void aSecondNextIsLoggedOnlyInDevelopment() {
    try (LogLines log = new LogLines()) {
      errorLog.secondNext(request);
      assertEquals(List.of(), log.lines());
      settings.set("env", "development");
      errorLog.secondNext(request);
      String line = log.lines().get(0);
      assertTrue(line.startsWith("WARNING next was called twice"), line);
      assertTrue(line.contains("GET /a") && line.indexOf('\n') < 0, line);
    }
  }

  @Test
  void serverErrorsAreLoggedAsErrorsAndClientErrorsAsInfo() {
    try (LogLines log = new LogLines()) {
      settings.set("env", "production");
      errorLog.unhandled(new HttpError(400, "bad"), 400, "GET /a");
      assertEquals(List.of(), log.lines());
      settings.set("env", "development");
      errorLog.unhandled(new IllegalStateException("x"), 404, "GET /a");
      errorLog.unhandled(new HttpError(400, "bad\r\nline"), 400, "GET /a");
      assertTrue(log.lines().get(0).startsWith("SEVERE GET /a"), log.lines().get(0));
      assertTrue(log.lines().get(1).startsWith("INFO GET /a"), log.lines().get(1));
      assertTrue(log.lines().get(1).contains("bad") && log.lines().get(1).indexOf('\n') < 0);
    }
  }
}
