package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Handler;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.Logged;
import dev.percolate.fixtures.RawSocket;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that fail while they are sent, see docs/security/rows.tsv. */
@Timeout(60)
final class Http1ResponseRowsTest extends ServerFixture {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int SIZE = 64 << 20;

  @Test
  @DisplayName("RES-04: a head that cannot be written is a bare 500, and the connection is closed")
  void aHeadThatCannotBeWrittenIs500() throws Exception {
    Handler broken =
        (req, res) -> {
          res.set("X-Secret", "s");
          res.headers().addReceived("X", "a\r\nEvil: 1"); // only for requests: it checks nothing
          res.send("never");
        };
    try (Server server = serve(broken);
        RawSocket socket = new RawSocket(server)) {
      String response = socket.send(GET + GET).readToClose();
      assertTrue(response.startsWith("HTTP/1.1 500 Internal Server Error\r\n"), response);
      assertTrue(response.toLowerCase(Locale.ROOT).contains("connection: close"), response);
      assertTrue(response.endsWith("\r\n\r\n"), response);
      assertFalse(response.contains("Evil") || response.contains("X-Secret"), response);
      assertEquals(2, response.split("HTTP/1.1", -1).length, response);
    }
  }

  @Test
  @DisplayName("RES-05: more or fewer bytes than declared close the connection")
  void aWrongLengthClosesTheConnection() throws Exception {
    for (String length : List.of("3", "5")) {
      Handler wrong =
          (req, res) -> {
            res.set("Content-Length", length);
            res.write("fo");
            res.end("ur");
          };
      try (Server server = serve(wrong);
          RawSocket socket = new RawSocket(server)) {
        String response = socket.send(GET + GET).readToClose();
        assertFalse(response.endsWith("four"), response);
      }
    }
  }

  @Test
  @DisplayName("ENG-29: no response has both a length and a transfer encoding")
  void responsesHaveOneFraming() throws Exception {
    Handler both = (req, res) -> res.set("Transfer-Encoding", "chunked").send("body");
    try (Server server = serve(both);
        RawSocket socket = new RawSocket(server)) {
      String response = socket.send(GET).readTo("body");
      assertTrue(response.contains("Content-Length: 4\r\n"), response);
      assertFalse(response.contains("Transfer-Encoding"), response);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SIZE / 2}) // less and more than was sent
  @DisplayName("STA-14: a file that becomes shorter while it is sent closes the connection")
  void aShorterFileClosesTheConnection(int length, @TempDir Path folder) throws Exception {
    Path file = fill(folder);
    Handler sending = (req, res) -> res.sendFile(file, FileOptions.none());
    try (Server server = serve(sending);
        RawSocket socket = new RawSocket(server)) {
      socket.send(GET + GET).readTo("\r\n\r\n");
      try (RandomAccessFile shorter = new RandomAccessFile(file.toFile(), "rw")) {
        shorter.setLength(length);
      }
      int rest = lengthOfRest(socket);
      assertTrue(rest < SIZE, () -> rest + " bytes of " + SIZE);
    }
    assertClosed(file);
  }

  @Test
  @DisplayName("STA-15: files are closed, without a log entry, when clients disconnect")
  void filesOfDisconnectedClientsAreClosed(@TempDir Path folder) throws Exception {
    Path file = fill(folder);
    Handler sending = (req, res) -> res.sendFile(file, FileOptions.none());
    try (Logged logged = new Logged("");
        Server server = serve(sending)) {
      List<RawSocket> clients = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        clients.add(new RawSocket(server).send(GET));
      }
      for (RawSocket client : clients) {
        client.readTo("\r\n\r\n");
        client.reset();
      }
      assertClosed(file);
      assertEquals(List.of(), logged.messages());
    }
  }

  private static Path fill(Path folder) throws IOException {
    Path file = folder.resolve("big");
    try (RandomAccessFile big = new RandomAccessFile(file.toFile(), "rw")) {
      big.setLength(SIZE);
    }
    return file;
  }

  private static int lengthOfRest(RawSocket socket) throws SocketTimeoutException {
    try {
      return socket.readToClose().length();
    } catch (SocketTimeoutException e) {
      throw e; // the connection is still open
    } catch (IOException e) {
      return 0; // a reset is also accepted
    }
  }

  private static void assertClosed(Path file) throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "open files cannot be listed");
    long end = System.nanoTime() + 5_000_000_000L;
    while (isOpen(file) && System.nanoTime() < end) {
      Thread.sleep(20);
    }
    assertFalse(isOpen(file), "still open");
  }

  private static boolean isOpen(Path file) throws IOException {
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      return descriptors.anyMatch(descriptor -> leadsTo(descriptor, file));
    }
  }

  private static boolean leadsTo(Path descriptor, Path file) {
    try {
      return Files.readSymbolicLink(descriptor).equals(file);
    } catch (NoSuchFileException e) {
      return false; // closed meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
