package dev.percolate.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heads that may not enter the chain; see docs/security/rows.md. */
@Timeout(60)
final class HeadRowsTest {

  private final AtomicInteger entered = new AtomicInteger();

  @ParameterizedTest(name = "REQ-02: the host {0} is 400")
  @CsvSource({"evil.com:x@good.com", "a b", "a/b?c", "[::1", "a:99999", "a@b"})
  void aHostThatIsNone(String host) throws Exception {
    assertRefused(400, "GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  @ParameterizedTest(name = "REQ-04: the target {0} is no path and no URL")
  @CsvSource({"foo", "!", "a:80", "*", "ftp://a/", "http://u@a/"})
  void aTargetThatIsNone(String target) throws Exception {
    String answer = answer("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    assertKeptOut(answer);
  }

  @ParameterizedTest(name = "REQ-05: CONNECT {0} is refused")
  @CsvSource({"a:80", "/"})
  void nobodyIsConnected(String target) throws Exception {
    String answer = answer("CONNECT " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    assertKeptOut(answer);
  }

  /** The server of the JDK has own answers: 404 where there is no path, none where it fails. */
  private void assertKeptOut(String answer) {
    assertTrue(answer.matches("(?s)|HTTP/1.1 (400|404|501) .*"), answer);
    assertEquals(0, entered.get());
  }

  private void assertRefused(int status, String head) throws IOException {
    String answer = answer(head);
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    assertEquals(0, entered.get());
  }

  private String answer(String head) throws IOException {
    Middleware counting =
        (req, res, next) -> {
          entered.incrementAndGet();
          res.set("Connection", "close").end("entered");
        };
    Service service = Chain.service(new Settings(), counting);
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    try (Server server = new JdkEngine().listen(service, options);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }
}
