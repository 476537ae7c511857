package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ClientSocketTest {

  @Test
  void aCallIsSentByteForByte() throws Exception {
    Canned canned = new Canned("HTTP/1.1 204 No Content\r\n\r\n");
    Reply reply =
        Call.post("/a%20b?c").header("X-a", "1").header("x-A", "2").body("four").to(canned.uri);
    assertEquals(204, reply.status());
    assertEquals(
        "POST /a%20b?c HTTP/1.1\r\nHost: "
            + canned.uri.getAuthority()
            + "\r\nX-a: 1\r\nx-A: 2\r\nContent-Length: 4\r\n\r\nfour",
        canned.received.get(10, TimeUnit.SECONDS));
  }

  @Test
  void eachPartOfAChunkedBodyIsAChunk() throws Exception {
    Canned canned = new Canned("HTTP/1.1 204 No Content\r\n\r\n");
    try (Client client = Client.of(canned.uri)) {
      TestConnection connection = Call.post("/").header("Host", "h").chunked().open(client);
      connection.send("0123456789").send("ab").finish().reply();
      assertEquals(12, connection.accepted());
    }
    assertEquals(
        String.join(
            "\r\n",
            "POST / HTTP/1.1",
            "Host: h",
            "Transfer-Encoding: chunked",
            "",
            "a",
            "0123456789",
            "2",
            "ab",
            "0",
            "",
            ""),
        canned.received.get(10, TimeUnit.SECONDS));
  }

  @Test
  void theFramingOfAResponseIsRemoved() throws Exception {
    Reply chunked =
        get("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
    assertEquals("abc true", chunked.text() + " " + chunked.complete());
    Reply sized = get("HTTP/1.1 200 OK\r\nx-A: 1\r\nX-a:2\r\nContent-Length: 2\r\n\r\nab");
    assertEquals("ab [1, 2]", sized.text() + " " + sized.all("X-A"));
    assertEquals("x-A: 1\nX-a: 2\nContent-Length: 2\n", sized.headers().toString());
    Reply closed = get("HTTP/1.0 200 OK\r\n\r\nall of it");
    assertEquals("all of it true", closed.text() + " " + closed.complete());
  }

  @Test
  void interimResponsesAreSkipped() throws Exception {
    String answer = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assertEquals(200, get(answer).status());
  }

  @Test
  void aConnectionClosedTooEarlyIsAborted() throws Exception {
    assertEquals("0 true", statusAndAborted(get("")));
    assertEquals(
        "200 true", statusAndAborted(get("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab")));
    assertEquals(
        "200 true",
        statusAndAborted(get("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n")));
  }

  @Test
  void malformedResponsesFailTheTest() throws Exception {
    for (String bad :
        new String[] {
          "SMTP\r\n\r\n",
          "HTTP/1.1 200 OK\n\n",
          "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\na"
        }) {
      assertThrows(AssertionError.class, () -> get(bad), bad);
    }
  }

  @Test
  void anAddressWithoutAPortIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> Client.of(URI.create("http://localhost")));
    assertThrows(IllegalArgumentException.class, () -> Client.of(URI.create("https://a:1")));
  }

  @Test
  void hangingUpAbortsTheResponse() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Client client = Client.of(URI.create("http://127.0.0.1:" + silent.getLocalPort()))) {
      TestConnection connection = Call.get("/").open(client);
      connection.disconnect();
      assertTrue(connection.reply().aborted());
    }
  }

  private static Reply get(String answer) throws IOException {
    return Call.get("/").to(new Canned(answer).uri);
  }

  private static String statusAndAborted(Reply reply) {
    return reply.status() + " " + reply.aborted();
  }

  /** Sends a fixed response on one connection, and closes it. */
  private static final class Canned {

    private final CompletableFuture<String> received = new CompletableFuture<>();
    private final ServerSocket listening;
    private final URI uri;

    Canned(String answer) throws IOException {
      listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      uri = URI.create("http://127.0.0.1:" + listening.getLocalPort());
      Thread thread = new Thread(() -> serve(answer), "canned");
      thread.setDaemon(true);
      thread.start();
    }

    private void serve(String answer) {
      try (ServerSocket server = listening;
          Socket socket = server.accept()) {
        InputStream in = socket.getInputStream();
        StringBuilder text = new StringBuilder();
        while (!isWhole(text)) {
          text.append((char) in.read());
        }
        received.complete(text.toString());
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        socket.setSoTimeout(5_000);
        in.readAllBytes(); // waits for the client to close, so that no reset overtakes the response
      } catch (IOException e) {
        received.completeExceptionally(e);
      }
    }

    private static boolean isWhole(StringBuilder text) {
      int head = text.indexOf("\r\n\r\n");
      boolean sized = text.indexOf("Content-Length: 4") > 0;
      boolean chunked = text.indexOf("chunked") > 0;
      boolean body =
          chunked ? text.toString().endsWith("\r\n0\r\n\r\n") : text.length() == head + 8;
      return head > 0 && (body || (!sized && !chunked));
    }
  }
}
