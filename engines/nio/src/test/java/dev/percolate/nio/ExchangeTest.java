package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.RawSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The client's address, and responses before a connection is closed. */
final class ExchangeTest extends ServerFixture {

  private static final byte[] IPV4 = {127, 0, 0, 1};
  private static final byte[] IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  private static final Handler PEER = (req, res) -> res.send(req.ip());

  @Test
  void theAddressOfAnIpv6PeerIsInShortForm() throws Exception {
    assumeTrue(hasIpv6(), "no IPv6 here");
    assertEquals("::1", peer("::1", InetAddress.getByAddress(IPV6)));
  }

  @Test
  void theAddressOfAnIpv4PeerIsPlainOnDualStackSocketsToo() throws Exception {
    InetAddress from = InetAddress.getByAddress(IPV4);
    assertEquals("127.0.0.1", peer("127.0.0.1", from));
    assertEquals("127.0.0.1", peer(hasIpv6() ? "::" : "0.0.0.0", from));
  }

  @Test
  void aCompleteResponseIsSentEvenIfTheNextOneFails() throws Exception {
    Handler handler =
        (req, res) -> {
          if (req.path().equals("/broken")) {
            res.set("Content-Length", "5").write("x");
            res.end();
          } else {
            res.send("whole");
          }
        };
    ListenOptions options = options().threads(ThreadMode.EVENT_LOOP);
    try (Server server = serve(options, handler);
        RawSocket socket = new RawSocket(server)) {
      String head = " HTTP/1.1\r\nHost: a\r\n\r\n";
      socket.send("GET /whole" + head + "GET /broken" + head);
      String responses = socket.readToClose();
      int end = responses.indexOf("\r\n\r\n") + "\r\n\r\nwhole".length();
      assertTrue(
          responses.substring(0, Math.min(end, responses.length())).endsWith("whole"), responses);
    }
  }

  private String peer(String host, InetAddress from) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host(host);
    try (Server server = serve(options, PEER);
        Socket socket = new Socket(from, server.port())) {
      String request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] response = socket.getInputStream().readAllBytes();
      String text = new String(response, StandardCharsets.US_ASCII);
      return text.substring(text.indexOf("\r\n\r\n") + 4);
    }
  }

  private static boolean hasIpv6() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(IPV6))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
