package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Locale;

/** A parsed type matches itself, and parsing is deterministic. */
final class MediaTypeFuzzTest {

  @FuzzTest
  void typesAreParsedAndMatched(byte[] data) {
    String header = FuzzLines.text(data);
    MediaType type = MediaType.parse(header);
    String name = type.type();
    if (name != null) {
      assertEquals(name, name.toLowerCase(Locale.ROOT));
      assertFalse(name.isEmpty());
    }
    boolean matched = JSON.matches(type);
    assertEquals(matched, JSON.matches(MediaType.parse(header)));
    assertFalse(matched && name == null);
    assertEquals(MediaType.isLike(header, "text/*"), MediaType.isLike(header, "text/*"));
    assertEquals(MimeTypes.standard().ofPath(header), MimeTypes.standard().ofPath(header));
    String known = MimeTypes.standard().ofExtension(header);
    assertTrue(known == null || known.indexOf('/') > 0);
    assertTrue(ContentType.hasCharset(ContentType.withCharset("text/plain", "utf-8")));
    assertEquals(type.parameter("charset"), MediaType.parse(header).parameter("charset"));
    try {
      String utf8 = ContentType.withCharset(header, "utf-8");
      assertEquals(utf8, ContentType.withCharset(utf8, "utf-8"));
    } catch (IllegalArgumentException e) {
      assertTrue(String.valueOf(e.getMessage()).startsWith("content type "), header);
    }
  }

  private static final TypeMatcher JSON = TypeMatcher.of("json", "*/vnd+json", "text/*");
}
