package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.percolate.engine.ListenOptions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Heads are parsed in the same way whether or not other heads were parsed before. */
final class RecentValuesTest {

  private static final ListenOptions OPTIONS = ListenOptions.ofPort(0);

  private static final List<String> NAMES =
      List.of("Accept", "accept", "User-Agent", "Host", "Cookie", "X-Unknown", "Te");

  /** Values with common beginnings or ends, and invalid values. */
  private static final List<String> VALUES =
      List.of(
          "",
          "a",
          "ab",
          "abc",
          "abc ",
          "abc\t d",
          "abd",
          "b",
          "\u00e9",
          "ab\u0000",
          "ab\n",
          "ab\r",
          "a".repeat(RecentValues.LONGEST - 1),
          "a".repeat(RecentValues.LONGEST),
          "a".repeat(RecentValues.LONGEST + 1),
          "a".repeat(RecentValues.LONGEST) + "b");

  private static HeadParser read(String head, RecentValues recent, int cut) {
    HeadParser parser = new HeadParser(OPTIONS, recent);
    byte[] bytes = head.getBytes(ISO_8859_1);
    int next = parser.parse(bytes, 0, cut);
    parser.parse(bytes, next, bytes.length);
    return parser;
  }

  private static String told(HeadParser parser) {
    return parser.state() + " " + parser.status() + "\n" + parser.headers();
  }

  @Test
  void earlierHeadsChangeNothing() {
    Random random = new Random(1);
    RecentValues recent = new RecentValues();
    for (int round = 0; round < 20_000; round++) {
      StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\n");
      for (int line = random.nextInt(4); line >= 0; line--) {
        head.append(NAMES.get(random.nextInt(NAMES.size())))
            .append(random.nextInt(5) == 0 ? ":\t " : ": ")
            .append(VALUES.get(random.nextInt(VALUES.size())))
            .append(random.nextInt(9) == 0 ? " \r\n" : "\r\n");
      }
      String whole = head.append("\r\n").toString();
      int cut = random.nextInt(whole.length());
      assertEquals(
          told(read(whole, new RecentValues(), cut)), told(read(whole, recent, cut)), whole);
    }
  }

  @Test
  void theBytesOfCachedValuesCountTowardsTheLimit() {
    RecentValues recent = new RecentValues();
    ListenOptions few = OPTIONS.maxHeaderBytes(1024);
    String line = "Accept: " + "x".repeat(92) + "\r\n";
    byte[] fits = ("GET / HTTP/1.1\r\n" + line.repeat(10) + "\r\n").getBytes(ISO_8859_1);
    byte[] tooMany = ("GET / HTTP/1.1\r\n" + line.repeat(11) + "\r\n").getBytes(ISO_8859_1);
    HeadParser first = new HeadParser(few, recent);
    first.parse(fits, 0, fits.length);
    assertEquals(HeadParser.State.WHOLE, first.state());
    HeadParser second = new HeadParser(few, recent);
    second.parse(tooMany, 0, tooMany.length);
    assertEquals(431, second.status());
  }

  @Test
  void repeatedValuesAreReusedUnlessTheyIdentifyClients() {
    RecentValues recent = new RecentValues();
    String head = "GET / HTTP/1.1\r\nUser-Agent: one\r\nCookie: two\r\n\r\n";
    HeadParser first = read(head, recent, 0);
    HeadParser second = read(head, recent, 0);
    assertSame(first.headers().get("User-Agent"), second.headers().get("User-Agent"));
    assertNotSame(first.headers().get("Cookie"), second.headers().get("Cookie"));
  }
}
