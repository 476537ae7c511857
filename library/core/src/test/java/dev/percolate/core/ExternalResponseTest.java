package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Headers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ExternalResponseTest {

  private final Settings settings = new Settings();
  private final Response res =
      new Request(new FakeExchange(), new AppState(settings), false).response();

  @Test
  void handlersCanNoLongerRespond() {
    assertNotNull(ExternalResponse.claim(res));
    assertThrows(IllegalStateException.class, () -> res.send("mine"));
    assertNull(ExternalResponse.claim(res));
  }

  @Test
  void aSentResponseCannotBeClaimed() {
    res.send("mine");
    assertNull(ExternalResponse.claim(res));
  }

  @Test
  void hooksSeeAndChangeTheResponseOnAnyThread() throws Exception {
    ExternalResponse answer = ExternalResponse.claim(res);
    assertNotNull(answer);
    res.onHeaders(() -> res.status(204).set("X-Seen", String.valueOf(res.get("X-Theirs"))));
    Headers headers = Headers.of("X-Theirs", "1");
    int status = CompletableFuture.supplyAsync(() -> answer.start(201, headers)).get();
    assertEquals(204, status);
    assertEquals("1", headers.get("X-Seen"));
    assertFalse(res.finished());
  }

  @Test
  void aHookThatThrowsDoesNotStopTheResponse() {
    ExternalResponse answer = ExternalResponse.claim(res);
    assertNotNull(answer);
    res.onHeaders(
        () -> {
          throw new IllegalStateException("hook");
        });
    assertEquals(200, answer.start(200, new Headers()));
  }

  @Test
  void endSetsStatusAndHeaders() {
    ExternalResponse answer = ExternalResponse.claim(res);
    assertNotNull(answer);
    answer.start(200, new Headers());
    answer.end(500, Headers.of("X-Last", "1"));
    assertEquals("500 1", res.status() + " " + res.get("X-Last"));
    assertTrue(res.headersSent());
    assertTrue(res.finished());
  }
}
