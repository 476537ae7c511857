package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.ENHANCE_YOUR_CALM;
import static dev.percolate.http2.ErrorCode.PROTOCOL_ERROR;
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
import static dev.percolate.http2.FrameType.RST_STREAM;
import static dev.percolate.http2.FrameType.SETTINGS;
import static dev.percolate.http2.FrameType.WINDOW_UPDATE;
import static dev.percolate.http2.FrameType.WITH_PRIORITY;
import static dev.percolate.http2.Rfc9113Test.join;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A flood of frames that cost the server more than the client.
 *
 * @param begin the first bytes
 * @param step returns the bytes to send repeatedly, by their number
 * @param code the code of the GOAWAY that ends the connection
 * @param most the maximum number of handlers that may have run by then
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Flood(String name, byte[] begin, IntFunction<byte[]> step, int code, int most) {

  private static final byte[] NOTHING = {};
  private static final byte[] SLOW = request("GET", "/never");

  /** Opens the maximum number of streams. */
  private static final byte[] ALL_OPEN = allOpen();

  /** A line that fills the table. */
  private static final byte[] LARGE = large();

  static List<Flood> all() {
    List<Flood> all = new ArrayList<>(takenBack());
    all.addAll(made());
    all.addAll(rejected());
    all.addAll(ofConnections());
    all.addAll(ofStreams());
    all.addAll(unended());
    return all;
  }

  /** Sends a request each time, and frames that end it. */
  private static Flood each(String name, boolean ends, IntFunction<byte[]> end) {
    return calm(name, NOTHING, i -> join(open(id(i), ends), end.apply(id(i))), 1_000);
  }

  /** Sends a request each time that is rejected. */
  private static Flood rejected(String name, IntFunction<byte[]> lines) {
    return calm(
        name, NOTHING, i -> frame(HEADERS, END_HEADERS | END_STREAM, id(i), lines.apply(i)), 0);
  }

  private static Flood idle(String name, byte... frame) {
    return calm(name, NOTHING, i -> frame, 0);
  }

  private static Flood onOne(String name, byte... frame) {
    return calm(name, open(1, false), i -> frame, 1);
  }

  private static Flood calm(String name, byte[] begin, IntFunction<byte[]> step, int most) {
    return new Flood(name, begin, step, ENHANCE_YOUR_CALM, most);
  }

  private static int id(int number) {
    return 2 * number + 1;
  }

  private static byte[] frame(int type, int flags, int stream, byte... payload) {
    return FrameClient.bytes(type, flags, stream, payload);
  }

  private static byte[] open(int stream, boolean ends) {
    return frame(HEADERS, END_HEADERS | (ends ? END_STREAM : 0), stream, SLOW);
  }

  private static byte[] allOpen() {
    byte[] all = {};
    for (int i = 0; i < Streams.MOST; i++) {
      all = join(all, open(id(i), true));
    }
    return all;
  }

  private static byte[] large() {
    byte[] line = lines("x", "y".repeat(3_000));
    line[0] = 0x40; // add the line to the table
    return line;
  }

  private static byte[] setting(int name, int value) {
    return join(new byte[] {0, (byte) name}, four(value));
  }

  private static byte[] many(int times, byte... part) {
    byte[] all = new byte[times * part.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = part[i % part.length];
    }
    return all;
  }

  private static byte[] dependsOn(int stream) {
    return join(four(stream), new byte[1]);
  }

  private static List<Flood> takenBack() {
    return List.of(
        each("rapid reset", true, id -> frame(RST_STREAM, 0, id, four(8))),
        each("rapid reset of uploads", false, id -> frame(RST_STREAM, 0, id, four(0))),
        each(
            "rapid reset of uploads that have begun",
            false,
            id -> join(frame(DATA, 0, id, new byte[100]), frame(RST_STREAM, 0, id, four(8)))),
        calm(
            "RST_STREAM of a closed stream",
            join(open(1, true), frame(RST_STREAM, 0, 1, four(8))),
            i -> frame(RST_STREAM, 0, 1, four(8)),
            1),
        new Flood(
            "RST_STREAM of an idle stream",
            NOTHING,
            i -> frame(RST_STREAM, 0, id(i), four(8)),
            PROTOCOL_ERROR,
            0));
  }

  /** Provokes resets by the server (CVE-2025-8671). */
  private static List<Flood> made() {
    return List.of(
        each(
            "made to reset: an increment of zero",
            true,
            id -> frame(WINDOW_UPDATE, 0, id, four(0))),
        each(
            "made to reset: too large an increment",
            true,
            id -> frame(WINDOW_UPDATE, 0, id, four(-1 >>> 1))),
        each("made to reset: data after the end", true, id -> frame(DATA, 0, id, (byte) 1)),
        each("made to reset: headers after the end", true, id -> open(id, true)),
        each("made to reset: a short priority", true, id -> frame(PRIORITY, 0, id, (byte) 1)),
        each("made to reset: depends on itself", true, id -> frame(PRIORITY, 0, id, dependsOn(id))),
        each("made to reset: trailers that do not end", false, id -> open(id, false)),
        each(
            "made to reset: more than the window",
            false,
            id -> many(2, frame(DATA, 0, id, new byte[9_000]))),
        calm(
            "made to reset: more than the length",
            NOTHING,
            i ->
                join(
                    frame(
                        HEADERS,
                        END_HEADERS,
                        id(i),
                        request("POST", "/never", "content-length", "1")),
                    frame(DATA, 0, id(i), new byte[2])),
            1_000));
  }

  private static List<Flood> rejected() {
    return List.of(
        rejected("malformed requests", i -> lines("X", "y")),
        rejected("requests without header lines", i -> NOTHING),
        rejected("rejected requests", i -> lines(":method", "CONNECT", ":authority", "a")),
        rejected(
            "requests with many header lines",
            i -> join(request("GET", "/"), many(200, lines("x", "")))),
        rejected(
            "requests that become large",
            i ->
                i == 0
                    ? join(request("GET", "/"), LARGE, many(9, (byte) 0xbe))
                    : join(request("GET", "/"), many(4_000, (byte) 0xbe))),
        rejected("paths that are too long", i -> request("GET", "/" + "x".repeat(8_000))),
        calm(
            "requests that depend on themselves",
            NOTHING,
            i ->
                frame(
                    HEADERS,
                    END_HEADERS | END_STREAM | WITH_PRIORITY,
                    id(i),
                    join(dependsOn(id(i)), SLOW)),
            0),
        calm(
            "more streams than allowed",
            ALL_OPEN,
            i -> open(id(Streams.MOST + i), true),
            Streams.MOST));
  }

  private static List<Flood> ofConnections() {
    return List.of(
        idle("PING", frame(PING, 0, 0, new byte[8])),
        idle("unexpected PING acknowledgements", frame(PING, ACK, 0, new byte[8])),
        idle("SETTINGS", frame(SETTINGS, 0, 0)),
        idle("many settings in a frame", frame(SETTINGS, 0, 0, many(2_000, setting(4, 256)))),
        idle("settings of windows", frame(SETTINGS, 0, 0, setting(4, 256))),
        idle("settings of tables", frame(SETTINGS, 0, 0, setting(1, 256))),
        idle("unknown settings", frame(SETTINGS, 0, 0, setting(99, 1))),
        idle("acknowledgements", frame(SETTINGS, ACK, 0)),
        idle("PRIORITY", frame(PRIORITY, 0, 77, new byte[5])),
        idle("PRIORITY on itself", frame(PRIORITY, 0, 77, dependsOn(77))),
        idle("unknown frames", frame(99, 0, 0)),
        idle("large unknown frames", frame(99, 0, 77, new byte[2_000])),
        idle("GOAWAY", frame(GOAWAY, 0, 0, new byte[8])),
        idle("GOAWAY with a long reason", frame(GOAWAY, 0, 0, new byte[2_000])),
        idle("WINDOW_UPDATE of the connection", frame(WINDOW_UPDATE, 0, 0, four(1))),
        calm(
            "windows shut and opened with all streams open",
            ALL_OPEN,
            i -> frame(SETTINGS, 0, 0, setting(4, i % 2 == 0 ? 0 : 65_535)),
            Streams.MOST));
  }

  private static List<Flood> ofStreams() {
    return List.of(
        onOne("WINDOW_UPDATE of a stream", frame(WINDOW_UPDATE, 0, 1, four(1))),
        onOne("empty DATA", frame(DATA, 0, 1)),
        onOne("only padding", frame(DATA, PADDED, 1, (byte) 0)),
        onOne("only long padding", frame(DATA, PADDED, 1, join(new byte[] {99}, new byte[99]))),
        calm(
            "WINDOW_UPDATE of a closed stream",
            join(open(1, true), frame(RST_STREAM, 0, 1, four(8))),
            i -> frame(WINDOW_UPDATE, 0, 1, four(1)),
            1),
        calm(
            "single bytes of DATA on a reset stream",
            join(open(1, false), frame(WINDOW_UPDATE, 0, 1, four(0))),
            i -> frame(DATA, 0, 1, (byte) 1),
            1),
        calm(
            "HEADERS on a reset stream",
            join(open(1, false), frame(WINDOW_UPDATE, 0, 1, four(0))),
            i -> open(1, true),
            1));
  }

  private static List<Flood> unended() {
    byte[] begin = frame(HEADERS, END_STREAM, 1, SLOW);
    return List.of(
        calm("empty CONTINUATION", begin, i -> frame(CONTINUATION, 0, 1), 0),
        calm(
            "CONTINUATION frames of a few bytes",
            begin,
            i -> frame(CONTINUATION, 0, 1, lines("a", "b")),
            0),
        calm(
            "CONTINUATION frames of many bytes",
            begin,
            i -> frame(CONTINUATION, 0, 1, lines("x", "y".repeat(15_000))),
            0));
  }

  @Override
  public String toString() {
    return name;
  }
}
