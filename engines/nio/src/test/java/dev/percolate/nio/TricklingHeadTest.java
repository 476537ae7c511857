package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.ThreadMode;
import dev.percolate.nio.loop.StepThreads;
import dev.percolate.nio.loop.TimeoutCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row DOS-14: heads that arrive byte by byte cost the server a few reads, not one per byte. */
@Timeout(60)
final class TricklingHeadTest {

  /** The maximum progress per iteration of the loop, for one connection. */
  private static final int STEPS = 4;

  /** The maximum number of iterations, apart from those after pauses. */
  private static final int TURNS = 12;

  private static final long SHORTEST_PAUSE = 64;

  private final ListenOptions options = ListenOptions.ofPort(0).threads(ThreadMode.EVENT_LOOP);

  /** Serves one client on a loop whose iterations can be counted. */
  private final class OneClient implements AutoCloseable {

    private final NioLoop loop;
    private final Socket socket;

    OneClient() throws IOException {
      loop =
          new NioLoop(
              LoopThreads.PLATFORM,
              new StepThreads(ThreadMode.EVENT_LOOP),
              new TimeoutCheck(10_000, 10_000),
              () -> new HeadParser(options, new RecentValues()));
      ServerState server =
          new ServerState(
              Chain.service(new Settings(), (req, res, next) -> res.send("x")),
              options,
              LoopThreads.PLATFORM,
              () -> null);
      new Thread(loop).start();
      try (ServerSocketChannel listening = ServerSocketChannel.open()) {
        InetAddress here = InetAddress.getLoopbackAddress();
        listening.bind(new InetSocketAddress(here, 0));
        socket = new Socket(here, listening.socket().getLocalPort());
        socket.setTcpNoDelay(true);
        SocketChannel channel = listening.accept();
        channel.configureBlocking(false);
        loop.execute(() -> open(server, channel, here));
      }
    }

    private void open(ServerState server, SocketChannel channel, InetAddress peer) {
      try {
        NioConnection.open(loop, server, channel, peer);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** Sends single bytes and reads the response. Returns the progress of the loop. */
    int stepsFor(String text) throws IOException {
      int before = loop.progress();
      for (byte one : text.getBytes(StandardCharsets.US_ASCII)) {
        socket.getOutputStream().write(one);
      }
      readResponse();
      return loop.progress() - before;
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    void readResponse() throws IOException {
      StringBuilder response = new StringBuilder();
      while (response.indexOf("\r\n\r\nx") < 0) {
        response.append((char) socket.getInputStream().read());
      }
      assertEquals("HTTP/1.1 200", response.substring(0, 12));
    }

    @Override
    public void close() throws IOException {
      socket.close();
      loop.stop();
    }
  }

  @Test
  void aHeadThatArrivesByteByByteIsReadOccasionally() throws Exception {
    try (OneClient client = new OneClient()) {
      for (int i = 0; i < 3; i++) { // on one connection, so that pauses are reset
        long begun = System.nanoTime();
        int steps =
            client.stepsFor("GET / HTTP/1.1\r\nHost: a\r\nA: " + "b".repeat(6_000) + "\r\n\r\n");
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        // After a pause without bytes, one more iteration waits for the next byte.
        long most = STEPS * (TURNS + 2 * millis / SHORTEST_PAUSE);
        assertTrue(steps <= most, steps + " steps in " + millis + " ms");
      }
    }
  }

  @Test
  void aHeadInTwoPartsIsReadImmediately() throws Exception {
    try (OneClient client = new OneClient()) {
      for (int i = 0; i < 3; i++) {
        client.send("GET / HTTP/1.1\r\n");
        TimeUnit.MILLISECONDS.sleep(20);
        long begun = System.nanoTime();
        client.send("Host: a\r\n\r\n");
        client.readResponse();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        if (millis < SHORTEST_PAUSE) {
          return;
        }
      }
      fail("each head had to wait for a pause");
    }
  }

  @Test
  void aHeadWhoseBytesArriveSlowlyGetsAResponse() throws Exception {
    try (OneClient client = new OneClient()) {
      for (byte one : "GET / HTTP/1.1\r\nHost: a\r\n".getBytes(StandardCharsets.US_ASCII)) {
        client.socket.getOutputStream().write(one);
        TimeUnit.MILLISECONDS.sleep(5);
      }
      assertTrue(client.stepsFor("\r\n") > 0);
    }
  }
}
