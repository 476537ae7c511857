package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests requests that the server rejects before any handler runs. */
abstract class RejectionContract extends ServiceTrial {

  RejectionContract(TestedEngine engine) {
    super(engine);
  }

  /** Records handled and rejected requests. */
  private static final class Gate implements Middleware, RejectionListener {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void handle(Request req, Response res, Next next) {
      seen.add("entered");
      res.send("in");
    }

    @Override
    public void onRejected(Request req, Response res) {
      seen.add("refused " + res.status() + " " + res.headersSent());
    }
  }

  @Test
  void anAmbiguousTargetIsRejected() throws Exception {
    assertRejected(400, Call.get("/a%00b"));
  }

  @Test
  void aSecondHostIsRejected() throws Exception {
    assertRejected(400, Call.get("/").header("Host", "a").header("Host", "b"));
  }

  @Test
  void anInvalidHostIsRejected() throws Exception {
    assertRejected(400, Call.get("/").header("Host", "a/b"));
  }

  @Test
  void aTooLongTargetIsRejected() throws Exception {
    assertRejected(414, Call.get("/" + "x".repeat(8_000)));
  }

  @Test
  void anUnknownExpectationIsRejected() throws Exception {
    assertRejected(417, Call.get("/").header("Expect", "wonders"));
  }

  @Test
  void tooLongHeadersAreRejected() throws Exception {
    assertRejected(431, Call.get("/").header("X", "x".repeat(9_000)));
  }

  @Test
  void tooManyHeadersAreRejected() throws Exception {
    Call call = Call.get("/");
    for (int i = 0; i < 110; i++) {
      call = call.header("X", "1");
    }
    assertRejected(431, call);
  }

  /**
   * Sends a request that must be rejected. Checks that the response has the status code and no
   * body, that it closes the connection if required, that listeners are notified once, and that the
   * server still handles requests.
   */
  private void assertRejected(int status, Call call) throws Exception {
    assumeTrue(engine.rejectsHeads());
    Gate gate = new Gate();
    Client client = client(gate);
    Reply reply = call.to(client);
    assertEquals(status, reply.status());
    assertTrue(reply.complete(), reply::toString);
    assertEquals("", reply.text());
    assertNull(reply.header("Content-Type"), reply::toString);
    assertEquals(List.of("0"), reply.all("Content-Length"));
    assertNull(reply.header("Transfer-Encoding"), reply::toString);
    String connection = engine.rejectionsClose() ? "close" : "null";
    assertEquals(connection, String.valueOf(reply.header("Connection")).toLowerCase(Locale.ROOT));
    assertEquals("in", Call.get("/").to(client).text());
    await("the rejection is recorded", () -> gate.seen.size() == 2);
    assertEquals(
        List.of("entered", "refused " + status + " true"), gate.seen.stream().sorted().toList());
  }
}
