package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;

/** An own tag is fresh, a foreign one is not; junk never throws. */
final class FreshFuzzTest {

  @FuzzTest
  void whatIsStoredIsFreshOrStale(byte[] data) {
    String[] lines = FuzzLines.of(data, 4);
    Headers headers = new Headers();
    headers.addReceived("If-None-Match", lines[0]);
    headers.addReceived("If-Modified-Since", lines[1]);
    headers.addReceived("Cache-Control", lines[2]);
    boolean fresh = Fresh.isFresh("GET", 200, headers, lines[3], lines[1]);
    assertEquals(fresh, Fresh.isFresh("HEAD", 200, headers, lines[3], lines[1]));
    assertFalse(Fresh.isFresh("POST", 200, headers, lines[3], lines[1]));
    assertFalse(Fresh.isFresh("GET", 500, headers, lines[3], lines[1]));
    String tag = ETag.weak(data);
    assertEquals(ETag.strong(data), tag.substring("W/".length()));
    Headers own = new Headers().set("If-None-Match", "\"x\", " + tag);
    assertTrue(Fresh.isFresh("GET", 200, own, tag, null));
    List<String> names = Vary.names(lines[0]);
    assertTrue(names.stream().noneMatch(name -> name.contains(",")));
  }
}
