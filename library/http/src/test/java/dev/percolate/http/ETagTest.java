package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ETagTest {

  @Test
  void weakTagsContainLengthAndDigestOfTheBody() {
    assertEquals("W/\"d-Otu60XkfuuPskIiUxJY4cA\"", ETag.weak("hello, world!".getBytes(UTF_8)));
    assertEquals("W/\"0-1B2M2Y8AsgTpgAmY7PhCfg\"", ETag.weak(new byte[0]));
    assertEquals("W/\"5-XUFAKrxLKna5cZ2REBfFkg\"", ETag.weak("hello".getBytes(UTF_8)));
  }

  @Test
  void strongTagsAreWeakTagsWithoutPrefix() {
    assertEquals("\"5-XUFAKrxLKna5cZ2REBfFkg\"", ETag.strong("hello".getBytes(UTF_8)));
  }

  @Test
  void lengthsAreHexadecimal() {
    assertEquals("\"3e8-", ETag.strong(new byte[1000]).substring(0, 5));
  }

  @Test
  void tagsOfFilesContainSizeAndTimeInHexadecimal() {
    assertEquals("W/\"b-16f6435cc88\"", ETag.ofFile(11, 1_577_934_245_000L));
  }

  @Test
  void tagsOfChecksumsDifferFromThoseOfTimes() {
    assertEquals("W/\"b-c16f6435cc88\"", ETag.ofChecksum(11, 1_577_934_245_000L));
  }
}
