package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.CANCEL;
import static dev.percolate.http2.ErrorCode.ENHANCE_YOUR_CALM;
import static dev.percolate.http2.ErrorCode.NO_ERROR;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.END_STREAM;
import static dev.percolate.http2.PeerSettings.INITIAL_WINDOW_SIZE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timeouts of connections and streams, and limits on their number. */
@Timeout(60)
final class Http2SessionTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private TestServer server;

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aStreamWhoseWindowStaysShutIsReset() throws IOException {
    server = TestServer.start(options -> options.writeTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port(), INITIAL_WINDOW_SIZE, 0)) {
      assertEquals(CANCEL, client.get(1, "/").awaitReset(1).number(0));
      assertTrue(client.isAlive());
    }
  }

  @Test
  void aConnectionWhoseWindowStaysShutEnds() throws IOException {
    server = TestServer.start(options -> options.writeTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port(), INITIAL_WINDOW_SIZE, 1 << 30)) {
      assertEquals(ENHANCE_YOUR_CALM, client.get(1, "/large").awaitGoAway().number(4));
      assertNull(client.next());
    }
  }

  @Test
  void headersHaveATimeout() throws IOException {
    server = TestServer.start(options -> options.headerTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port())) {
      client.frame(FrameType.HEADERS, END_STREAM, 1, request("GET", "/"));
      assertEquals(NO_ERROR, client.awaitGoAway().number(4));
    }
    try (FrameClient silent = FrameClient.connect(server.port())) {
      assertNull(silent.raw(FrameClient.PREFACE[0]).next());
    }
    try (FrameClient unsettled = FrameClient.connect(server.port())) {
      assertEquals(NO_ERROR, unsettled.raw(FrameClient.PREFACE).awaitGoAway().number(4));
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    server = TestServer.start(options -> options.idleTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port())) {
      client.get(1, "/wait");
      TimeUnit.MILLISECONDS.sleep(SHORT.toMillis() * 3 / 2); // it is not idle during a request
      server.release();
      assertEquals("200 waited", client.answer(1));
      Frame last = client.awaitGoAway();
      assertEquals(1, last.number(0));
      assertEquals(NO_ERROR, last.number(4));
      assertNull(client.next());
    }
  }

  @Test
  void aMissingBodyTimesOutAndOtherStreamsAreServed() throws IOException {
    server = TestServer.start(options -> options.bodyTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port())) {
      client.headers(1, 0, request("POST", "/length", "content-length", "10"));
      client.data(1, false, "abc");
      assertEquals("408", client.answer(1).substring(0, 3));
      assertEquals("200 hello", client.get(3, "/").answer(3));
    }
  }

  @Test
  void anUnreadBodyIsDiscardedAndThenReset() throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      client.headers(1, 0, request("POST", "/", "content-length", "1000000"));
      client.data(1, false, "begun");
      assertEquals("200 hello", client.answer(1));
      assertEquals(NO_ERROR, client.awaitReset(1).number(0));
      assertEquals("200 hello", client.data(1, true, "late").get(3, "/").answer(3));
    }
  }

  @Test
  void manyConnectionsWithManyStreamsAllMakeProgress() throws IOException {
    server = TestServer.start(options -> options.maxConcurrentRequests(1_000).headerTimeout(SHORT));
    List<FrameClient> all = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        FrameClient client = FrameClient.open(server.port());
        all.add(client);
        for (int stream = 1; stream < 200; stream += 2) {
          client.get(stream, "/never");
        }
        assertTrue(client.isAlive());
      }
      assertTrue(server.entered() < 1_000, server.entered() + " have entered");
      try (FrameClient other = FrameClient.open(server.port())) {
        assertEquals("200 hello", other.get(1, "/").answer(1));
      }
    } finally {
      for (FrameClient client : all) {
        client.close();
      }
    }
  }

  @Test
  void requestsBeyondTheLimitGet503AndMayBeRetried() throws IOException {
    server = TestServer.start(options -> options.maxConcurrentRequests(1).headerTimeout(SHORT));
    try (FrameClient client = FrameClient.open(server.port())) {
      client.get(1, "/never").get(3, "/");
      Frame head = client.awaitHead(3);
      assertEquals("503", head.status());
      assertEquals("1", head.headers().get("retry-after"));
      client.reset(1);
      String response = "503";
      for (int stream = 5; response.equals("503"); stream += 2) {
        response = client.get(stream, "/").answer(stream); // the first request ends soon
      }
      assertEquals("200 hello", response);
    }
  }

  @Test
  void aWaitingRequestIsServedWhenCapacityIsFree() throws Exception {
    server = TestServer.start(options -> options.maxConcurrentRequests(1).idleTimeout(SHORT));
    try (FrameClient first = FrameClient.open(server.port());
        FrameClient second = FrameClient.open(server.port())) {
      first.get(1, "/wait");
      assertTrue(first.isAlive());
      second.get(1, "/");
      TimeUnit.MILLISECONDS.sleep(SHORT.toMillis() * 3 / 2); // it is not idle while it waits
      server.release();
      assertEquals("200 waited", first.answer(1));
      assertEquals("200 hello", second.answer(1));
    }
  }

  @Test
  void shutdownSendsTwoGoAwaysAndCompletesRequestsInFlight() throws Exception {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      client.get(1, "/slow").get(3, "/wait");
      assertTrue(client.isAlive());
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server.server()::close);
      Frame first = client.awaitGoAway();
      assertEquals(Integer.MAX_VALUE, first.number(0));
      assertEquals(NO_ERROR, first.number(4));
      client.get(5, "/"); // in flight
      Frame second = client.awaitGoAway();
      assertEquals(5, second.number(0));
      server.release();
      client.get(7, "/"); // too late: gets no response
      assertEquals("200 waited", client.answer(3));
      for (Frame more = client.next(); more != null; more = client.next()) {
        assertTrue(more.stream() != 7, more::toString);
      }
      closing.join();
    }
  }

  @Test
  void otherClientsUseHttp1OnTheSamePort() throws Exception {
    server = TestServer.start();
    String rest = "X /method HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    for (String begin : List.of("", "P", "PRI")) { // prefixes of the preface
      try (FrameClient client = FrameClient.connect(server.port())) {
        client.raw(begin.getBytes(US_ASCII));
        TimeUnit.MILLISECONDS.sleep(50); // so that it is read separately
        client.raw(rest.getBytes(US_ASCII));
        String response = new String(client.input().readAllBytes(), US_ASCII);
        assertTrue(response.startsWith("HTTP/1.1 200 "), response);
        assertTrue(response.endsWith("\r\n\r\n" + begin + "X"), response);
      }
    }
  }

  @Test
  void thePrefaceMayBeSplitAnywhere() throws IOException {
    server = TestServer.start();
    for (int cut = 1; cut < FrameClient.PREFACE.length; cut++) {
      try (FrameClient client = FrameClient.connect(server.port())) {
        client.raw(Arrays.copyOf(FrameClient.PREFACE, cut));
        client.raw(Arrays.copyOfRange(FrameClient.PREFACE, cut, 24));
        assertEquals("200 hello", client.settings().get(1, "/").answer(1));
      }
    }
  }

  @Test
  void framesMayBeSplitAnywhere() throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port())) {
      byte[] lines = request("POST", "/length");
      byte[] frames = FrameClient.bytes(FrameType.HEADERS, FrameType.END_HEADERS, 1, lines);
      byte[] data =
          FrameClient.bytes(
              FrameType.DATA, END_STREAM | FrameType.PADDED, 1, new byte[] {2, 7, 7, 7, 0, 0});
      for (byte[] part : List.of(frames, data)) {
        for (byte one : part) {
          client.raw(one);
        }
      }
      assertEquals("200 3", client.answer(1));
    }
  }

  @Test
  void headsThatOverlapHaveATimeoutEach() throws Exception {
    server = TestServer.start(options -> options.headerTimeout(Duration.ofMillis(500)));
    try (FrameClient client = FrameClient.open(server.port())) {
      int flags = END_STREAM | FrameType.END_HEADERS;
      byte[] head = FrameClient.bytes(FrameType.HEADERS, flags, 1, request("GET", "/"));
      client.raw(Arrays.copyOf(head, 15));
      for (int stream = 1; stream < 161; stream += 2) {
        Thread.sleep(10);
        byte[] next = FrameClient.bytes(FrameType.HEADERS, flags, stream + 2, request("GET", "/"));
        byte[] both = Arrays.copyOf(Arrays.copyOfRange(head, 15, head.length), head.length);
        System.arraycopy(next, 0, both, head.length - 15, 15);
        client.raw(both);
        assertEquals("200 hello", client.answer(stream));
        head = next;
      }
    }
  }

  @Test
  void aLargeResponseArrivesCompletely() throws IOException {
    server = TestServer.start();
    try (FrameClient client = FrameClient.open(server.port(), INITIAL_WINDOW_SIZE, 8 << 20)) {
      client.open(0, 8 << 20).get(1, "/large");
      int bytes = 0;
      boolean ended = false;
      while (!ended) {
        Frame frame = client.await("more", one -> one.type() == FrameType.DATA);
        bytes += frame.payload().length;
        ended = frame.endsStream();
      }
      assertEquals(4 << 20, bytes);
    }
  }
}
