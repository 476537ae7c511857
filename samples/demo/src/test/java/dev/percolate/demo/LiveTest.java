package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.TestEventStream;
import org.junit.jupiter.api.Test;

final class LiveTest {

  @Test
  void newEntriesReachAllOpenPages() throws Exception {
    try (OpenBook book = new OpenBook();
        MemoryClient client = MemoryClient.of(book.app())) {
      TestEventStream one = client.events("/live?lastEventId=0");
      TestEventStream other = client.events("/live?lastEventId=0");
      assertEquals(303, book.visitor().write("Ann", "Hello <b>").status());
      for (TestEventStream stream : new TestEventStream[] {one, other}) {
        String data = stream.data();
        assertTrue(data.contains("\"name\":\"Ann\",\"message\":\"Hello <b>\""), data);
      }
    }
  }

  @Test
  void onlyTheNewestPageIsLive() throws Exception {
    try (OpenBook book = new OpenBook()) {
      assertTrue(book.get("/").text().contains("data-live"));
      assertTrue(book.get("/").text().contains("src=\"/live.js\""));
      assertEquals(-1, book.get("/?before=1").text().indexOf("data-live"));
      assertEquals(200, book.get("/live.js").status());
    }
  }
}
