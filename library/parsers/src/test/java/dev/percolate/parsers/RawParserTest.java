package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class RawParserTest {

  private static final String BINARY = "application/octet-stream";

  @Test
  void bodyIsItsBytesAlsoWhenEmpty() {
    byte[] bytes = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 0, 1};
    assertArrayEquals(bytes, play(BINARY, bytes));
    assertArrayEquals(new byte[0], play(BINARY, new byte[0]));
    assertNull(play("application/json", bytes));
  }

  @Test
  void theCharsetIsIgnored() {
    byte[] bytes = {1, 2};
    assertArrayEquals(bytes, play(BINARY + "; charset=nosuch", bytes));
  }

  private static byte[] play(String type, byte[] body) {
    Recorder seen = Recorder.play(Post.of(type, body), BodyParsers.raw());
    return (byte[]) seen.body();
  }
}
