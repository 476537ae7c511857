package dev.percolate.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.engine.ListenOptions;
import dev.percolate.fixtures.TestCertificate;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handshakes release their slots, whatever they are doing when they end. */
@Timeout(60)
final class HandshakeTest {

  private static final ByteBuffer HELLO = ByteBuffer.allocate(0);

  /** A loop whose tasks the test runs. */
  private static final class Loop implements TransportLoop {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    @Override
    public LoopMemory memory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable task, Runnable lost) {
      tasks.add(task);
    }

    void runNext() throws InterruptedException {
      Objects.requireNonNull(tasks.poll(20, TimeUnit.SECONDS)).run();
    }
  }

  @TempDir private Path folder;
  private final Loop loop = new Loop();
  private Handshakes all;

  @BeforeEach
  void begin() throws Exception {
    ListenOptions onePlace = ListenOptions.ofPort(0).maxConnections(4);
    all = Handshakes.of(TestCertificate.make(folder).tls(), List.of("http/1.1"), onePlace);
  }

  @AfterEach
  void end() {
    all.close();
  }

  private Handshake handshake() {
    return new Handshake(all, loop, () -> {});
  }

  @Test
  void aHandshakeClosedDuringAComputationReleasesItsSlotAfterwards() throws Exception {
    Handshake first = handshake();
    SSLEngine tls = Objects.requireNonNull(first.begin(HELLO));
    first.compute(tls);
    first.close();
    assertEquals(1, all.open());
    loop.runNext();
    assertEquals(0, all.open());
    assertEquals(1, all.failed());
  }

  @Test
  void aHandshakeClosedWhileWaitingLeavesTheSlotToTheNext() throws Exception {
    Handshake first = handshake();
    assertNotNull(first.begin(HELLO));
    Handshake second = handshake();
    Handshake third = handshake();
    assertNull(second.begin(HELLO));
    assertNull(third.begin(HELLO));
    second.close();
    first.close();
    loop.runNext(); // the third has the slot
    assertNotNull(third.begin(HELLO));
    third.over();
    assertEquals(0, all.open());
  }
}
