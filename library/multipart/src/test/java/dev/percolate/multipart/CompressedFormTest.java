package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ChunkReader;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.TestConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Forms in content codings (RFC 9110 section 8.4), as crash reporters send them: all limits apply
 * to the decoded form.
 */
final class CompressedFormTest {

  private static final String TYPE = "multipart/form-data; boundary=X";
  private static final String FORM =
      """
      --X
      Content-Disposition: form-data; name="a"

      1
      --X
      Content-Disposition: form-data; name="f"; filename="x.dmp"
      Content-Type: application/octet-stream

      \u0089\u00ff\0
      --X--
      """;
  private static final String READ = "{a=1} f:x.dmp:application/octet-stream:89ff00";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip|z",
        "GZIP|z",
        "x-gzip|z",
        "deflate|d",
        "identity, gzip|z",
        "gzip, gzip|zz",
        "deflate, gzip|dz",
        "identity|''"
      })
  void compressedFormsAreDecoded(String header, String applied) throws IOException {
    byte[] body = Forms.bytes(FORM);
    for (int i = 0; i < applied.length(); i++) {
      body = applied.charAt(i) == 'z' ? gzip(body) : deflate(body);
    }
    for (int size : new int[] {1, 100, body.length}) {
      assertEquals(READ, send(Multipart.files(), header, body, size));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"compress", "nothing", "gzip, nothing", "*"})
  void unknownCodingsAreRejected(String header) throws IOException {
    assertEquals(
        "415 encoding.unsupported", send(Multipart.files(), header, gzip(Forms.bytes(FORM)), 100));
  }

  @Test
  void damagedAndCutBodiesAreRejected() throws IOException {
    byte[] body = gzip(Forms.bytes(FORM));
    assertEquals(
        "400 null", send(Multipart.files(), "gzip", Arrays.copyOf(body, body.length - 1), 50));
    assertEquals("400 null", send(Multipart.files(), "gzip", Forms.bytes(FORM), 50));
    byte[] half = gzip(Forms.bytes(FORM.substring(0, 100)));
    assertEquals("400 multipart.malformed", send(Multipart.files(), "gzip", half, 50));
  }

  @ParameterizedTest
  @CsvSource({
    "limit,413 entity.too.large",
    "fileLimit,413 file.too.large",
    "fieldLimit,413 fields.too.large"
  })
  void limitsAreThoseOfTheDecodedForm(String option, String failure) throws IOException {
    String big = "a".repeat(20_000);
    String form =
        "--X\nContent-Disposition: form-data; name=\"a\"\n\n"
            + (option.equals("fieldLimit") ? big : "")
            + "\n--X\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\n\n"
            + (option.equals("fieldLimit") ? "" : big)
            + "\n--X--\n";
    byte[] body = gzip(Forms.bytes(form));
    assertTrue(body.length < 1000);
    Multipart files = Multipart.files();
    Multipart limited =
        switch (option) {
          case "limit" -> files.limit("10000");
          case "fileLimit" -> files.maxFileSize("10000");
          default -> files.maxFieldsSize("10000");
        };
    assertEquals(failure, send(limited, "gzip", body, 100));
  }

  @Test
  void filesAreHandedOnWhileTheyAreDecoded() throws IOException {
    int size = 8_000_000;
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(
        Forms.bytes("--X\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\n\n"));
    form.writeBytes(new byte[size]);
    form.writeBytes(Forms.bytes("\n--X--\n"));
    AtomicInteger received = new AtomicInteger();
    AtomicInteger largest = new AtomicInteger();
    Multipart stream =
        Multipart.stream(
            (req, part) ->
                new ChunkReader() {
                  @Override
                  public boolean chunk(ByteBuffer piece) {
                    largest.accumulateAndGet(piece.remaining(), Math::max);
                    received.addAndGet(piece.remaining());
                    return true;
                  }

                  @Override
                  public void done(@Nullable Throwable failure) {}
                });
    byte[] body = gzip(form.toByteArray());
    assertEquals("{}", send(stream, "gzip", body, body.length));
    assertEquals(size, received.get());
    assertTrue(largest.get() < size, largest::toString);
  }

  @Test
  void bombStopsAtTheLimit() throws IOException {
    byte[] bomb = gzip(gzip(new byte[100_000_000]));
    assertEquals("413 entity.too.large", send(Multipart.files(), "gzip, gzip", bomb, bomb.length));
  }

  private static String send(Multipart options, String coding, byte[] body, int size) {
    Service service = Forms.service(options);
    Call call =
        Call.post("/").header("Content-Type", TYPE).header("Content-Encoding", coding).chunked();
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection = call.open(engine.client(service))) {
      for (int at = 0; at < body.length; at += size) {
        connection.send(Arrays.copyOfRange(body, at, Math.min(body.length, at + size)));
      }
      return Forms.show(connection.finish().reply());
    }
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflate(byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(body);
    }
    return bytes.toByteArray();
  }
}
