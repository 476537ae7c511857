package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.nio.loop.StepThreads;
import dev.percolate.nio.loop.TimeoutCheck;
import dev.percolate.testkit.Call;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors on an event loop end the connection or task that threw. The loop continues. */
@Timeout(60)
final class LoopFaultsTest {

  private static final List<Throwable> FAULTS =
      List.of(
          new OutOfMemoryError("no room"),
          new StackOverflowError(),
          new NoClassDefFoundError("gone"),
          new UnsatisfiedLinkError("too many open files"),
          new AssertionError("odd"),
          new IOException("thrown without being declared"));

  private final ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
  private NioLoop loop;
  private Thread running;

  /** A connection whose methods all throw an error. */
  private static final class Faulty implements LoopMember {

    final CountDownLatch looked = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    private final Throwable fault;
    private final boolean closes;
    private int place;

    /**
     * Creates a connection.
     *
     * @param closes whether closing it succeeds
     */
    Faulty(Throwable fault, boolean closes) {
      this.fault = fault;
      this.closes = closes;
    }

    @Override
    public void ready(int operations) {
      fail(fault);
    }

    @Override
    public void flush() {
      fail(fault);
    }

    @Override
    public void goOn() {
      fail(fault);
    }

    @Override
    public void check(long now) {
      looked.countDown();
      fail(fault);
    }

    @Override
    public boolean rests() {
      return false;
    }

    @Override
    public void checkHeld(long now, long since) {
      fail(fault);
    }

    @Override
    public void closeNow() {
      closed.countDown();
      if (!closes) {
        fail(fault);
      }
    }

    @Override
    public int place() {
      return place;
    }

    @Override
    public void place(int at) {
      place = at;
    }
  }

  @BeforeEach
  void start() throws IOException {
    loop =
        new NioLoop(
            LoopThreads.PLATFORM,
            new StepThreads(ThreadMode.EVENT_LOOP),
            TimeoutCheck.of(options),
            () -> new HeadParser(options, new RecentValues()));
    running = new Thread(loop);
    running.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    loop.stop();
    running.join();
  }

  @DisplayName("DOS-08: an event loop continues after a task that throws an error")
  @Test
  void otherTasksRunAfterATaskThatThrowsAnError() throws Exception {
    CountDownLatch others = new CountDownLatch(2 * FAULTS.size());
    for (Throwable fault : FAULTS) {
      loop.execute(() -> fail(fault));
      loop.execute(others::countDown);
      loop.execute( // these run at the end of an iteration
          () -> {
            loop.execute(() -> fail(fault));
            loop.execute(others::countDown);
          });
    }
    assertTrue(others.await(30, TimeUnit.SECONDS));
    assertTrue(running.isAlive());
  }

  @Test
  void aConnectionThatThrowsAnErrorIsClosedAndRemoved() throws Exception {
    try (ServerSocketChannel listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      for (Throwable fault : FAULTS) {
        for (boolean closes : new boolean[] {true, false}) {
          Faulty member = new Faulty(fault, closes);
          try (SocketChannel channel = SocketChannel.open(listening.getLocalAddress())) {
            channel.configureBlocking(false);
            loop.execute(() -> join(member, channel));
            assertTrue(member.looked.await(30, TimeUnit.SECONDS));
            assertTrue(member.closed.await(30, TimeUnit.SECONDS));
          }
        }
      }
    }
    assertNull(loop.drain().get(30, TimeUnit.SECONDS)); // no connections are left
    assertTrue(running.isAlive());
  }

  @Test
  void aBrokenSelectorClosesItsConnectionsAndOthersAreServed() throws Exception {
    Handler handler = (req, res) -> res.send("alive");
    try (Server server = new NioEngine().listen(Chain.service(new Settings(), handler), options)) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        assertEquals("alive", Call.get("/").to(server.uri()).text()); // it has a loop now
        for (Object broken : (List<?>) Fields.get(server, "loops")) {
          Closeable selector = (Closeable) Fields.get(broken, "selector");
          selector.close();
        }
        assertEquals(-1, socket.getInputStream().read());
      }
      for (int i = 0; i < 20; i++) {
        assertEquals("alive", Call.get("/").to(server.uri()).text());
      }
      assertFalse(server.isShuttingDown());
    }
  }

  private void join(Faulty member, SocketChannel channel) {
    try {
      loop.add(member, channel);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void fail(Throwable fault) {
    LoopFaultsTest.<RuntimeException>failAs(fault);
  }

  @SuppressWarnings("unchecked") // erased, so that checked exceptions pass too
  private static <E extends Throwable> void failAs(Throwable fault) throws E {
    throw (E) fault;
  }
}
