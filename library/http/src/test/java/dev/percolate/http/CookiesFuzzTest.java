package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Map;

/** Cookies and signatures are read as they were written, and random text is not a signature. */
final class CookiesFuzzTest {

  @FuzzTest
  void cookiesAreReadAsTheyWereWritten(byte[] data) {
    String[] lines = FuzzLines.of(data, 2);
    String value = lines[0];
    Map<String, String> read = Cookies.parse(lines[1]);
    assertTrue(read.size() <= 200);
    String line = Cookies.serialise("n", value, CookieOptions.none(), 0);
    assertTrue(line.endsWith("; Path=/") && line.chars().noneMatch(c -> c < ' '), line);
    String pair = line.substring(0, line.length() - "; Path=/".length());
    assertEquals(value, Cookies.parse(pair + "; n=other").get("n"));
    String signed = CookieSignature.sign(value, "secret");
    assertEquals(value, CookieSignature.unsign(signed, "secret"));
    assertNull(CookieSignature.unsign(signed, "other"));
    String bound = CookieSignature.sign("cookie", "n", value, "secret");
    assertEquals(value, CookieSignature.unsign("cookie", "n", bound, "secret"));
    assertNull(CookieSignature.unsign(bound, "secret"));
    assertEquals(value, CookieText.unescape(CookieText.escape(value)));
    String junk = lines[1];
    assertNull(CookieSignature.unsign("cookie", "n", junk, "secret"));
    String unsigned = CookieSignature.unsign(junk, "secret");
    assertTrue(unsigned == null || CookieSignature.sign(unsigned, "secret").equals(junk));
  }
}
