package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What an engine promises of requests that do not enter the chain. */
abstract class RefusalContract extends AnswerContract {

  /**
   * Tells whether the engine itself refuses heads that may not enter the chain.
   *
   * @return false if it reads none, or something in front of it does
   */
  protected boolean refusesHeads() {
    return true;
  }

  /**
   * Tells whether a connection ends with a request that was refused, and says so.
   *
   * @return false if others on it go on
   */
  protected boolean refusalsClose() {
    return true;
  }

  /** Notes what enters, and what is refused. */
  private static final class Gate implements Middleware, RefusalListener {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void handle(Request req, Response res, Next next) {
      seen.add("entered");
      res.send("in");
    }

    @Override
    public void refused(Request req, Response res) {
      seen.add("refused " + res.status() + " " + res.headersSent());
    }
  }

  @Test
  void aTargetThatCanMeanTwoThingsIsRefused() throws Exception {
    assertRefused(400, Call.get("/a%00b"));
  }

  @Test
  void aSecondHostIsRefused() throws Exception {
    assertRefused(400, Call.get("/").header("Host", "a").header("Host", "b"));
  }

  @Test
  void aHostThatIsNoneIsRefused() throws Exception {
    assertRefused(400, Call.get("/").header("Host", "a/b"));
  }

  @Test
  void aTargetThatIsTooLongIsRefused() throws Exception {
    assertRefused(414, Call.get("/" + "x".repeat(8_000)));
  }

  @Test
  void anExpectationThatNobodyKnowsIsRefused() throws Exception {
    assertRefused(417, Call.get("/").header("Expect", "wonders"));
  }

  @Test
  void headersThatAreTooLongAreRefused() throws Exception {
    assertRefused(431, Call.get("/").header("X", "x".repeat(9_000)));
  }

  @Test
  void headersThatAreTooManyAreRefused() throws Exception {
    Call call = Call.get("/");
    for (int i = 0; i < 110; i++) {
      call = call.header("X", "1");
    }
    assertRefused(431, call);
  }

  /**
   * Sends a request that may not enter: the answer has a status and no body, ends the connection
   * and says so; those who listen see it once, and the server lives on.
   */
  private void assertRefused(int status, Call call) throws Exception {
    assumeTrue(refusesHeads());
    Gate gate = new Gate();
    Client client = client(gate);
    Reply reply = call.to(client);
    assertEquals(status, reply.status());
    assertTrue(reply.complete(), reply::toString);
    assertEquals("", reply.text());
    assertNull(reply.header("Content-Type"), reply::toString);
    assertEquals(List.of("0"), reply.all("Content-Length"));
    assertNull(reply.header("Transfer-Encoding"), reply::toString);
    String connection = refusalsClose() ? "close" : "null";
    assertEquals(connection, String.valueOf(reply.header("Connection")).toLowerCase(Locale.ROOT));
    assertEquals("in", Call.get("/").to(client).text());
    await("the refusal is seen", () -> gate.seen.size() == 2);
    assertEquals(
        List.of("entered", "refused " + status + " true"), gate.seen.stream().sorted().toList());
  }
}
