package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.ENHANCE_YOUR_CALM;
import static dev.percolate.http2.ErrorCode.FRAME_SIZE_ERROR;
import static dev.percolate.http2.ErrorCode.PROTOCOL_ERROR;
import static dev.percolate.http2.ErrorCode.REFUSED_STREAM;
import static dev.percolate.http2.ErrorCode.STREAM_CLOSED;
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
import static dev.percolate.http2.FrameType.PUSH_PROMISE;
import static dev.percolate.http2.FrameType.RST_STREAM;
import static dev.percolate.http2.FrameType.SETTINGS;
import static dev.percolate.http2.FrameType.WITH_PRIORITY;
import static dev.percolate.http2.Row.answers;
import static dev.percolate.http2.Row.connectionEnds;
import static dev.percolate.http2.Row.row;
import static dev.percolate.http2.Row.streamEnds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Frames, and the required reaction of a server, by sections of RFC 9113. */
final class Rfc9113Test extends RowsTest {

  private static final byte[] GET = request("GET", "/");
  private static final byte[] SLOW = request("GET", "/never");
  private static final byte[] POST = request("POST", "/length");

  static Stream<Row> all() {
    return Stream.of(
            connections(),
            frames(),
            states(),
            WindowRows.windows(),
            data(),
            headers(),
            small(),
            settings(),
            pings(),
            continuations(),
            MessageRows.messages(),
            MessageRows.pseudo())
        .flatMap(List::stream);
  }

  private static List<Row> connections() {
    return List.of(
        row("3.4 the server's first frame is SETTINGS", c -> {}, Row::isAlive),
        row(
            "3.4 requests may follow the preface immediately",
            c -> c.get(1, "/"),
            answers(1, "200 hello")),
        row(
            "3.4 a second preface after the preface",
            c -> c.raw(FrameClient.PREFACE),
            connectionEnds(PROTOCOL_ERROR, FRAME_SIZE_ERROR)));
  }

  private static List<Row> frames() {
    return List.of(
        row("4.1 unknown types are ignored", c -> c.frame(99, 0, 0, new byte[8]), Row::isAlive),
        row(
            "4.1 unknown types on streams are ignored",
            c -> c.frame(99, 255, 7, new byte[300]).get(1, "/"),
            answers(1, "200 hello")),
        row("4.1 unknown flags are ignored", c -> c.frame(PING, 0x16, 0, new byte[8]), pong()),
        row(
            "4.1 the reserved bit is ignored",
            c -> c.frame(PING, 0, Integer.MIN_VALUE, new byte[8]),
            pong()),
        row(
            "4.2 a frame of the maximum length",
            c -> c.headers(1, 0, POST).frame(DATA, END_STREAM, 1, new byte[16 << 10]),
            answers(1, "200 16384")),
        row(
            "4.2 DATA longer than the maximum",
            c -> c.headers(1, 0, POST).frame(DATA, END_STREAM, 1, new byte[(16 << 10) + 1]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row(
            "4.2 HEADERS longer than the maximum",
            c -> c.headers(1, END_STREAM, new byte[(16 << 10) + 1]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row(
            "4.3 PRIORITY inside a header block",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(PRIORITY, 0, 1, new byte[5]),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "4.3 HEADERS of another stream inside a header block",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).headers(3, END_STREAM, GET),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "4.3 PING inside a header block",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(PING, 0, 0, new byte[8]),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "4.3 an unknown type inside a header block",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(99, 0, 1, new byte[8]),
            connectionEnds(PROTOCOL_ERROR)));
  }

  private static List<Row> states() {
    return List.of(
        row("5.1 idle: DATA", c -> c.data(1, true, "x"), connectionEnds(PROTOCOL_ERROR)),
        row("5.1 idle: RST_STREAM", c -> c.reset(1), connectionEnds(PROTOCOL_ERROR)),
        row("5.1 idle: WINDOW_UPDATE", c -> c.open(1, 9), connectionEnds(PROTOCOL_ERROR)),
        row(
            "5.1 idle: CONTINUATION",
            c -> c.frame(CONTINUATION, END_HEADERS, 1, GET),
            connectionEnds(PROTOCOL_ERROR)),
        row("5.1 idle: PRIORITY", c -> c.frame(PRIORITY, 0, 9, new byte[5]), Row::isAlive),
        row(
            "5.1 half closed: DATA",
            c -> c.headers(1, END_STREAM, SLOW).data(1, true, "x"),
            streamEnds(1, STREAM_CLOSED)),
        row(
            "5.1 half closed: HEADERS",
            c -> c.headers(1, END_STREAM, SLOW).headers(1, END_STREAM, lines("a", "b")),
            streamEnds(1, STREAM_CLOSED)),
        row(
            "5.1 half closed: CONTINUATION",
            c -> c.headers(1, END_STREAM, SLOW).frame(CONTINUATION, END_HEADERS, 1, GET),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "5.1 half closed: WINDOW_UPDATE and PRIORITY",
            c -> c.headers(1, END_STREAM, SLOW).open(1, 1).frame(PRIORITY, 0, 1, new byte[5]),
            Row::isAlive),
        row(
            "5.1 reset by the client: DATA",
            c -> c.headers(1, 0, POST).reset(1).data(1, true, "x"),
            streamEnds(1, STREAM_CLOSED)),
        row(
            "5.1 reset by the client: HEADERS",
            c -> c.headers(1, 0, POST).reset(1).headers(1, END_STREAM, GET),
            connectionEnds(STREAM_CLOSED)),
        row(
            "5.1 reset by the client: WINDOW_UPDATE, RST_STREAM, PRIORITY",
            c -> c.headers(1, 0, POST).reset(1).open(1, 1).reset(1),
            Row::isAlive),
        row(
            "5.1 ended: DATA",
            c -> {
              c.get(1, "/").answer(1);
              c.data(1, true, "x");
            },
            streamEnds(1, STREAM_CLOSED)),
        row(
            "5.1 ended: HEADERS",
            c -> {
              c.get(1, "/").answer(1);
              c.get(1, "/");
            },
            connectionEnds(STREAM_CLOSED)),
        row(
            "5.1 ended: WINDOW_UPDATE, PRIORITY, RST_STREAM",
            c -> {
              c.get(1, "/").answer(1);
              c.open(1, 1).frame(PRIORITY, 0, 1, new byte[5]).reset(1);
            },
            Row::isAlive),
        row(
            "5.1 reset by the server: frames in flight are ignored",
            c -> {
              c.headers(1, 0, POST).open(1, 0).awaitReset(1);
              c.data(1, false, "x").headers(1, END_STREAM, lines("a", "b")).reset(1);
            },
            Row::isAlive),
        row("5.1.1 an even stream", c -> c.get(2, "/"), connectionEnds(PROTOCOL_ERROR)),
        row(
            "5.1.1 a stream number lower than earlier ones",
            c -> c.get(5, "/never").get(3, "/"),
            connectionEnds(PROTOCOL_ERROR)),
        row("5.1.1 skipped stream numbers", c -> c.get(101, "/"), answers(101, "200 hello")),
        row(
            "5.1.1 the highest stream number",
            c -> c.get(-1 >>> 1, "/"),
            answers(-1 >>> 1, "200 hello")),
        row(
            "5.1.2 more open streams than allowed",
            c -> {
              for (int i = 0; i <= Streams.MOST; i++) {
                c.headers(2 * i + 1, END_STREAM, SLOW);
              }
            },
            streamEnds(2 * Streams.MOST + 1, REFUSED_STREAM)),
        row(
            "5.3.1 HEADERS that depend on themselves",
            c -> c.headers(1, END_STREAM | WITH_PRIORITY, join(four(1), new byte[1], GET)),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "5.3.1 PRIORITY that depends on itself",
            c -> c.frame(PRIORITY, 0, 3, join(four(3), new byte[1])),
            streamEnds(3, PROTOCOL_ERROR)),
        row(
            "5.5 unknown settings are ignored",
            c -> c.settings(0xff, 7),
            c -> c.await("an acknowledgement", f -> f.type() == SETTINGS && f.flags() == ACK)));
  }

  private static List<Row> data() {
    return List.of(
        row("6.1 on stream 0", c -> c.data(0, true, "x"), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.1 padded",
            c ->
                c.headers(1, 0, POST)
                    .frame(DATA, END_STREAM | PADDED, 1, bytes(3, 'a', 'b', 0, 0, 0)),
            answers(1, "200 2")),
        row(
            "6.1 only padding",
            c -> c.headers(1, 0, POST).frame(DATA, END_STREAM | PADDED, 1, bytes(2, 0, 0)),
            answers(1, "200 0")),
        row(
            "6.1 padding longer than the frame",
            c -> c.headers(1, 0, POST).frame(DATA, END_STREAM | PADDED, 1, bytes(4, 'a', 'b', 0)),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.1 padded, but empty",
            c -> c.headers(1, 0, POST).frame(DATA, END_STREAM | PADDED, 1),
            connectionEnds(FRAME_SIZE_ERROR)));
  }

  private static List<Row> headers() {
    return List.of(
        row("6.2 on stream 0", c -> c.get(0, "/"), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.2 padded",
            c -> c.headers(1, END_STREAM | PADDED, join(new byte[] {4}, GET, new byte[4])),
            answers(1, "200 hello")),
        row(
            "6.2 with a priority",
            c -> c.headers(1, END_STREAM | WITH_PRIORITY, join(four(0), new byte[] {15}, GET)),
            answers(1, "200 hello")),
        row(
            "6.2 padded and with a priority",
            c ->
                c.headers(
                    1,
                    END_STREAM | PADDED | WITH_PRIORITY,
                    join(new byte[] {2}, four(0), new byte[] {15}, GET, new byte[2])),
            answers(1, "200 hello")),
        row(
            "6.2 padding longer than the frame",
            c -> c.headers(1, END_STREAM | PADDED, join(new byte[] {-1}, GET)),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.2 too short for its priority",
            c -> c.headers(1, END_STREAM | WITH_PRIORITY, (byte) 1, (byte) 2),
            connectionEnds(FRAME_SIZE_ERROR)));
  }

  private static List<Row> small() {
    return List.of(
        row(
            "6.3 on stream 0",
            c -> c.frame(PRIORITY, 0, 0, new byte[5]),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.3 a length other than 5",
            c -> c.headers(1, 0, POST).frame(PRIORITY, 0, 1, new byte[4]),
            streamEnds(1, FRAME_SIZE_ERROR)),
        row("6.4 on stream 0", c -> c.reset(0), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.4 a length other than 4",
            c -> c.headers(1, 0, POST).frame(RST_STREAM, 0, 1, new byte[3]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row(
            "6.4 other streams are served after it",
            c -> c.headers(1, 0, POST).reset(1).get(3, "/"),
            answers(3, "200 hello")),
        row(
            "6.6 clients must not push",
            c -> c.frame(PUSH_PROMISE, END_HEADERS, 1, join(four(2), GET)),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.8 on a stream",
            c -> c.frame(GOAWAY, 0, 1, new byte[8]),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.8 too short",
            c -> c.frame(GOAWAY, 0, 0, new byte[7]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row(
            "6.8 earlier requests get a response after it",
            c -> c.get(1, "/").frame(GOAWAY, 0, 0, new byte[30]),
            answers(1, "200 hello")));
  }

  private static List<Row> settings() {
    return List.of(
        row(
            "6.5 an acknowledgement with a payload",
            c -> c.frame(SETTINGS, ACK, 0, new byte[6]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row("6.5 on a stream", c -> c.frame(SETTINGS, 0, 1), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.5 a length that is not a multiple of 6",
            c -> c.frame(SETTINGS, 0, 0, new byte[5]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row("6.5.2 ENABLE_PUSH is 2", c -> c.settings(2, 2), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.5.2 MAX_FRAME_SIZE is too small",
            c -> c.settings(5, 16_383),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.5.2 MAX_FRAME_SIZE is too large",
            c -> c.settings(5, 1 << 24),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.5.3 the last value counts",
            c -> c.settings(4, 100, 4, 1).get(1, "/"),
            c -> assertEquals(1, firstData(c).payload().length)),
        row(
            "6.5.3 acknowledged immediately",
            c -> c.settings(),
            c -> c.await("an acknowledgement", f -> f.type() == SETTINGS && f.flags() == ACK)),
        row(
            "RFC 8441 3 ENABLE_CONNECT_PROTOCOL is 2",
            c -> c.settings(8, 2),
            connectionEnds(PROTOCOL_ERROR)));
  }

  private static List<Row> pings() {
    return List.of(
        row(
            "6.7 acknowledged with the same payload",
            c -> c.frame(PING, 0, 0, bytes(1, 2, 3, 4, 5, 6, 7, 8)),
            pong()),
        row(
            "6.7 an acknowledgement is not acknowledged",
            c -> c.frame(PING, ACK, 0, new byte[8]),
            Row::isAlive),
        row(
            "6.7 on a stream",
            c -> c.frame(PING, 0, 1, new byte[8]),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.7 a length other than 8",
            c -> c.frame(PING, 0, 0, new byte[6]),
            connectionEnds(FRAME_SIZE_ERROR)));
  }

  private static List<Row> continuations() {
    byte[] rest = lines("x", "y");
    return List.of(
        row(
            "6.10 several",
            c ->
                c.frame(HEADERS, END_STREAM, 1, GET)
                    .frame(CONTINUATION, 0, 1, rest)
                    .frame(CONTINUATION, END_HEADERS, 1, rest),
            answers(1, "200 hello")),
        row(
            "6.10 an empty one",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(CONTINUATION, END_HEADERS, 1),
            answers(1, "200 hello")),
        row(
            "6.10 another frame in between",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).data(1, false, "x"),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 on stream 0",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(CONTINUATION, END_HEADERS, 0, rest),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 on another stream",
            c -> c.frame(HEADERS, END_STREAM, 1, GET).frame(CONTINUATION, END_HEADERS, 3, rest),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 after HEADERS with END_HEADERS",
            c -> c.headers(1, 0, POST).frame(CONTINUATION, END_HEADERS, 1, rest),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 after CONTINUATION with END_HEADERS",
            c ->
                c.frame(HEADERS, 0, 1, POST)
                    .frame(CONTINUATION, END_HEADERS, 1, rest)
                    .frame(CONTINUATION, END_HEADERS, 1, rest),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 after DATA",
            c ->
                c.headers(1, 0, POST).data(1, false, "x").frame(CONTINUATION, END_HEADERS, 1, rest),
            connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.10 too many",
            c -> {
              c.frame(HEADERS, END_STREAM, 1, GET);
              for (int i = 0; i < 20; i++) {
                c.frame(CONTINUATION, 0, 1);
              }
            },
            connectionEnds(ENHANCE_YOUR_CALM)));
  }

  private static Row.Check pong() {
    return client -> {
      Frame frame = client.await("PING", one -> one.type() == PING);
      assertEquals(ACK, frame.flags());
      assertEquals(8, frame.payload().length);
    };
  }

  static Frame firstData(FrameClient client) throws IOException {
    Frame frame = client.await("DATA", one -> one.type() == DATA);
    assertNotNull(frame);
    return frame;
  }

  private static byte[] bytes(int... values) {
    byte[] all = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      all[i] = (byte) values[i];
    }
    return all;
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
