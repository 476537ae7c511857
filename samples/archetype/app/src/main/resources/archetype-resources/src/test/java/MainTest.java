package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls the whole application in memory, without a socket. */
final class MainTest {

  @Test
  void thePageGreetsAndEscapes() {
    Reply reply = Call.get("/?name=%3CAnn%3E").to(Main.app());
    assertEquals(200, reply.status());
    assertTrue(reply.text().contains("Hello, &lt;Ann&gt;!"), reply::toString);
  }

  @Test
  void sumsNumbers() {
    Reply reply = Call.post("/api/sum").json(Map.of("a", 1, "b", 2)).to(Main.app());
    assertEquals(3, reply.json(Map.class).get("sum"));
  }

  @Test
  void invalidInputIsAProblem() {
    Reply reply = Call.post("/api/sum").json(Map.of("a", "one")).to(Main.app());
    assertEquals(400, reply.status());
    assertEquals("application/problem+json", reply.header("Content-Type"));
  }
}
