package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GzipTest {

  private static final int HEADER = 10;

  @Test
  void memberIsInflatedHoweverItIsCut() {
    byte[] zipped = gzip("hello hello");
    for (int size = 1; size <= zipped.length; size++) {
      Recorder seen = play(zipped, size);
      assertEquals("hello hello", seen.body());
    }
  }

  @Test
  @DisplayName("BODY-11: further members are joined under one limit")
  void furtherMembersAreJoinedUnderOneLimit() {
    byte[] both = join(gzip("hello "), gzip("world"));
    assertEquals("hello world", play(both, 1).body());
    assertEquals("hello world", play(both, both.length).body());
    Recorder seen = Recorder.play(request(both).chunked(), BodyParsers.text().limit(10));
    assertEquals("entity.too.large", seen.error().type());
    assertEquals(11L, seen.error().field("received"));
  }

  @Test
  @DisplayName("BODY-12: zero behind a member ends the data and anything else begins another")
  void zeroBehindAMemberEndsTheDataAndAnythingElseBeginsAnother() {
    byte[] zipped = gzip("x");
    assertEquals("x", play(join(zipped, new byte[3]), 1).body());
    assertEquals("x", play(join(zipped, new byte[] {0, 'a', 'b'}), 100).body());
    assertFails(join(zipped, new byte[] {'a', 'b', 'c'}));
    assertFails(join(zipped, new byte[] {0x1F}));
    assertFails(join(new byte[] {0}, zipped));
  }

  @Test
  @DisplayName("BODY-13: truncated empty and damaged data are errors")
  void truncatedEmptyAndDamagedDataAreErrors() {
    byte[] zipped = gzip("hello");
    for (int end = 0; end < zipped.length; end++) {
      assertFails(Arrays.copyOf(zipped, end));
    }
    for (int i = zipped.length - 8; i < zipped.length; i++) {
      byte[] damaged = zipped.clone();
      damaged[i] ^= 1;
      assertFails(damaged);
    }
  }

  @Test
  void emptyMemberIsAnEmptyBody() {
    assertEquals("", play(gzip(""), 1).body());
  }

  @Test
  @DisplayName("BODY-14: optional fields of the header are skipped")
  void optionalFieldsOfTheHeaderAreSkipped() {
    byte[] all = header(2 + 4 + 8 + 16, new byte[] {3, 0, 1, 2, 3, 'n', 0, 'c', 0});
    assertEquals("x", play(all, 1).body());
    assertEquals("x", play(all, 1000).body());
    assertEquals("x", play(header(4, new byte[] {0, 0}), 1).body());
    assertEquals("x", play(header(8, new byte[] {0}), 1).body());
    assertEquals("x", play(header(16, new byte[] {'c', 0}), 1).body());
    assertEquals("x", play(header(1, new byte[0]), 1).body());
    byte[] extra = new byte[2 + 300];
    extra[0] = 300 & 0xFF;
    extra[1] = 300 >> 8;
    assertEquals("x", play(header(4, extra), 7).body());
  }

  @Test
  void theCheckSumOfAHeaderIsThatOfItsMember() {
    byte[] member = header(2 + 8, new byte[] {'n', 0});
    assertEquals("xx", play(join(member, member), 5).body());
  }

  @Test
  @DisplayName("BODY-14: malformed and huge headers are errors")
  void malformedAndHugeHeadersAreErrors() {
    byte[] wrongCrc = header(2, new byte[0]);
    wrongCrc[HEADER] ^= 1;
    assertFails(wrongCrc);
    for (int flag : new int[] {32, 64, 128}) {
      assertFails(header(flag, new byte[0]));
    }
    byte[] name = new byte[70_000];
    Arrays.fill(name, 0, name.length - 1, (byte) 'n');
    assertFails(header(8, name));
    byte[] method = gzip("x");
    method[2] = 7;
    assertFails(method);
  }

  @Test
  @DisplayName("BODY-07: bomb stops one block behind the limit")
  void aBombStopsOneBlockAfterTheLimit() {
    byte[] bomb = gzip("a".repeat(20_000_000));
    Recorder seen = Recorder.play(request(bomb), BodyParsers.text());
    assertEquals("413 entity.too.large request entity too large", seen.failure());
    long received = (Long) seen.error().field("received");
    assertTrue(received <= 102_400 + 16_384, String.valueOf(received));
  }

  @Test
  @DisplayName("BODY-07, BODY-15: length of the compressed body is not compared with anything")
  void theCompressedLengthIsNotChecked() {
    byte[] zipped = gzip("x");
    TestExchange exchange = Post.of("text/plain").length(5).chunk(zipped);
    exchange.header("Content-Encoding", "GZip");
    assertEquals("x", Recorder.play(exchange, BodyParsers.text().limit(1)).body());
  }

  @Test
  @DisplayName("BODY-15: closing gives memory back")
  void closingGivesMemoryBack() {
    Bytes out = new Bytes(10, -1, new Bytes.MemoryShare(all -> {}));
    Gzip gzip = new Gzip(out);
    gzip.close();
    assertThrows(RuntimeException.class, () -> gzip.add(ByteBuffer.wrap(gzip("x"))));
  }

  @Test // section 9
  void errorHasNoType() {
    HttpError error = play(new byte[] {1}, 1).error();
    assertEquals(
        "400 null incorrect header check",
        error.status() + " " + error.type() + " " + error.getMessage());
  }

  private static void assertFails(byte[] body) {
    Recorder seen = play(body, 1);
    assertEquals(400, seen.error().status());
    assertEquals(null, seen.error().type());
    assertEquals(400, play(body, 100_000).error().status());
  }

  private static Recorder play(byte[] body, int size) {
    return Recorder.play(request(body).chunkSize(size), BodyParsers.text());
  }

  private static TestExchange request(byte[] body) {
    return Post.of("text/plain", body).header("Content-Encoding", "gzip");
  }

  /** Creates a member of one letter with flags and fields, and the checksum that they require. */
  private static byte[] header(int flags, byte[] fields) {
    byte[] plain = gzip("x");
    byte[] head = Arrays.copyOf(plain, HEADER);
    head[3] = (byte) flags;
    head = join(head, fields);
    if ((flags & 2) != 0) {
      CRC32 crc = new CRC32();
      crc.update(head);
      head = join(head, new byte[] {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)});
    }
    return join(head, Arrays.copyOfRange(plain, HEADER, plain.length));
  }

  static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
