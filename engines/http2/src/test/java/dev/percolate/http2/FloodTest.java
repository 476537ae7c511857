package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.CANCEL;
import static dev.percolate.http2.FrameClient.lines;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.END_STREAM;
import static dev.percolate.http2.PeerSettings.INITIAL_WINDOW_SIZE;
import static dev.percolate.http2.Rfc9113Test.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Floods of expensive frames end their connection; other connections are served during them. */
@Timeout(60)
final class FloodTest {

  private static final int VERY_MANY = 12_000;

  /**
   * The bytes sent at once, and in total; after ending the connection, the server reads no more.
   */
  private static final int PIECE = 30_000;

  private static final int MOST_BYTES = 12 << 20;

  private TestServer server;

  @AfterEach
  void close() {
    server.close();
  }

  static List<Flood> floods() {
    return Flood.all();
  }

  @ParameterizedTest
  @MethodSource("floods")
  void isBounded(Flood flood) throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      client.raw(flood.begin());
      try {
        ByteArrayOutputStream some = new ByteArrayOutputStream();
        int bytes = 0;
        for (int i = 0; i < VERY_MANY && bytes < MOST_BYTES; i++) {
          some.writeBytes(flood.step().apply(i));
          if (some.size() > PIECE) {
            bytes += some.size();
            client.raw(some.toByteArray());
            some.reset();
          }
        }
        client.raw(some.toByteArray());
      } catch (IOException e) {
        // the server has disconnected
      }
      assertEquals(flood.code(), client.awaitGoAway().number(4));
    }
    assertTrue(server.entered() <= flood.most(), server.entered() + " handlers ran");
    try (FrameClient other = FrameClient.open(server.port())) {
      assertEquals("200 hello", other.get(1, "/").answer(1));
    }
  }

  @Test
  void headersThatDecodeToTooMuchAreRejectedAndTheTableStaysValid() throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      byte[] large = lines("x", "y".repeat(3_000));
      large[0] = 0x40; // adds the line to the table
      byte[] again = new byte[10_000];
      Arrays.fill(again, (byte) 0xbe);
      client.headers(1, END_STREAM, join(request("GET", "/"), large));
      assertEquals("200 hello", client.answer(1));
      client.headers(3, END_STREAM, join(request("GET", "/"), again));
      assertEquals("431", client.answer(3));
      client.headers(5, END_STREAM, join(request("GET", "/"), Arrays.copyOf(again, 1)));
      assertEquals("200 hello", client.answer(5));
      assertEquals(2, server.entered());
    }
  }

  @Test
  void allStreamsWhoseWindowsStayShutAreReset() throws IOException {
    server = TestServer.start(options -> options.writeTimeout(Duration.ofMillis(80)));
    try (FrameClient client = FrameClient.open(server.port(), INITIAL_WINDOW_SIZE, 0)) {
      for (int i = 0; i < Streams.MOST; i++) {
        client.get(2 * i + 1, "/");
      }
      for (int i = 0; i < Streams.MOST; i++) {
        Frame reset = client.await("a reset", one -> one.type() == FrameType.RST_STREAM);
        assertEquals(CANCEL, reset.number(0));
      }
      assertTrue(client.isAlive());
    }
  }

  @Test
  void aClientThatOpensItsWindowsAndReadsNothingIsDisconnected() throws Exception {
    server = TestServer.start(options -> options.writeTimeout(Duration.ofMillis(80)));
    try (FrameClient client = FrameClient.open(server.port(), INITIAL_WINDOW_SIZE, 1 << 30)) {
      client.open(0, 1 << 30);
      for (int stream = 1; stream < 20; stream += 2) {
        client.get(stream, "/large");
      }
      server.awaitNoConnection();
    }
  }

  @Test
  void singleByteFramesOfABodyAreMerged() throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      client.headers(1, 0, request("POST", "/length"));
      byte[] one = FrameClient.bytes(FrameType.DATA, 0, 1, (byte) 'x');
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int i = 0; i < VERY_MANY; i++) {
        all.writeBytes(one);
      }
      client.raw(all.toByteArray()).data(1, true, "");
      assertEquals("200 " + VERY_MANY, client.answer(1));
    }
  }
}
