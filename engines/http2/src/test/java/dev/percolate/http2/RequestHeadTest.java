package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.Watching;
import dev.percolate.nio.NioEngine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets and hosts that HTTP/2 treats as HTTP/1.1 does. */
@Timeout(60)
final class RequestHeadTest {

  private final Watching watching = new Watching();
  private Server server;

  @BeforeEach
  void serve() throws Exception {
    Handler answer = (req, res) -> res.end("" + req.url().length());
    server =
        new NioEngine()
            .listen(
                Chain.service(new Settings(), watching, answer),
                ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(true));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private FrameClient client() throws Exception {
    return FrameClient.open(server.port());
  }

  @Test
  void theServerRespondsToOptionsOfItselfAndShowsThemOnce() throws Exception {
    try (FrameClient client = client()) {
      byte[] options = FrameClient.request("OPTIONS", "*");
      client.headers(1, FrameType.END_STREAM, options);
      Frame head = client.awaitHead(1);
      assertEquals("200 0", head.status() + " " + head.headers().get("content-length"));
      assertEquals("GET", String.valueOf(head.headers().get("allow")).substring(0, 3));
      client.headers(3, 0, FrameClient.request("OPTIONS", "*", "content-length", "3"));
      client.data(3, true, "abc");
      assertEquals("200", client.answer(3));
      assertEquals("200 2", client.get(5, "/x").answer(5));
    }
    server.close(); // waits until all handlers have run
    assertEquals(
        List.of("refused OPTIONS * 200", "refused OPTIONS * 200", "GET /x 200"), watching.lines);
  }

  @ParameterizedTest
  @CsvSource({"5, four", "3, four", "0, four", "5, ''"})
  void aBodyWithAWrongLengthResetsItsStreamEvenAfterTheResponse(String length, String body)
      throws Exception {
    try (FrameClient client = client()) {
      client.headers(1, 0, FrameClient.request("POST", "/", "content-length", length));
      assertEquals("200 1", client.answer(1));
      client.data(1, true, body);
      assertEquals(ErrorCode.PROTOCOL_ERROR, client.awaitReset(1).number(0));
      assertEquals("200 1", client.get(3, "/").answer(3));
    }
  }

  @Test
  void anAsteriskTargetRequiresOptions() throws Exception {
    try (FrameClient client = client()) {
      assertEquals("400", client.get(1, "*").awaitHead(1).status());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":8080", ":", " "})
  void anEmptyAuthorityIsRejected(String authority) throws Exception {
    try (FrameClient client = client()) {
      String[] line = {":method", "GET", ":scheme", "http", ":path", "/", ":authority", authority};
      client.headers(1, FrameType.END_STREAM, FrameClient.lines(line));
      assertEquals("400", client.awaitHead(1).status());
      String[] host = {":method", "GET", ":scheme", "http", ":path", "/", "host", authority};
      client.headers(3, FrameType.END_STREAM, FrameClient.lines(host));
      assertEquals("400", client.awaitHead(3).status());
      assertEquals("200 1", client.get(5, "/").answer(5));
    }
  }

  @Test
  void aTargetAndHeadersOf8000BytesEachAreAccepted() throws Exception {
    try (FrameClient client = client()) {
      String target = "/" + "%41".repeat(2_666) + "a";
      assertEquals("200 8000", client.get(1, target).answer(1));
      byte[] both = FrameClient.request("GET", target, "x-long", "x".repeat(8_100));
      int first = 16_000;
      client.frame(FrameType.HEADERS, FrameType.END_STREAM, 3, sub(both, 0, first));
      client.frame(FrameType.CONTINUATION, FrameType.END_HEADERS, 3, sub(both, first, both.length));
      assertEquals("200 8000", client.answer(3));
      assertEquals("414", client.get(5, target + "b").awaitHead(5).status());
      assertEquals("400", client.headers(7, 1, FrameClient.request("M".repeat(65), "/")).answer(7));
    }
  }

  @Test
  void allCookiesTogetherCountAsOneHeader() throws Exception {
    String[] lines = new String[2 * 150];
    for (int i = 0; i < lines.length; i += 2) {
      lines[i] = "cookie";
      lines[i + 1] = "c" + i + "=1";
    }
    try (FrameClient client = client()) {
      client.headers(1, FrameType.END_STREAM, FrameClient.request("GET", "/", lines));
      assertEquals("200 1", client.answer(1));
    }
  }

  @Test
  void theHighestLimitsDoNotOverflow() throws Exception {
    int most = Integer.MAX_VALUE;
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").http2PriorKnowledge(true);
    options = options.maxTargetLength(most).maxHeaderBytes(most).maxHeaders(most);
    Handler answer = (req, res) -> res.end("x");
    try (Server unlimited = new NioEngine().listen(Chain.service(new Settings(), answer), options);
        FrameClient client = FrameClient.open(unlimited.port())) {
      byte[] request = FrameClient.request("GET", "/", "x-long", "x".repeat(300_000));
      int size = FrameType.MOST;
      client.frame(FrameType.HEADERS, FrameType.END_STREAM, 1, sub(request, 0, size));
      int at = size;
      for (; at + size < request.length; at += size) {
        client.frame(FrameType.CONTINUATION, 0, 1, sub(request, at, at + size));
      }
      byte[] rest = sub(request, at, request.length);
      client.frame(FrameType.CONTINUATION, FrameType.END_HEADERS, 1, rest);
      assertEquals("200 x", client.answer(1));
    }
  }

  private static byte[] sub(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }
}
