package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.ThreadMode;
import dev.percolate.nio.loop.StepThreads;
import dev.percolate.nio.loop.TimeoutCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which event loop gets a new connection, and what happens to connections that none takes. */
final class ConnectionBalancerTest {

  private static final long LONG = TimeUnit.SECONDS.toNanos(1);

  /** Longer than a loop may take for one iteration, in nanoseconds. */
  private static final long PATIENT = TimeUnit.MILLISECONDS.toNanos(700);

  private final List<SocketChannel> rejected = new ArrayList<>();

  /** The time of the handover. Changed and read on the test's thread only. */
  private long now;

  /** Creates the handover to a blocked loop: no thread runs it. */
  private ConnectionBalancer toALoopThatIsHeld(ThreadMode mode) throws IOException {
    return handover(mode, loop(mode));
  }

  private ConnectionBalancer handover(ThreadMode mode, NioLoop loop) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).threads(mode);
    ServerState server =
        new ServerState(Chain.service(new Settings()), options, LoopThreads.PLATFORM, () -> null);
    return new ConnectionBalancer(server, List.of(loop), () -> now);
  }

  private static NioLoop loop(ThreadMode mode) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0);
    return new NioLoop(
        LoopThreads.PLATFORM,
        new StepThreads(mode),
        TimeoutCheck.of(options),
        () -> new HeadParser(options, new RecentValues()));
  }

  private static boolean gives(ConnectionBalancer connectionBalancer, SocketChannel channel) {
    return connectionBalancer.take(channel, InetAddress.getLoopbackAddress());
  }

  @Test
  void aBlockedLoopGetsNoConnections() throws Exception {
    ConnectionBalancer connectionBalancer = toALoopThatIsHeld(ThreadMode.EVENT_LOOP);
    try (SocketChannel channel = SocketChannel.open()) {
      now += PATIENT;
      assertFalse(gives(connectionBalancer, channel));
    }
  }

  @Test
  void connectionsThatABlockedLoopHasNotTakenAreRejectedOnce() throws Exception {
    ConnectionBalancer connectionBalancer = toALoopThatIsHeld(ThreadMode.EVENT_LOOP);
    try (SocketChannel channel = SocketChannel.open()) {
      assertTrue(gives(connectionBalancer, channel));
      connectionBalancer.look(now, (one, peer) -> rejected.add(one));
      assertEquals(List.of(), rejected);
      now += PATIENT;
      for (int i = 0; i < 3; i++) {
        connectionBalancer.look(now, (one, peer) -> rejected.add(one));
        assertEquals(List.of(channel), rejected);
      }
    }
  }

  @Test
  void aLoopThatContinuesIgnoresRejectedConnections() throws Exception {
    NioLoop loop = loop(ThreadMode.EVENT_LOOP);
    ConnectionBalancer connectionBalancer = handover(ThreadMode.EVENT_LOOP, loop);
    Thread running = new Thread(loop);
    try (SocketChannel channel = SocketChannel.open()) {
      assertTrue(gives(connectionBalancer, channel));
      now += PATIENT;
      connectionBalancer.look(now, (one, peer) -> rejected.add(one));
      assertEquals(List.of(channel), rejected);
      CountDownLatch goesRound = new CountDownLatch(1);
      loop.execute(goesRound::countDown);
      running.start();
      goesRound.await();
      assertTrue(channel.isOpen(), "the loop has taken and closed it");
    } finally {
      loop.stop();
      running.join();
    }
  }

  @Test
  void noLoopCountsAsBlockedIfHandlersRunElsewhere() throws Exception {
    ConnectionBalancer connectionBalancer = toALoopThatIsHeld(ThreadMode.POOL);
    try (SocketChannel channel = SocketChannel.open()) {
      now += PATIENT;
      assertTrue(gives(connectionBalancer, channel));
      connectionBalancer.look(now + LONG, (one, peer) -> rejected.add(one));
      assertEquals(List.of(), rejected);
    }
  }

  @Test
  void aLateCheckDoesNotTakeARunningLoopForBlocked() throws Exception {
    NioLoop loop = loop(ThreadMode.EVENT_LOOP);
    ConnectionBalancer connectionBalancer = handover(ThreadMode.EVENT_LOOP, loop);
    CountDownLatch holds = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    Thread running = new Thread(loop);
    running.start();
    try (SocketChannel channel = SocketChannel.open()) {
      now += PATIENT;
      loop.execute(
          () -> {
            held.countDown();
            awaitQuietly(holds);
          });
      held.await();
      assertTrue(gives(connectionBalancer, channel));
      now += PATIENT;
      assertFalse(gives(connectionBalancer, channel));
    } finally {
      holds.countDown();
      loop.stop();
      running.join();
    }
  }

  @Test
  void aConnectionPassedToAnotherLoopIsNotTakenByTheFirst() throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).threads(ThreadMode.EVENT_LOOP);
    ServerState server =
        new ServerState(Chain.service(new Settings()), options, LoopThreads.PLATFORM, () -> null);
    NioLoop held = loop(ThreadMode.EVENT_LOOP);
    NioLoop free = loop(ThreadMode.EVENT_LOOP);
    Thread moving = new Thread(free);
    moving.start();
    Thread goingOn = new Thread(held);
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel listening = ServerSocketChannel.open()) {
      listening.bind(new InetSocketAddress(here, 0));
      try (SocketChannel client = SocketChannel.open(listening.getLocalAddress())) {
        SocketChannel accepted = listening.accept();
        accepted.configureBlocking(false);
        assertTrue(server.admission().admits(here));
        ConnectionBalancer connectionBalancer =
            new ConnectionBalancer(server, List.of(held, free), () -> now);
        awaitRest(free);
        assertTrue(gives(connectionBalancer, accepted));
        now += PATIENT;
        connectionBalancer.look(now, (one, peer) -> rejected.add(one));
        goingOn.start();
        assertNull(held.drain().get(10, TimeUnit.SECONDS)); // no connections
        assertEquals(1, server.admission().open());
        assertTrue(client.isConnected());
      }
    } finally {
      held.stop();
      free.stop();
    }
    moving.join();
    goingOn.join();
    assertEquals(List.of(), rejected);
    assertEquals(0, server.admission().open());
  }

  private static void awaitRest(NioLoop loop) throws InterruptedException {
    while (!loop.rests()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
