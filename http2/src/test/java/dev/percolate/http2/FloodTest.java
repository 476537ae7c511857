package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.ENHANCE_YOUR_CALM;
import static dev.percolate.http2.FrameClient.four;
import static dev.percolate.http2.FrameClient.lines;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.ACK;
import static dev.percolate.http2.FrameType.CONTINUATION;
import static dev.percolate.http2.FrameType.DATA;
import static dev.percolate.http2.FrameType.END_HEADERS;
import static dev.percolate.http2.FrameType.END_STREAM;
import static dev.percolate.http2.FrameType.GOAWAY;
import static dev.percolate.http2.FrameType.HEADERS;
import static dev.percolate.http2.FrameType.PADDED;
import static dev.percolate.http2.FrameType.PING;
import static dev.percolate.http2.FrameType.PRIORITY;
import static dev.percolate.http2.FrameType.SETTINGS;
import static dev.percolate.http2.FrameType.WINDOW_UPDATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that cost more than they bring end the connection, and others are served meanwhile. */
@Timeout(60)
final class FloodTest {

  private static final byte[] SLOW = request("GET", "/never");
  private static final int VERY_MANY = 12_000;

  private TestServer server;

  /**
   * A flood.
   *
   * @param begin what is sent first
   * @param step what is sent over and over, by its number
   * @param most how many handlers may have run until the client was sent away
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Flood(String name, byte[] begin, IntFunction<byte[]> step, int most) {

    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeEach
  void serve() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static byte[] frame(int type, int flags, int stream, byte... payload) {
    return FrameClient.bytes(type, flags, stream, payload);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] open(int stream, boolean ends) {
    return frame(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), stream, SLOW);
  }

  /** A request each, and what makes the server reset it. */
  private static Flood provoked(String name, boolean ends, IntFunction<byte[]> fault) {
    return new Flood(
        name, new byte[0], i -> join(open(2 * i + 1, ends), fault.apply(2 * i + 1)), 1_000);
  }

  private static Flood idle(String name, byte... frame) {
    return new Flood(name, new byte[0], i -> frame, 0);
  }

  private static Flood onOne(String name, byte... frame) {
    return new Flood(name, open(1, false), i -> frame, 1);
  }

  static List<Flood> floods() {
    return List.of(
        provoked("rapid reset", true, id -> frame(FrameType.RST_STREAM, 0, id, four(8))),
        provoked(
            "rapid reset of uploads", false, id -> frame(FrameType.RST_STREAM, 0, id, four(0))),
        provoked("made to reset: no increment", true, id -> frame(WINDOW_UPDATE, 0, id, four(0))),
        provoked(
            "made to reset: too much", true, id -> frame(WINDOW_UPDATE, 0, id, four(-1 >>> 1))),
        provoked("made to reset: data behind the end", true, id -> frame(DATA, 0, id, (byte) 1)),
        provoked("made to reset: headers behind the end", true, id -> open(id, true)),
        provoked("made to reset: a short priority", true, id -> frame(PRIORITY, 0, id, (byte) 1)),
        provoked(
            "made to reset: depends on itself",
            true,
            id -> frame(PRIORITY, 0, id, join(four(id), new byte[1]))),
        provoked("made to reset: trailers that do not end", false, id -> open(id, false)),
        new Flood(
            "malformed requests",
            new byte[0],
            i -> frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, lines("X", "y")),
            0),
        new Flood(
            "requests that are refused",
            new byte[0],
            i ->
                frame(
                    HEADERS,
                    END_HEADERS | END_STREAM,
                    2 * i + 1,
                    lines(":method", "CONNECT", ":authority", "a")),
            0),
        idle("PING", frame(PING, 0, 0, new byte[8])),
        idle("answers to no PING", frame(PING, ACK, 0, new byte[8])),
        idle("SETTINGS", frame(SETTINGS, 0, 0)),
        idle(
            "settings of windows",
            frame(SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 1, (byte) 0)),
        idle(
            "settings of tables",
            frame(SETTINGS, 0, 0, (byte) 0, (byte) 1, (byte) 0, (byte) 0, (byte) 1, (byte) 0)),
        idle("acknowledgements", frame(SETTINGS, ACK, 0)),
        idle("PRIORITY", frame(PRIORITY, 0, 77, new byte[5])),
        idle("unknown frames", frame(99, 0, 0)),
        idle("GOAWAY", frame(GOAWAY, 0, 0, new byte[8])),
        idle("WINDOW_UPDATE of the connection", frame(WINDOW_UPDATE, 0, 0, four(1))),
        onOne("WINDOW_UPDATE of a stream", frame(WINDOW_UPDATE, 0, 1, four(1))),
        onOne("empty DATA", frame(DATA, 0, 1)),
        onOne("padding alone", frame(DATA, PADDED, 1, (byte) 0)),
        new Flood(
            "RST_STREAM of a closed stream",
            join(open(1, true), frame(FrameType.RST_STREAM, 0, 1, four(8))),
            i -> frame(FrameType.RST_STREAM, 0, 1, four(8)),
            1));
  }

  @ParameterizedTest
  @MethodSource("floods")
  void isBounded(Flood flood) throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      client.raw(flood.begin);
      try {
        ByteArrayOutputStream some = new ByteArrayOutputStream();
        for (int i = 0; i < VERY_MANY; i++) {
          some.writeBytes(flood.step.apply(i));
          if (some.size() > 30_000) {
            client.raw(some.toByteArray());
            some.reset();
          }
        }
        client.raw(some.toByteArray());
      } catch (IOException e) {
        // the server has gone
      }
      assertEquals(ENHANCE_YOUR_CALM, client.awaitGoAway().number(4));
    }
    assertTrue(server.entered() <= flood.most, server.entered() + " handlers ran");
    try (FrameClient other = FrameClient.open(server.port())) {
      assertEquals("200 hello", other.get(1, "/").answer(1));
    }
  }

  @Test
  void headersThatDoNotEndAreBounded() throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      client.frame(HEADERS, END_STREAM, 1, SLOW);
      for (int i = 0; i < 3; i++) {
        client.frame(CONTINUATION, 0, 1, lines("x", "y".repeat(15_000)));
      }
      assertEquals(ENHANCE_YOUR_CALM, client.awaitGoAway().number(4));
    }
  }

  @Test
  void headersThatBecomeLargeAreRefusedAndTheTableStaysTrue() throws IOException {
    try (FrameClient client = FrameClient.open(server.port())) {
      byte[] large = lines("x", "y".repeat(3_000));
      large[0] = 0x40; // it goes to the table
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
}
