package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeflateTest {

  @Test
  void zlibFormatIsInflatedHoweverItIsCut() {
    byte[] zipped = deflate("hello hello", false, null);
    for (int size = 1; size <= zipped.length; size++) {
      assertEquals("hello hello", play(zipped, size).body());
    }
  }

  @Test
  @DisplayName("BODY-12: what follows the data is ignored")
  void bytesAfterTheDataAreIgnored() {
    byte[] zipped = GzipTest.join(deflate("x", false, null), new byte[] {'a', 'b', 'c'});
    assertEquals("x", play(zipped, 1).body());
    assertEquals("x", play(zipped, 100).body());
  }

  @Test
  @DisplayName("BODY-13: truncated empty damaged and bare data are errors")
  void truncatedEmptyDamagedAndBareDataAreErrors() {
    byte[] zipped = deflate("hello", false, null);
    for (int end = 0; end < zipped.length; end++) {
      assertFails(Arrays.copyOf(zipped, end));
    }
    byte[] damaged = zipped.clone();
    damaged[damaged.length - 1] ^= 1;
    assertFails(damaged);
    assertFails(deflate("hello", true, null));
  }

  @Test
  @DisplayName("BODY-14: preset dictionary is an error")
  void presetDictionaryIsAnError() {
    assertFails(deflate("hello", false, new byte[] {'h', 'e', 'l', 'l', 'o'}));
  }

  @Test
  @DisplayName("BODY-07: bomb stops one block behind the limit")
  void aBombStopsOneBlockAfterTheLimit() {
    Recorder seen = play(deflate("a".repeat(20_000_000), false, null), 4096);
    assertEquals("entity.too.large", seen.error().type());
    assertTrue((Long) seen.error().field("received") <= 102_400 + 16_384);
  }

  private static void assertFails(byte[] body) {
    assertEquals(400, play(body, 1).error().status());
    assertEquals(null, play(body, 1000).error().type());
  }

  private static Recorder play(byte[] body, int size) {
    TestExchange exchange = Post.of("text/plain", body).chunkSize(size);
    return Recorder.play(exchange.header("Content-Encoding", "deflate"), BodyParsers.text());
  }

  private static byte[] deflate(String text, boolean bare, byte @Nullable [] dictionary) {
    Deflater deflater = new Deflater(9, bare);
    if (dictionary != null) {
      deflater.setDictionary(dictionary);
    }
    deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
    deflater.finish();
    byte[] out = new byte[100_000];
    int size = deflater.deflate(out);
    deflater.end();
    return Arrays.copyOf(out, size);
  }
}
