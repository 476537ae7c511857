package dev.percolate.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.parsers.TextParser;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ZstdCodingTest {

  @Test
  void bodyIsInflatedInChunksOfAnySize() throws IOException {
    byte[] body = zstd("hello hello hello");
    for (int size = 1; size <= body.length; size++) {
      assertEquals("200 hello hello hello", play(BodyParsers.text(), size, body));
    }
    assertEquals("200 ", play(BodyParsers.text(), 100, zstd("")));
    assertEquals(
        "200 hello hello hello",
        play(BodyParsers.text(), 100, Zstd.compress(bytes("hello hello hello"))));
  }

  @Test
  void framesAreJoinedUnderOneLimit() throws IOException {
    byte[] both = join(zstd("hello "), zstd("world"));
    assertEquals("200 hello world", play(BodyParsers.text(), 100, both));
    assertEquals("413 entity.too.large", play(BodyParsers.text().limit(10), 100, both));
    assertEquals("200 hello world", play(BodyParsers.text().limit(11), 100, both));
  }

  @Test
  @DisplayName("BODY-08: a decompression bomb stops one block after the limit")
  void bombStopsOneBlockBehindTheLimit() throws IOException {
    byte[] bomb = zstd("a".repeat(50_000_000));
    assertTrue(bomb.length < 10_000);
    AtomicInteger received = new AtomicInteger();
    ErrorHandler errors =
        (error, req, res, next) -> {
          received.set(((Long) ((HttpError) error).field("received")).intValue());
          res.sendStatus(413);
        };
    Service service = Chain.service(new Settings(), BodyParsers.text(), errors);
    assertEquals(413, call(bomb).to(service).status());
    assertTrue(received.get() <= 102_400 + 16_384, received::toString);
  }

  @Test
  @DisplayName("BODY-09: windows beyond 8 MiB are refused")
  void windowsBeyondEightMebibytesAreRejected() throws IOException {
    assertEquals("200 x", play(BodyParsers.text(), 100, withWindow(23)));
    for (int window : new int[] {24, 27, 31}) {
      assertEquals("400 null", play(BodyParsers.text(), 100, withWindow(window)));
    }
  }

  @Test
  @DisplayName("BODY-13: truncated, empty and damaged data are errors")
  void truncatedEmptyAndDamagedDataAreErrors() throws IOException {
    byte[] body = zstd("hello");
    for (int end = 0; end < body.length; end++) {
      assertEquals("400 null", play(BodyParsers.text(), 100, Arrays.copyOf(body, end)));
    }
    byte[] damaged = body.clone();
    damaged[damaged.length - 1] ^= 1;
    assertEquals("400 null", play(BodyParsers.text(), 100, damaged));
    assertEquals("400 null", play(BodyParsers.text(), 100, join(body, bytes("abc"))));
  }

  @Test
  @DisplayName("BODY-16: zstd is refused if the parser does not inflate")
  void withoutInflatingItIsRejected() throws IOException {
    assertEquals(
        "415 encoding.unsupported", play(BodyParsers.text().inflate(false), 100, zstd("x")));
  }

  @Test
  void endlessBodyIsNotCollected() {
    Service service = Chain.service(new Settings().set("env", "test"), BodyParsers.text());
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection = call(null).chunked().open(engine.client(service))) {
      byte[] skippable = new byte[1 << 20];
      skippable[0] = 0x50;
      skippable[1] = 0x2A;
      skippable[2] = 0x4D;
      skippable[3] = 0x18;
      skippable[7] = 0x7F;
      Reply reply = connection.send(skippable).reply();
      assertEquals(413, reply.status());
    }
  }

  @Test
  void streamIsClosedInAnyCase() throws IOException {
    for (byte[] body : new byte[][] {zstd("x"), {1, 2, 3}, Arrays.copyOf(zstd("hello"), 7)}) {
      AtomicInteger closed = new AtomicInteger();
      InputStream compressed =
          new ByteArrayInputStream(body) {
            @Override
            public void close() {
              closed.incrementAndGet();
            }
          };
      InputStream stream = new ZstdCoding().inflate(compressed);
      try (stream) {
        stream.readAllBytes();
      } catch (IOException e) {
        assertTrue(e.getMessage() != null);
      }
      assertEquals(1, closed.get());
      assertThrows(IOException.class, stream::read);
    }
  }

  private static String play(TextParser parser, int size, byte[] body) {
    ErrorHandler errors =
        (error, req, res, next) -> {
          HttpError known = (HttpError) error;
          res.status(known.status()).send(String.valueOf(known.type()));
        };
    Service service =
        Chain.service(
            new Settings(),
            parser,
            (req, res, next) -> res.send(String.valueOf(req.body())),
            errors);
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection = call(null).chunked().open(engine.client(service))) {
      for (int at = 0; at < body.length; at += size) {
        connection.send(Arrays.copyOfRange(body, at, Math.min(body.length, at + size)));
      }
      Reply reply = connection.finish().reply();
      return reply.status() + " " + reply.text();
    }
  }

  private static Call call(byte @Nullable [] body) {
    Call call =
        Call.post("/").header("Content-Type", "text/plain").header("Content-Encoding", "zstd");
    return body == null ? call : call.body(body);
  }

  private static byte[] zstd(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes)) {
      out.setChecksum(true);
      out.write(bytes(text));
    }
    return bytes.toByteArray();
  }

  /** Creates a frame of one letter whose window size is a power of two. */
  private static byte[] withWindow(int power) {
    byte descriptor = (byte) ((power - 10) << 3);
    return new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, descriptor, 9, 0, 0, 'x'};
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
