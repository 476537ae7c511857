package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** A name never ends its header or its quotes, and has no directory. */
final class ContentDispositionFuzzTest {

  @FuzzTest
  void namesStayInsideTheirQuotes(byte[] data) {
    String name = new String(data, StandardCharsets.UTF_8);
    String value = ContentDisposition.attachment(name);
    assertTrue(value.chars().allMatch(c -> c >= ' ' && c < 0x7F), value);
    HeaderText.checkValue("Content-Disposition", HeaderEncoding.LATIN1.attachment(name));
    assertTrue(ContentDisposition.extension(name).startsWith("."));
    if (value.equals("attachment; filename*=UTF-8''")) {
      assertTrue(name.replace("/", "").isEmpty(), name);
      return;
    }
    assertTrue(value.startsWith("attachment; filename=\""), value);
    int end = closingQuote(value, "attachment; filename=\"".length());
    String rest = value.substring(end + 1);
    assertTrue(rest.isEmpty() || rest.startsWith("; filename*=UTF-8''"), value);
    assertTrue(rest.indexOf('"') < 0 && rest.indexOf('/') < 0, value);
    assertTrue(value.substring(0, end).indexOf('/') < 0, value);
  }

  private static int closingQuote(String value, int from) {
    int i = from;
    while (value.charAt(i) != '"') {
      i += value.charAt(i) == '\\' ? 2 : 1;
    }
    return i;
  }
}
