package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class RepeatedHeaderTest {

  @Test
  void theFirstCountsWhereASecondMakesNoSense() {
    Headers headers = Headers.of("Host", "a", "host", "b", "User-Agent", "", "User-Agent", "x");
    assertEquals("a", RepeatedHeader.value(headers, "HOST"));
    assertEquals("", RepeatedHeader.value(headers, "user-agent"));
  }

  @Test
  void othersAreJoinedInOrderOfArrival() {
    Headers headers = Headers.of("X-A", "1", "Cookie", "a=1", "x-a", "2", "cookie", "b=2");
    assertEquals("1, 2", RepeatedHeader.value(headers, "X-A"));
    assertEquals("a=1; b=2", RepeatedHeader.value(headers, "Cookie"));
    assertNull(RepeatedHeader.value(headers, "X-B"));
  }

  @Test
  void bothSpellingsOfRefererAreHeadersOfTheirOwn() {
    Headers headers = Headers.of("Referrer", "a");
    assertNull(RepeatedHeader.value(headers, "Referer"));
  }
}
