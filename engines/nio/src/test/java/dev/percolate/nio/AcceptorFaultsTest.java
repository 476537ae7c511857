package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.ThreadMode;
import java.io.Closeable;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors on the acceptor's thread end one connection. The thread continues. */
@Timeout(60)
final class AcceptorFaultsTest implements Acceptor.Target {

  private final Queue<Error> faults = new ArrayDeque<>();
  private final BlockingQueue<SocketChannel> taken = new LinkedBlockingQueue<>();
  private ServerState server;
  private Acceptor acceptor;
  private Thread running;

  @BeforeEach
  void start() throws Exception {
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").threads(ThreadMode.EVENT_LOOP);
    server =
        new ServerState(Chain.service(new Settings()), options, LoopThreads.PLATFORM, () -> null);
    acceptor = new Acceptor(server, this);
    running = new Thread(acceptor);
  }

  @AfterEach
  void stop() throws Exception {
    acceptor.stop();
    running.join();
    for (SocketChannel channel : taken) {
      channel.close();
    }
  }

  @Override
  public boolean take(SocketChannel channel, InetAddress peer) {
    Error fault = faults.poll();
    if (fault != null) {
      throw fault;
    }
    taken.add(channel);
    return true;
  }

  @Override
  public void look(long now, Acceptor.Rejection rejection) {}

  @Override
  public boolean rests() {
    return false;
  }

  private Socket connect() throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), acceptor.port());
  }

  private void assertAccepts() throws Exception {
    assertTrue(accepts(30), "accepted");
  }

  private boolean accepts(int seconds) throws Exception {
    try (Socket socket = connect()) {
      SocketChannel channel = taken.poll(seconds, TimeUnit.SECONDS);
      if (channel == null) {
        return false;
      }
      channel.close();
      server.admission().left(socket.getInetAddress());
      return true;
    }
  }

  @DisplayName("DOS-08: the acceptor continues after an error, which ends one connection")
  @Test
  void anErrorEndsOneConnectionAndTheNextIsAccepted() throws Exception {
    faults.addAll(
        List.of(
            new OutOfMemoryError("no room"),
            new StackOverflowError(),
            new NoClassDefFoundError("gone"),
            new UnsatisfiedLinkError("too many open files")));
    int count = faults.size();
    running.start();
    for (int i = 0; i < count; i++) {
      try (Socket socket = connect()) {
        assertEquals(-1, socket.getInputStream().read());
      }
    }
    assertAccepts();
    assertEquals(0, server.admission().open());
  }

  @Test
  void aBrokenSelectorIsReplacedOnTheSamePort() throws Exception {
    running.start();
    assertAccepts();
    int port = acceptor.port();
    ((Selector) Fields.get(acceptor, "selector")).close();
    assertAcceptsAgain();
    assertEquals(port, acceptor.port());
  }

  @Test
  void aPortThatIsClosedByAccidentIsReopened() throws Exception {
    running.start();
    assertAccepts();
    ((Closeable) Fields.get(acceptor, "listening")).close();
    ((Selector) Fields.get(acceptor, "selector")).wakeup();
    assertAcceptsAgain();
  }

  @Test
  void anInterruptDoesNotCloseThePort() throws Exception {
    running.start();
    assertAccepts();
    running.interrupt();
    assertAcceptsAgain();
  }

  private void assertAcceptsAgain() throws Exception {
    for (int i = 0; i < 30; i++) {
      try {
        if (accepts(1)) { // a connection may have waited at the closed port
          return;
        }
      } catch (ConnectException e) {
        Thread.sleep(20); // the port is closed for a moment
      }
    }
    assertAccepts();
  }
}
