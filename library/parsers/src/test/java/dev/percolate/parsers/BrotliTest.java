package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.TestExchange;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BrotliTest {

  /** Four times hello. */
  private static final byte[] HELLO = bytes("GxYA+I2Ubt5EVYaWbCBvIU8c4Dg=");

  /** 8 MiB of one letter. */
  private static final byte[] BOMB = bytes("m///f/glwuKxQCD3/g8=");

  /** 4000 letters, with a window of 16 MiB. */
  private static final byte[] GREATEST_WINDOW = bytes("H58P+CXE4rFAIOsAAA==");

  /** The same with a large window, which is not part of the standard. */
  private static final byte[] LARGE_WINDOW = bytes("EVx8PuCXEIvHAgFZBwA=");

  private static final byte[] EMPTY = bytes("Ow==");

  @Test
  void dataIsInflatedHoweverItIsCut() {
    for (int size = 1; size <= HELLO.length; size++) {
      assertEquals("hello hello hello hello", play(HELLO, size).body());
    }
    assertEquals("", play(EMPTY, 1).body());
  }

  @Test
  @DisplayName("BODY-12: what follows the data is ignored")
  void bytesAfterTheDataAreIgnored() {
    for (int more : new int[] {1, 3, 4095, 4096, 5000, 50_000}) {
      byte[] body = Arrays.copyOf(HELLO, HELLO.length + more);
      Arrays.fill(body, HELLO.length, body.length, (byte) 'a');
      assertEquals("hello hello hello hello", play(body, 1000).body());
    }
  }

  @Test
  @DisplayName("BODY-13: truncated empty and malformed data are errors")
  void truncatedEmptyAndMalformedDataAreErrors() {
    for (int end = 0; end < HELLO.length; end++) {
      assertFails(Arrays.copyOf(HELLO, end));
    }
    assertFails(bytes("////////"));
  }

  @Test
  @DisplayName("BODY-08: bomb stops one block behind the limit")
  void aBombStopsOneBlockAfterTheLimit() {
    Recorder seen = play(BOMB, 100);
    assertEquals("413 entity.too.large request entity too large", seen.failure());
    assertTrue((Long) seen.error().field("received") <= 102_400 + 16_384);
  }

  @Test
  @DisplayName("BODY-09: greatest window of the standard is the last")
  void greatestWindowOfTheStandardIsTheLast() {
    assertEquals("b".repeat(4000), play(GREATEST_WINDOW, 100).body());
    assertFails(LARGE_WINDOW);
  }

  @Test
  @DisplayName("BODY-09: a window is no larger than the limit needs")
  void aWindowIsNoLargerThanTheLimitNeeds() {
    play(BOMB, 100); // classes are loaded
    assertTrue(Allocation.of(() -> play(BOMB, 100)) < 2 << 20);
  }

  @Test
  void excessiveCompressedDataIsNotCollected() {
    // The beginning of an endless body: blocks of metadata.
    byte[] endless = new byte[400_000];
    endless[0] = 0x0C;
    TestExchange exchange = request(endless).chunkSize(10_000);
    Recorder seen = Recorder.play(exchange, BodyParsers.text());
    assertTrue(seen.error().status() == 413 || seen.error().status() == 400);
    assertTrue(exchange.reads() < 30, String.valueOf(exchange.reads()));
  }

  @Test
  void endlessRestBehindTheDataIsDropped() {
    byte[] body = Arrays.copyOf(HELLO, 400_000);
    assertEquals("hello hello hello hello", play(body, 10_000).body());
  }

  private static void assertFails(byte[] body) {
    Recorder seen = play(body, 1);
    assertEquals(400, seen.error().status());
    assertEquals(null, seen.error().type());
  }

  private static Recorder play(byte[] body, int size) {
    return Recorder.play(request(body).chunkSize(size), BodyParsers.text());
  }

  private static TestExchange request(byte[] body) {
    return Post.of("text/plain", body).header("Content-Encoding", "br");
  }

  private static byte[] bytes(String base64) {
    return Base64.getDecoder().decode(base64);
  }
}
