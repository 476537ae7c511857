package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ETagTest {

  /** The checksums of these digits are the check values of both functions. */
  @Test
  void weakTagsContainLengthAndChecksumsOfTheBody() {
    assertEquals("W/\"9-ccbf43926e3069283\"", ETag.weak("123456789".getBytes(UTF_8)));
    assertEquals("W/\"0-c0\"", ETag.weak(new byte[0]));
  }

  @Test
  void eachChangeOfOneByteChangesTheWeakTag() {
    byte[] body = new byte[4096];
    Set<String> tags = new HashSet<>(Set.of(ETag.weak(body)));
    for (int i = 0; i < body.length; i++) {
      for (byte value : new byte[] {1, 2, -128}) {
        body[i] = value;
        assertTrue(tags.add(ETag.weak(body)));
      }
      body[i] = 0;
    }
  }

  @Test
  void strongTagsContainLengthAndDigestOfTheBody() {
    assertEquals("\"5-XUFAKrxLKna5cZ2REBfFkg\"", ETag.strong("hello".getBytes(UTF_8)));
    assertEquals("\"0-1B2M2Y8AsgTpgAmY7PhCfg\"", ETag.strong(new byte[0]));
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
