package dev.percolate.reliability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.benchmarks.PercolateServer;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.reliability.Question.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs {@code reliability/mixed-load} for some seconds in each build. A connection that is no
 * longer read is detected by a missing response, because the server closes it as idle.
 */
final class MixedLoadTest {

  private static final int SECONDS = 4;
  private static final int LONGER_THAN_IDLE = 7;

  @AfterEach
  void clear() {
    List.of("etag", "port", "threads").forEach(System::clearProperty);
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  @DisabledIfSystemProperty(named = "percolate.again", matches = "true")
  void eachRequestGetsItsOwnResponse(ThreadMode mode) throws Exception {
    if (mode == ThreadMode.VIRTUAL && ThreadMode.ofThisJdk() != mode) {
      return; // this JDK has no virtual threads
    }
    Set<Kind> kinds = EnumSet.allOf(Kind.class);
    if (mode == ThreadMode.EVENT_LOOP) {
      kinds.remove(Kind.SLOW);
    }
    Tally tally = new Tally();
    boolean ended = play(mode, mode == ThreadMode.POOL ? LONGER_THAN_IDLE : SECONDS, kinds, tally);
    assertTrue(ended, "clients still wait for responses");
    assertEquals(List.of(), tally.faults());
    assertTrue(tally.right() > 500, "only " + tally.right() + " responses");
  }

  @Test
  void tallyReportsWrongAndLostResponses() {
    Tally tally = new Tally();
    assertEquals(List.of(), tally.faults());
    tally.lost("no response");
    assertEquals(List.of("lost\tno response"), tally.faults());
    assertEquals(0, tally.right());
  }

  private static boolean play(ThreadMode mode, int seconds, Set<Kind> kinds, Tally tally)
      throws Exception {
    System.setProperty("etag", "true");
    System.setProperty("port", "0");
    System.setProperty("threads", mode.toString());
    try (Server server = PercolateServer.start()) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
      return MixedLoad.run(
          new Load(List.of(address), seconds, 16, new SplittableRandom(25)), kinds, tally);
    }
  }
}
