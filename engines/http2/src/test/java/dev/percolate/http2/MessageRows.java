package dev.percolate.http2;

import static dev.percolate.http2.ErrorCode.PROTOCOL_ERROR;
import static dev.percolate.http2.FrameClient.lines;
import static dev.percolate.http2.FrameClient.request;
import static dev.percolate.http2.FrameType.END_STREAM;
import static dev.percolate.http2.Rfc9113Test.join;
import static dev.percolate.http2.Row.answers;
import static dev.percolate.http2.Row.row;
import static dev.percolate.http2.Row.streamEnds;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** Requests, and the required reaction of a server (RFC 9113 section 8). */
final class MessageRows {

  private static final byte[] GET = request("GET", "/");
  private static final byte[] POST = request("POST", "/length");

  private MessageRows() {}

  static List<Row> messages() {
    return List.of(
        row(
            "8.1 trailers",
            c ->
                c.headers(1, 0, POST)
                    .data(1, false, "four")
                    .headers(1, END_STREAM, lines("x", "y")),
            answers(1, "200 4")),
        row(
            "8.1 trailers that do not end the stream",
            c -> c.headers(1, 0, POST).headers(1, 0, lines("x", "y")),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "8.1.1 a body longer than content-length",
            c -> c.headers(1, 0, post("content-length", "1")).data(1, true, "four"),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "8.1.1 a body longer than content-length, in several frames",
            c ->
                c.headers(1, 0, post("content-length", "3"))
                    .data(1, false, "aa")
                    .data(1, true, "aa"),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "8.1.1 a body shorter than content-length",
            c -> c.headers(1, 0, post("content-length", "5")).data(1, true, "four"),
            streamEnds(1, PROTOCOL_ERROR)),
        row(
            "8.1.1 a content-length without a body",
            c -> c.headers(1, END_STREAM, post("content-length", "5")),
            streamEnds(1, PROTOCOL_ERROR)),
        malformed("8.1.1 two lengths", "content-length", "0", "content-length", "0"),
        malformed("8.1.1 a list of lengths", "content-length", "0,0"),
        malformed("8.1.1 a length that is not a number", "content-length", "+0"),
        malformed("8.2.1 a name in upper case", "X-Test", "y"),
        malformed("8.2.1 an empty name", "", "y"),
        malformed("8.2.1 a space in a name", "x y", "y"),
        malformed("8.2.1 a colon in a name", "x:y", "y"),
        malformed("8.2.1 a name with a character outside ASCII", "x\u00e9", "y"),
        malformed("8.2.1 a NUL in a value", "x", "a\0b"),
        malformed("8.2.1 a line feed in a value", "x", "a\nb"),
        malformed("8.2.1 a carriage return in a value", "x", "a\rb"),
        malformed("8.2.1 a space before a value", "x", " a"),
        malformed("8.2.1 a tab after a value", "x", "a\t"),
        row(
            "8.2.1 no white space around the values of a response",
            c -> c.get(1, "/blanks"),
            c -> assertEquals("a b", c.awaitHead(1).headers().get("x-blanks"))),
        malformed("8.2.2 connection", "connection", "keep-alive"),
        malformed("8.2.2 keep-alive", "keep-alive", "timeout=5"),
        malformed("8.2.2 proxy-connection", "proxy-connection", "keep-alive"),
        malformed("8.2.2 transfer-encoding", "transfer-encoding", "chunked"),
        malformed("8.2.2 upgrade", "upgrade", "foo"),
        malformed("8.2.2 a te other than trailers", "te", "trailers, deflate"),
        row(
            "8.2.2 te is trailers",
            c -> c.headers(1, END_STREAM, request("GET", "/", "te", "trailers")),
            answers(1, "200 hello")),
        row(
            "8.2.3 cookie lines are joined",
            c ->
                c.headers(
                    1,
                    END_STREAM,
                    request("GET", "/cookie", "cookie", "a=b", "cookie", "c=d", "cookie", "e=f")),
            answers(1, "200 a=b; c=d; e=f")));
  }

  static List<Row> pseudo() {
    String[] rest = {":scheme", "http", ":path", "/", ":authority", "a"};
    return List.of(
        malformed("8.3 an unknown pseudo-header", ":test", "x"),
        malformed("8.3 a pseudo-header of responses", ":status", "200"),
        bad(
            "8.3 pseudo-headers after other headers",
            "x",
            "y",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "/",
            ":authority",
            "a"),
        row(
            "8.3 a pseudo-header in trailers",
            c -> c.headers(1, 0, POST).headers(1, END_STREAM, lines(":method", "POST")),
            streamEnds(1, PROTOCOL_ERROR)),
        bad("8.3.1 no method", rest),
        bad("8.3.1 no scheme", ":method", "GET", ":path", "/", ":authority", "a"),
        bad("8.3.1 no path", ":method", "GET", ":scheme", "http", ":authority", "a"),
        bad("8.3.1 neither authority nor host", ":method", "GET", ":scheme", "http", ":path", "/"),
        bad(
            "8.3.1 an empty path",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "",
            ":authority",
            "a"),
        bad(
            "8.3.1 a URL as the path",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "http://evil/",
            ":authority",
            "a"),
        bad(
            "8.3.1 a path without a slash",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "x",
            ":authority",
            "a"),
        bad(
            "8.3.1 an asterisk without OPTIONS",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "*",
            ":authority",
            "a"),
        bad(
            "8.3.1 another scheme",
            ":method",
            "GET",
            ":scheme",
            "ftp",
            ":path",
            "/",
            ":authority",
            "a"),
        bad(
            "8.3.1 an invalid method",
            ":method",
            "G T",
            ":scheme",
            "http",
            ":path",
            "/",
            ":authority",
            "a"),
        bad(
            "8.3.1 two hosts",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "/",
            ":authority",
            "a",
            "host",
            "b"),
        bad(
            "8.3.1 an empty authority",
            ":method",
            "GET",
            ":scheme",
            "http",
            ":path",
            "/",
            ":authority",
            ""),
        malformed("8.3.1 two methods", ":method", "GET"),
        malformed("8.3.1 two schemes", ":scheme", "http"),
        malformed("8.3.1 two paths", ":path", "/"),
        malformed("8.3.1 two authorities", ":authority", "localhost"),
        row(
            "8.3.1 a host without an authority",
            c ->
                c.headers(
                    1,
                    END_STREAM,
                    lines(":method", "GET", ":scheme", "http", ":path", "/host", "host", "b")),
            answers(1, "200 b")),
        row(
            "8.3.1 an authority equal to the host",
            c -> c.headers(1, END_STREAM, request("GET", "/host", "host", "localhost")),
            answers(1, "200 localhost")),
        row(
            "8.3.1 an authority equal to the host in other letters",
            c -> c.headers(1, END_STREAM, request("GET", "/host", "host", "LocalHost")),
            answers(1, "200 localhost")),
        row(
            "8.5 CONNECT",
            c -> c.headers(1, END_STREAM, lines(":method", "CONNECT", ":authority", "a:1")),
            answers(1, "501")),
        bad(
            "8.5 CONNECT with a path",
            ":method",
            "CONNECT",
            ":authority",
            "a:1",
            ":path",
            "/",
            ":scheme",
            "http"),
        malformed("RFC 8441 4 a protocol on GET", ":protocol", "websocket"));
  }

  private static Row malformed(String name, String... more) {
    return row(
        name,
        c -> c.headers(1, END_STREAM, join(first(more), GET, others(more))),
        streamEnds(1, PROTOCOL_ERROR));
  }

  /** Returns lines of a pseudo-header, which must come first, so that nothing else is wrong. */
  private static byte[] first(String... more) {
    return more[0].startsWith(":") ? lines(more) : new byte[0];
  }

  private static byte[] others(String... more) {
    return more[0].startsWith(":") ? new byte[0] : lines(more);
  }

  private static Row bad(String name, String... all) {
    return row(name, c -> c.headers(1, END_STREAM, lines(all)), streamEnds(1, PROTOCOL_ERROR));
  }

  private static byte[] post(String... more) {
    return request("POST", "/length", more);
  }
}
