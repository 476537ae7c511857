package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.FLOW_CONTROL_ERROR;
import static dev.percolate.http2.ErrorCode.FRAME_SIZE_ERROR;
import static dev.percolate.http2.ErrorCode.PROTOCOL_ERROR;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.DATA;
import static dev.percolate.http2.FrameType.WINDOW_UPDATE;
import static dev.percolate.http2.Rfc9113Test.firstData;
import static dev.percolate.http2.Row.answers;
import static dev.percolate.http2.Row.connectionEnds;
import static dev.percolate.http2.Row.row;
import static dev.percolate.http2.Row.streamEnds;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Flow-control windows, and the required reaction of a server (RFC 9113 section 6.9). */
final class WindowRows {

  private static final byte[] POST = request("POST", "/length");

  private WindowRows() {}

  static List<Row> windows() {
    return List.of(
        row(
            "6.9 no more than the window",
            c -> c.settings(4, 1).get(1, "/"),
            c -> assertEquals(1, firstData(c).payload().length)),
        row(
            "6.9 the rest after WINDOW_UPDATE",
            c -> c.settings(4, 1).get(1, "/").open(1, 100),
            answers(1, "200 hello")),
        row("6.9 an increment of zero", c -> c.open(0, 0), connectionEnds(PROTOCOL_ERROR)),
        row(
            "6.9 an increment of zero on a stream",
            c -> c.headers(1, 0, POST).open(1, 0),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "6.9 a length other than 4",
            c -> c.frame(WINDOW_UPDATE, 0, 0, new byte[3]),
            connectionEnds(FRAME_SIZE_ERROR)),
        row(
            "6.9.1 beyond 2^31-1",
            c -> c.open(0, Integer.MAX_VALUE),
            connectionEnds(FLOW_CONTROL_ERROR)),
        row(
            "6.9.1 beyond 2^31-1 on a stream",
            c -> c.headers(1, 0, POST).open(1, Integer.MAX_VALUE),
            streamEnds(1, FLOW_CONTROL_ERROR)),
        row(
            "6.9.1 more data than the stream's window",
            c -> {
              c.headers(1, 0, request("POST", "/never"));
              for (int left = PeerSettings.WINDOW; left > 0; left -= FrameType.MOST) {
                c.frame(DATA, 0, 1, new byte[Math.min(left, FrameType.MOST)]);
              }
              c.data(1, false, "x");
            },
            streamEnds(1, FLOW_CONTROL_ERROR)),
        row(
            "6.9.2 a window that is changed later",
            c -> c.settings(4, 0).get(1, "/").settings(4, 100),
            answers(1, "200 hello")),
        row(
            "6.9.2 a window that becomes negative",
            c -> {
              c.settings(4, 3).get(1, "/");
              assertEquals(3, firstData(c).payload().length);
              c.settings(4, 1).open(1, 2).isAlive(); // nothing came
              c.open(1, 1);
            },
            c -> assertEquals("l", new String(firstData(c).payload(), StandardCharsets.US_ASCII))),
        row(
            "6.9.2 beyond 2^31-1 by settings",
            c -> c.settings(4, -1),
            connectionEnds(FLOW_CONTROL_ERROR)),
        row(
            "6.9.2 windows of streams beyond 2^31-1 by settings",
            c -> c.headers(1, 0, POST).open(1, 1 << 20).settings(4, Integer.MAX_VALUE),
            connectionEnds(FLOW_CONTROL_ERROR)));
  }
}
