package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long, and for how many connections, bytes after the last response are discarded. */
@Timeout(60)
final class LingeringTest {

  private static final int FEW = 16 << 20;

  private static long seconds(double seconds) {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  private static ServerState state() throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    return new ServerState(
        Chain.service(new Settings()), options, LoopThreads.PLATFORM, () -> null);
  }

  /** Returns the seconds until a client that sends this many bytes per second is closed. */
  private static int closedAfter(ServerState state, int bytes) {
    return closedAfter(state, bytes, Integer.MAX_VALUE);
  }

  private static int closedAfter(ServerState state, int bytes, int silentAfter) {
    Lingering one = new Lingering(state, 0);
    for (int tenth = 1; tenth < 10_000; tenth++) {
      long now = seconds(tenth / 10.0);
      if (tenth % 10 == 0 && bytes > 0 && tenth <= silentAfter * 10L) {
        one.received(bytes, now);
      }
      if (one.isOver(now)) {
        one.end();
        return tenth / 10;
      }
    }
    throw new AssertionError("never");
  }

  @DisplayName("DOS-16: an upload is discarded for a limited time, and ends early if it is slow")
  @Test
  void uploadsLingerForHalfAMinuteAndSilentOrSlowClientsForLess() throws Exception {
    ServerState state = state();
    assertEquals(2, closedAfter(state, 0));
    assertEquals(5, closedAfter(state, 1));
    assertEquals(5, closedAfter(state, 200));
    assertEquals(30, closedAfter(state, 1_000));
    assertEquals(30, closedAfter(state, FEW));
  }

  @Test
  void aClientThatHasSentMayPauseForFiveSeconds() throws Exception {
    assertEquals(6, closedAfter(state(), FEW, 1));
    assertEquals(15, closedAfter(state(), FEW, 10));
  }

  @Test
  void beyondTheLimitConnectionsLingerForTwoSecondsOrAFewBytes() throws Exception {
    ServerState state = state();
    List<Lingering> all = new ArrayList<>();
    for (int i = 0; i < ServerState.MOST_LINGERING; i++) {
      Lingering one = new Lingering(state, 0);
      one.received(FEW + 1, 1);
      assertTrue(!one.isOver(2));
      all.add(one);
    }
    assertEquals(2, closedAfter(state, 1_000));
    assertEquals(1, closedAfter(state, FEW + 1));
    all.get(0).end();
    assertEquals(30, closedAfter(state, 1_000));
    assertEquals(30, closedAfter(state, 1_000));
  }

  @Test
  void aServerThatIsBeingClosedDoesNotWaitForUploads() throws Exception {
    ServerState state = state();
    state.drain();
    assertEquals(2, closedAfter(state, 1_000));
  }

  @ParameterizedTest
  @ValueSource(ints = {17_000_000, 50_000_000})
  void theClientOfTheJdkSeesAnEarlyResponseOverTls(int size, @TempDir Path folder)
      throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    Middleware early = (req, res, next) -> res.status(413).send("too large");
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").tls(certificate.tls());
    try (Server server = new NioEngine().listen(Chain.service(new Settings(), early), options)) {
      HttpClient client =
          HttpClient.newBuilder().sslContext(TestCertificate.trusting(certificate)).build();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/"))
              .POST(BodyPublishers.ofByteArray(new byte[size]))
              .build();
      assertEquals(413, client.send(request, BodyHandlers.ofString()).statusCode());
    }
  }
}
