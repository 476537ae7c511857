package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import org.junit.jupiter.api.Test;

final class TestEventStreamTest {

  private static MemoryClient client(Handler handler) {
    return MemoryClient.of(Chain.service(new Settings(), handler));
  }

  private static String failure(Handler handler) {
    try (MemoryClient client = client(handler);
        TestEventStream events = client.events("/")) {
      AssertionError error = assertThrows(AssertionError.class, events::data);
      return String.valueOf(error.getMessage());
    }
  }

  @Test
  void aResponseThatBrowsersRejectHasNoEvents() {
    String missing = failure((req, res) -> res.status(404).send("data: x\n\n"));
    assertTrue(missing.startsWith("the server did not open an event stream: 404"), missing);
    String page = failure((req, res) -> res.send("data: x\n\n"));
    assertTrue(page.contains("Content-Type: text/html"), page);
  }

  @Test
  void theTypeMayHaveACharset() {
    Handler handler =
        (req, res) -> res.set("Content-Type", "text/event-stream").send(":hi\ndata: x\n\n");
    try (MemoryClient client = client(handler);
        TestEventStream events = client.events("/")) {
      assertEquals("text/event-stream; charset=utf-8", events.head().header("Content-Type"));
      assertEquals("x", events.data());
      assertEquals("hi", events.comments(1).get(0));
    }
  }
}
