package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeadWriterTest {

  private static final String[] NAMES = {"X-A", "x-a", "X-B", "Set-Cookie", "Content-Type"};

  private final HeadWriter heads = new HeadWriter();

  @Test
  void repeatedHeadersAreWrittenUnchanged() {
    Random random = new Random(20_261_126);
    for (int i = 0; i < 100_000; i++) {
      String name = NAMES[random.nextInt(NAMES.length)];
      // Few lengths and last characters, so that many headers share a slot of the cache.
      String value = "v".repeat(random.nextInt(3)) + random.nextInt(20) + "\u00e9";
      assertEquals(name + ": " + value + "\r\n", written(name, value));
    }
  }

  @Test
  void anEmptyValueIsValid() {
    for (int i = 0; i < 3; i++) {
      assertEquals("X-A: \r\n", written("X-A", ""));
    }
  }

  @Test
  void aLongHeaderIsWrittenEachTime() {
    String value = "v".repeat(5_000);
    for (int i = 0; i < 3; i++) {
      assertEquals("X-A: " + value + "\r\n", written("X-A", value));
    }
  }

  @Test
  void invalidHeadersAreRejectedAfterSimilarValidOnes() {
    for (int i = 0; i < 3; i++) {
      assertEquals("X-A: a.b\r\n", written("X-A", "a.b"));
      assertThrows(IllegalArgumentException.class, () -> written("X-A", "a\nb"));
      assertThrows(IllegalArgumentException.class, () -> written("X-A", "a\u010ab"));
      assertThrows(IllegalArgumentException.class, () -> written("X A", "a.b"));
    }
  }

  @Test
  void theDateIsCurrent() {
    AtomicLong millis = new AtomicLong(784_111_777_000L);
    HeadWriter timed = new HeadWriter(millis::get);
    assertEquals("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", date(timed));
    millis.addAndGet(999);
    assertEquals("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n", date(timed));
    millis.addAndGet(1);
    assertEquals("Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n", date(timed));
  }

  private static String date(HeadWriter timed) {
    timed.begin(200);
    int begin = timed.size();
    timed.date();
    return new String(timed.bytes(), begin, timed.size() - begin, ISO_8859_1);
  }

  private String written(String name, String value) {
    heads.begin(200);
    int begin = heads.size();
    heads.line(name, value);
    return new String(heads.bytes(), begin, heads.size() - begin, ISO_8859_1);
  }
}
