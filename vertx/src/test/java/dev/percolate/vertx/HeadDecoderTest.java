package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.ListenOptions;
import dev.percolate.http.HttpError;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What arrives whole, in two pieces, or byte by byte is read alike. */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class HeadDecoderTest {

  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";

  /** Decodes pieces, and tells of each request its target, or the status it is refused with. */
  private static List<String> decode(String... pieces) {
    List<String> seen = new ArrayList<>();
    ListenOptions options = ListenOptions.ofPort(0);
    List<String> malformed = new ArrayList<>();
    HeadDecoder decoder =
        new HeadDecoder(options, request -> malformed.add("malformed body of " + request));
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    for (String piece : pieces) {
      channel.writeInbound(Unpooled.copiedBuffer(piece, StandardCharsets.ISO_8859_1));
      for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
        if (read instanceof HttpRequest request) {
          Throwable cause = request.decoderResult().cause();
          boolean ours = cause instanceof HttpError;
          seen.add(
              ours ? "" + ((HttpError) cause).status() : cause == null ? request.uri() : "bad");
        }
        ReferenceCountUtil.release(read);
      }
    }
    channel.finishAndReleaseAll();
    seen.addAll(malformed);
    return seen;
  }

  private static void assertReads(List<String> expected, String bytes) {
    assertEquals(expected, decode(bytes));
    assertEquals(expected, decode(bytes.split("")));
    for (int cut = 1; cut < bytes.length(); cut++) {
      assertEquals(expected, decode(bytes.substring(0, cut), bytes.substring(cut)), "cut " + cut);
    }
  }

  @Test
  void headsAndBodiesOfAllKindsPass() {
    assertReads(
        List.of("/a", "/b", "/c", "/next"),
        "GET /a HTTP/1.0\r\n\r\n"
            + "\r\nPOST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n\r\n x\r\n"
            + "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n\r\n \t\r\n0\r\n\r\n"
            + NEXT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: a\r\nX: a\r\n b\r\n",
        "Host: a\r\nX: a\r\n\tb\r\n",
        "Host: a\r\n b\r\n",
        "Host: a\r\nX:\r\n \r\n",
        "X: a\r\n  Transfer-Encoding: chunked\r\nHost: a\r\n",
      })
  void aFoldedLineIsRefusedAndTheNextHeadIsNot(String headers) {
    assertReads(List.of("400", "/next"), "GET /x HTTP/1.1\r\n" + headers + "\r\n" + NEXT);
  }

  @Test
  void aFoldedLineBehindABodyIsSeenToo() {
    String first = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n\n b";
    assertReads(List.of("/x", "400"), first + "GET /y HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n");
  }

  @Test
  void oneEmptyLineMayStandBeforeARequestAndNothingElse() {
    String request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    assertReads(List.of("/x", "/next"), "\r\n" + request + "\r\n" + NEXT);
    for (String lead : List.of("\r", "\n", "\n\r", "\r\r\n", "\r\n\r\n", "\r\n\n")) {
      assertReads(List.of("400", "/next"), lead + request + NEXT);
      assertReads(List.of("/x", "400"), request + lead + NEXT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"  ", "\t", "\r", "\u000b", "\f", " \t", "\t ", " \r"})
  void theWordsOfARequestLineArePartedByOneBlank(String blank) {
    String tail = "\r\nHost: a\r\n\r\n";
    assertReads(List.of("bad"), "GET" + blank + "/x HTTP/1.1" + tail + NEXT);
    assertReads(List.of("bad"), "GET /x" + blank + "HTTP/1.1" + tail + NEXT);
    assertReads(List.of("bad"), "\u00c4GET /x\u00c4" + blank + "HTTP/1.1" + tail + NEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x\r\n", "1\r\nab\r\n", "1\nZ\r\n0\r\n\r\n", "0\r\nX\r\n\r\n"})
  void aMalformedBodyIsToldOfAndNothingBehindItIsRead(String chunks) {
    String chunked = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    String good = chunked + "1\r\nZ\r\n0\r\n\r\n";
    List<String> expected = List.of("/x", "/x", "malformed body of 2");
    assertReads(expected, good + chunked + chunks + NEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.2", "HTTP/2.0", "HTTP/1.32", "HTTP/0.9", "HTTP/3.0"})
  void otherVersionsAreNotSpoken(String version) {
    assertReads(List.of("505", "/next"), "GET /x " + version + "\r\nHost: a\r\n\r\n" + NEXT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/1.1", "HTTP/1", "HTTP/x.1", "HTTP/1.", "HTP/1.1", "HTTP/ 1.1"})
  void whatIsNoVersionIsMalformed(String version) {
    assertEquals(List.of("bad"), decode("GET /x " + version + "\r\nHost: a\r\n\r\n" + NEXT));
  }
}
