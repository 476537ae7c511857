package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses after which the connection is closed, and which announce that. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#all")
final class LastResponseTest extends ServerFixture {

  private static final String NEXT = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Handler PATH = (req, res) -> res.send(req.path());

  private static void assertSaysSo(String responses) {
    String lower = responses.toLowerCase(Locale.ROOT);
    assertTrue(lower.contains("\r\nconnection: close\r\n"), responses);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "close",
        "Close",
        "keep-alive, close",
        "close, keep-alive",
        "x,CLOSE",
        "close,",
        "keep-alive\r\nConnection: close",
        "close\r\nConnection: keep-alive",
        "x\r\nX: y\r\nconnection: y, close"
      })
  void requestsAfterOneThatClosesTheConnectionAreIgnored(String options) throws Exception {
    try (Server server = serve(PATH);
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: " + options + "\r\n\r\n" + NEXT);
      String responses = socket.readToClose();
      assertTrue(responses.endsWith("\r\n\r\n/last"), responses);
      assertSaysSo(responses);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep-alive", "closed", "x, y", ""})
  void otherOptionsLeaveTheConnectionOpen(String options) throws Exception {
    try (Server server = serve(PATH);
        RawSocket socket = new RawSocket(server)) {
      socket.send("GET /first HTTP/1.1\r\nHost: a\r\nConnection: " + options + "\r\n\r\n" + NEXT);
      assertFalse(socket.readTo("\r\n\r\n/next").contains("Connection: close"));
    }
  }

  @Test
  void aResponseWhoseOptionsContainCloseIsTheLast() throws Exception {
    Handler closing = (req, res) -> res.set("Connection", "x, Close").send(req.path());
    try (Server server = serve(closing);
        RawSocket socket = new RawSocket(server)) {
      String responses = socket.send("GET /last HTTP/1.1\r\nHost: a\r\n\r\n" + NEXT).readToClose();
      assertTrue(responses.endsWith("\r\n\r\n/last"), responses);
      assertSaysSo(responses);
    }
  }

  @Test
  void aResponseToALongUnreadBodyAnnouncesTheClose() throws Exception {
    try (Server server = serve(PATH);
        RawSocket socket = new RawSocket(server)) {
      socket.send("POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nbegun");
      assertSaysSo(socket.readTo("\r\n\r\n/long"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileResponseAnnouncesTheCloseToo(ThreadMode mode, @TempDir Path folder) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    Path file = Files.write(folder.resolve("file.bin"), new byte[1 << 20]);
    Handler sending = (req, res) -> res.sendFile(file, FileOptions.none());
    try (Server server = serve(options().threads(mode), sending);
        RawSocket socket = new RawSocket(server)) {
      socket.send("POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\nbegun");
      assertSaysSo(socket.readTo("\r\n\r\n"));
    }
  }

  @Test
  void aResponseToAClientThatWaitsForContinueAnnouncesTheClose() throws Exception {
    try (Server server = serve(PATH);
        RawSocket socket = new RawSocket(server)) {
      String head = "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n";
      String responses = socket.send(head + "Expect: 100-continue\r\n\r\n").readToClose();
      assertTrue(responses.startsWith("HTTP/1.1 200 "), responses);
      assertSaysSo(responses);
    }
  }

  @Test
  void aShortUnreadBodyLeavesTheConnectionOpen() throws Exception {
    try (Server server = serve(PATH);
        RawSocket socket = new RawSocket(server)) {
      socket.send("POST /short HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12");
      assertFalse(socket.readTo("\r\n\r\n/short").contains("Connection: close"));
      String response = socket.send("345" + NEXT).readTo("\r\n\r\n/next");
      assertEquals(0, response.indexOf("HTTP/1.1 200 "), response);
    }
  }
}
