package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Text in any charset becomes text, bytes stay bytes, however they are split or compressed. */
final class TextBodyFuzzTest {

  private static final int LIMIT = 2_000;
  private static final TextParser TEXT = BodyParsers.text().type("*/*").limit(LIMIT);
  private static final RawParser RAW = BodyParsers.raw().type("*/*").limit(LIMIT);
  private static final RawParser PLAIN = RAW.inflate(false);

  @FuzzTest
  void textAndBytesAreParsedOrRejected(byte[] data) {
    FuzzBody body = new FuzzBody(data, "text/plain; charset=utf-8");
    Recorder text = body.sendThrough(TEXT);
    Recorder raw = body.sendThrough(RAW);
    if (raw.error == null && raw.body instanceof byte[] bytes) {
      assertTrue(bytes.length <= LIMIT);
    }
    if (text.error == null && text.body instanceof String read) {
      assertTrue(read.length() <= LIMIT);
      raw.body(); // a body that is valid text is also valid as bytes
    }
    Recorder plain = body.sendThrough(PLAIN);
    if (plain.error == null && plain.body instanceof byte[] bytes) {
      assertArrayEquals(body.bytes(), bytes);
    }
  }
}
