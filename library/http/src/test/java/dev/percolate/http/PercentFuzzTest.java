package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Decoding reverses encoding; malformed text does not change or is rejected. */
final class PercentFuzzTest {

  @FuzzTest
  void escapesAreDecodedAsTheyWereEncoded(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    assertEquals(text, Percent.decode(Percent.encodeComponent(text)));
    assertEquals(text, Percent.decodeForm(Percent.encodeComponent(text)));
    String header = Percent.encodeForHeader(text);
    assertTrue(header.chars().allMatch(c -> c < 0x80));
    String reference = UriReference.encode(text);
    assertTrue(reference.chars().allMatch(c -> c > ' ' && c < 0x7F), reference);
    assertEquals(reference, UriReference.encode(reference));
    String decoded = Percent.decode(text);
    assertTrue(decoded == null || decoded.length() <= text.length());
    assertTrue(Percent.decodeForm(text).length() <= text.length());
    assertTrue(Percent.decodeQuery(text).length() <= text.length());
    assertTrue(Percent.decodeFormLatin1(text).length() <= text.length());
  }
}
