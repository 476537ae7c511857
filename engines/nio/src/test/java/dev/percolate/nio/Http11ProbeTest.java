package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of the public test suite Http11Probe that failed once, with the names of the suite. */
@Timeout(60)
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class Http11ProbeTest {

  private static final String REST = " HTTP/1.1\r\nHost: localhost\r\n\r\n";

  static Stream<Arguments> cases() {
    return Stream.of(
        arguments("COMP-OPTIONS-STAR", "OPTIONS *" + REST, 200),
        arguments("COMP-HOST-EMPTY-VALUE", "GET / HTTP/1.1\r\nHost: \r\n\r\n", 400),
        arguments("COMP-VERSION-LEADING-ZEROS", "GET / HTTP/01.01\r\nHost: localhost\r\n\r\n", 400),
        arguments("COMP-LONG-URL-OK", "GET /" + "a".repeat(7900) + REST, 200),
        arguments("MAL-LONG-METHOD", "A".repeat(100_000) + " / HTTP/1.1", 400));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void theServerPassesCasesOfTheSuite(String name, String request, int status) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    Handler hello = (req, res) -> res.end("hello");
    try (Server server = new NioEngine().listen(Chain.service(new Settings(), hello), options);
        RawSocket socket = new RawSocket(server)) {
      String response = socket.send(request).readTo("\r\n");
      assertEquals("HTTP/1.1 " + status, response.substring(0, 12));
      if (status == 400) {
        socket.readToClose();
      } else {
        socket.readTo("\r\n\r\n");
      }
    }
  }
}
