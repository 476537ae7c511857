package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CompressionTest {

  private static final Compression ALL = Compression.of().threshold(0);
  private static final Call GZIP = Call.get("/").header("Accept-Encoding", "gzip");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 100_000, 3_000_000})
  void theDecompressedBodyEqualsTheOriginal(int size) throws IOException {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    Arrays.fill(body, 0, size / 2, (byte) 'a');
    Handler handler = (req, res) -> res.type("text/plain").send(body);
    assertArrayEquals(body, ungzipped(Played.reply(GZIP, ALL, handler)));
    Call deflate = Call.get("/").header("Accept-Encoding", "deflate");
    Reply zlib = Played.reply(deflate, ALL, handler);
    assertEquals("deflate", zlib.header("Content-Encoding"));
    assertArrayEquals(
        body, new InflaterInputStream(new ByteArrayInputStream(zlib.bytes())).readAllBytes());
  }

  @Test
  void aPartOfAFileIsNotCompressed(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("a.txt"), "0123456789".repeat(20_000));
    Call call = Call.get("/a.txt").header("Accept-Encoding", "gzip");
    Reply reply =
        Played.reply(call.header("Range", "bytes=10000-19999"), ALL, StaticFiles.of(folder));
    assertEquals(206, reply.status());
    assertNull(reply.header("Content-Encoding"));
    assertEquals("Accept-Encoding", reply.header("Vary"));
    assertEquals(10_000, reply.bytes().length);
  }

  @Test
  void aFileIsCompressedFromItsOffset(@TempDir Path folder) throws IOException {
    String text = "0123456789".repeat(20_000);
    Files.writeString(folder.resolve("a.txt"), text);
    Reply reply =
        Played.reply(
            Call.get("/a.txt").header("Accept-Encoding", "gzip"), ALL, StaticFiles.of(folder));
    assertEquals(text, new String(ungzipped(reply), StandardCharsets.UTF_8));
    assertNull(reply.header("Content-Length"));
    Reply none = Played.reply(Call.get("/a.txt"), ALL, StaticFiles.of(folder));
    assertEquals(text, none.text());
    assertEquals("200000", none.header("Content-Length"));
  }

  @Test
  void flushSendsWhatWasWritten() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          res.type("text/plain").write("first");
          res.flush().flush();
          assertTrue(seen.await(10, TimeUnit.SECONDS));
          res.end("second");
        };
    Lint lint = new Lint();
    Service service = Chain.service(new Settings(), lint.around(Compression.of()), handler);
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(lint.service(service));
        TestConnection connection = GZIP.open(client)) {
      InputStream in = new GZIPInputStream(new ByteArrayInputStream(awaited(connection)));
      assertEquals("first", new String(in.readNBytes(5), StandardCharsets.UTF_8));
      seen.countDown();
      assertEquals(
          "firstsecond", new String(ungzipped(connection.reply()), StandardCharsets.UTF_8));
    }
    lint.check();
  }

  @Test
  void streamedBodiesAreCompressed() {
    Handler handler =
        (req, res) -> {
          res.type("text/plain");
          byte[] piece = new byte[64 << 10];
          for (int i = 0; i < 200; i++) {
            res.write(piece);
          }
          res.end();
        };
    Reply reply = Played.reply(GZIP, Compression.of(), handler);
    assertTrue(reply.complete());
    assertTrue(reply.bytes().length < 100_000, "" + reply.bytes().length);
  }

  @Test
  void theThresholdUsesContentLengthOfWrittenBodies() {
    Handler told =
        (req, res) -> {
          res.type("text/plain").set("Content-Length", "3");
          res.write("abc");
          res.end();
        };
    Reply reply = Played.reply(GZIP, Compression.of(), told);
    assertNull(reply.header("Content-Encoding"));
    assertEquals("abc", reply.text());
    assertEquals("Accept-Encoding", reply.header("Vary"));
  }

  @Test
  void identityIsCompressedAndOtherCodingsAreUnchanged() {
    assertEquals("gzip", coding("identity"));
    assertEquals("br", coding("br"));
  }

  @Test
  void noTransformPreventsCompressionAndVary() {
    Handler handler =
        (req, res) ->
            res.type("text/plain").set("Cache-Control", "public, No-Transform").send("x".repeat(9));
    Reply reply = Played.reply(GZIP, ALL, handler);
    assertNull(reply.header("Content-Encoding"));
    assertNull(reply.header("Vary"));
  }

  @Test
  void anErrorInAHeaderHookIsNotCompressed() {
    Handler handler =
        (req, res) -> {
          res.onHeaders(() -> res.set("X", "y"));
          res.type("text/plain").send("abc");
        };
    Reply reply =
        Played.reply(
            GZIP,
            (req, res, next) -> {
              res.onHeaders(
                  () -> {
                    throw new IllegalStateException("hook");
                  });
              next.run();
            },
            ALL,
            handler);
    assertEquals(500, reply.status());
    assertEquals("hook", reply.text());
    assertNull(reply.header("Content-Encoding"));
  }

  @ParameterizedTest
  @CsvSource({
    "text/x-anything, true",
    "Application/JSON; charset=utf-8, true",
    "application/vnd.api+json, true",
    "image/svg+xml, true",
    "x/y+text, true",
    "application/x-virtualbox-vdi, true",
    "font/ttf, true",
    "font/woff2, false",
    "image/jpeg, false",
    "application/gzip, false",
    "text/, false",
    "made/up, false",
  })
  void typesAreCompressibleByName(String type, boolean compressible) {
    assertEquals(compressible, Compression.compressible(type));
    assertFalse(Compression.compressible(null));
  }

  @Test
  void wrongOptionsAreRejected() {
    assertEquals(
        "threshold must be a size such as \"100kb\", was \"big\"",
        Played.rejection(() -> ALL.threshold("big")));
    assertEquals("threshold must be at least 0, was -1", Played.rejection(() -> ALL.threshold(-1)));
    assertThrows(IllegalArgumentException.class, () -> ALL.level(0));
  }

  private static String coding(String before) {
    Handler handler =
        (req, res) -> res.type("text/plain").set("Content-Encoding", before).send("abc");
    return String.valueOf(Played.reply(GZIP, ALL, handler).header("Content-Encoding"));
  }

  /** Waits for the flushed bytes, which end with an empty block, and returns them. */
  private static byte[] awaited(TestConnection connection) throws InterruptedException {
    byte[] bytes = connection.head().bytes();
    for (int i = 0; i < 1000 && bytes.length < 20; i++) {
      TimeUnit.MILLISECONDS.sleep(5);
      bytes = connection.head().bytes();
    }
    return bytes;
  }

  private static byte[] ungzipped(Reply reply) throws IOException {
    assertEquals("gzip", reply.header("Content-Encoding"));
    return new GZIPInputStream(new ByteArrayInputStream(reply.bytes())).readAllBytes();
  }
}
