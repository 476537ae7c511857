package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class RecentLinesTest {

  private final HeadWriter.RecentLines recent = new HeadWriter.RecentLines();

  @Test
  void aLineIsCachedWhenItRepeats() {
    assertNull(recent.find("Vary", "Accept"));
    note("Vary", "Accept");
    assertNull(recent.find("Vary", "Accept"));
    note("Vary", "Accept");
    assertEquals("Vary: Accept\r\n", found("Vary", "Accept"));
    assertNull(recent.find("vary", "Accept"));
    assertNull(recent.find("Vary", "accept"));
  }

  @Test
  void anotherLineOfTheSameSlotReplacesIt() {
    note("Vary", "abc");
    note("Vary", "abc");
    note("Vary", "xyc");
    assertNull(recent.find("Vary", "abc"));
    note("Vary", "xyc");
    assertEquals("Vary: xyc\r\n", found("Vary", "xyc"));
  }

  @Test
  void cookiesAndLongLinesAreNotCached() {
    String value = "v".repeat(300);
    for (int i = 0; i < 3; i++) {
      note("set-cookie", "a=b");
      note("X-Long", value);
    }
    assertNull(recent.find("set-cookie", "a=b"));
    assertNull(recent.find("X-Long", value));
  }

  private void note(String name, String value) {
    byte[] line = ("status" + name + ": " + value + "\r\n").getBytes(ISO_8859_1);
    recent.note(name, value, line, "status".length(), line.length);
  }

  private String found(String name, String value) {
    byte[] line = recent.find(name, value);
    return line == null ? "" : new String(line, ISO_8859_1);
  }
}
