package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that read a response below the minimum rate, and faster ones. */
@Tag("long")
@Timeout(120)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
@Execution(ExecutionMode.CONCURRENT) // they mostly wait, each with its own server
final class SlowResponseTest {

  private static final int SIZE = 64 << 20;

  /** High enough to get past the bytes in the system's buffers within seconds. */
  private static final int RATE = 1_000_000;

  private static Server serve(String threads, int rate, Path file) throws Exception {
    byte[] piece = new byte[64 << 10];
    Middleware route =
        (req, res, next) -> {
          switch (req.path()) {
            case "/whole" -> res.end(new byte[SIZE]);
            case "/file" -> res.sendFile(file);
            case "/late" -> {
              Thread.sleep(25_000); // no bytes wait for the client in this time
              res.send("late");
            }
            default -> {
              for (int i = 0; i < SIZE / piece.length; i++) {
                res.write(piece);
              }
              res.end();
            }
          }
        };
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").threads(threads).minResponseRate(rate);
    return new NioEngine().listen(Chain.service(new Settings(), route), options);
  }

  /** Reads at a rate for up to a minute or until the end; returns the number of bytes read. */
  private static long read(Server server, String path, int bytesPerSecond) throws Exception {
    long seen = 0;
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(64 << 10);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      String get = "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(get.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      long begun = System.nanoTime();
      byte[] piece = new byte[16 << 10];
      int count = 0;
      while (count >= 0 && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(60)) {
        count = in.read(piece);
        seen += Math.max(0, count);
        double ahead = (double) seen / bytesPerSecond - (System.nanoTime() - begun) / 1e9;
        TimeUnit.MILLISECONDS.sleep((long) Math.max(0, ahead * 1000));
      }
      assertTrue(count < 0, "still served after a minute");
    } catch (SocketException e) {
      return seen; // reset, with unread bytes
    }
    return seen;
  }

  @DisplayName("DOS-15: a client that reads below the minimum rate is disconnected")
  @ParameterizedTest
  @CsvSource({"pool, /whole", "pool, /pieces", "pool, /file", "event loop, /whole"})
  void aClientThatReadsTooSlowlyIsDisconnected(String threads, String path, @TempDir Path folder)
      throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[SIZE]);
    try (Server server = serve(threads, RATE, file)) {
      long seen = read(server, path, RATE / 4);
      assertTrue(seen < SIZE, seen + " bytes");
    }
  }

  @ParameterizedTest
  @CsvSource({"pool, /whole", "pool, /pieces", "pool, /file", "event loop, /whole"})
  void aFastEnoughClientGetsTheWholeResponse(String threads, String path, @TempDir Path folder)
      throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[SIZE]);
    try (Server server = serve(threads, RATE, file)) {
      assertTrue(read(server, path, 3 * RATE) > SIZE);
    }
  }

  @ParameterizedTest
  @CsvSource({"pool"})
  void aClientOfASlowHandlerIsNotSlow(String threads, @TempDir Path folder) throws Exception {
    try (Server server = serve(threads, RATE, folder)) {
      assertTrue(read(server, "/late", RATE) > 0);
    }
  }
}
