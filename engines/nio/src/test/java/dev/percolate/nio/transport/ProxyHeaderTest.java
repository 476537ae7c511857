package dev.percolate.nio.transport;

import static dev.percolate.fixtures.ProxyHeaders.LOCAL;
import static dev.percolate.fixtures.ProxyHeaders.PROXY;
import static dev.percolate.fixtures.ProxyHeaders.SIGNATURE;
import static dev.percolate.fixtures.ProxyHeaders.extension;
import static dev.percolate.fixtures.ProxyHeaders.v1;
import static dev.percolate.fixtures.ProxyHeaders.v2;
import static dev.percolate.fixtures.ProxyHeaders.withChecksum;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class ProxyHeaderTest {

  private static final String V4 = "\1\2\3\4\5\6\7\10\0\1\0\2";
  private static final String V6 = "\0".repeat(15) + "\1" + "\0".repeat(15) + "\2" + "\0\1\0\2";
  private static final String UNIX = "/tmp/x" + "\0".repeat(210);
  private static final String NO_SUM = extension(3, "\0\0\0\0");

  /** Reads bytes in parts of one size. Returns the state, the client and the rest. */
  private static String read(String bytes, int piece) {
    ProxyHeader header = new ProxyHeader();
    byte[] all = bytes.getBytes(ISO_8859_1);
    int taken = 0;
    while (taken < all.length && header.state() == ProxyHeader.State.PARTIAL) {
      int end = Math.min(all.length, taken + piece);
      ByteBuffer in = ByteBuffer.wrap(all, taken, end - taken);
      header.take(in);
      taken = in.position();
    }
    String rest = new String(all, taken, all.length - taken, ISO_8859_1);
    return header.state() + " " + header.client() + " " + rest;
  }

  static Stream<Arguments> valid() {
    return Stream.of(
            List.of(v1("192.0.2.1"), "192.0.2.1"),
            List.of("PROXY TCP4 255.255.255.255 0.0.0.0 65535 0\r\n", "255.255.255.255"),
            List.of(v1("2001:DB8::1"), "2001:DB8::1"),
            List.of(v1("::ffff:192.0.2.1"), "::ffff:192.0.2.1"),
            List.of("PROXY UNKNOWN\r\n", ""),
            List.of("PROXY UNKNOWN ff:f junk  65536\r\n", ""),
            List.of("PROXY UNKNOWN " + "x".repeat(91) + "\r\n", ""),
            List.of(v2("192.0.2.1", ""), "192.0.2.1"),
            List.of(v2("2001:db8::1", ""), "2001:db8:0:0:0:0:0:1"),
            List.of(v2("192.0.2.1", extension(1, "h2") + extension(0xEE, "")), "192.0.2.1"),
            List.of(v2("192.0.2.1", extension(4, "x".repeat(4_081))), "192.0.2.1"),
            List.of(withChecksum(v2("192.0.2.1", extension(2, "a") + NO_SUM)), "192.0.2.1"),
            List.of(withChecksum(v2("2001:db8::1", NO_SUM)), "2001:db8:0:0:0:0:0:1"),
            List.of(v2(LOCAL, 0, ""), ""),
            List.of(v2(LOCAL, 0xFF, "junk that is ignored"), ""),
            List.of(v2(PROXY, 0, ""), ""),
            List.of(v2(PROXY, 0, "junk"), ""),
            List.of(v2(PROXY, 0x12, V4), ""),
            List.of(v2(PROXY, 0x22, V6), ""),
            List.of(v2(PROXY, 0x31, UNIX), ""),
            List.of(v2(PROXY, 0x32, UNIX), ""))
        .map(both -> Arguments.of(both.get(0), both.get(1)));
  }

  @ParameterizedTest
  @MethodSource("valid")
  void validHeadersAreReadHoweverTheyAreSplit(String header, String client) {
    for (int piece : new int[] {1, 2, 16, 100_000}) {
      assertEquals("WHOLE " + client + " GET /", read(header + "GET /", piece));
      assertEquals("WHOLE " + client + " " + header, read(header + header, piece));
    }
  }

  @ParameterizedTest
  @MethodSource("valid")
  void anIncompleteHeaderIsPartialAtEachByte(String header, String client) {
    for (int end = 1; end < header.length(); end++) {
      assertEquals("PARTIAL  ", read(header.substring(0, end), end % 7 + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "proxy TCP4 192.0.2.1 192.0.2.9 1 2\r\n",
        " PROXY TCP4 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY  TCP4 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP4  192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 2 \r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 2 3\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1\r\n",
        "PROXY TCP4\t192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 2\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 2\rX",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 2\r\r\n",
        "PROXY tcp4 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP5 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY UDP4 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP4 2001:db8::1 2001:db8::9 1 2\r\n",
        "PROXY TCP4 192.0.2.1 2001:db8::9 1 2\r\n",
        "PROXY TCP6 192.0.2.1 192.0.2.9 1 2\r\n",
        "PROXY TCP6 2001:db8::1%lo 2001:db8::9 1 2\r\n",
        "PROXY TCP6 [2001:db8::1] 2001:db8::9 1 2\r\n",
        "PROXY TCP6 2001::db8::1 2001:db8::9 1 2\r\n",
        "PROXY TCP4 192.0.2.01 192.0.2.9 1 2\r\n",
        "PROXY TCP4 192.0.2.256 192.0.2.9 1 2\r\n",
        "PROXY TCP4 192.0.2 192.0.2.9 1 2\r\n",
        "PROXY TCP4 localhost 192.0.2.9 1 2\r\n",
        "PROXY TCP4 3221225985 192.0.2.9 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 01 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 00 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 +1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 -1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 65536\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 99999999999\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 0x1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.9 1 \u0662\r\n",
        "PROXY TCP4\r\n",
        "PROXY\r\n",
        "PROXY \r\n",
        "PROXY UNKNOWNX\r\n",
        "PROXY unknown\r\n"
      })
  void invalidLinesAreRejected(String line) {
    for (int piece : new int[] {1, 3, 1000}) {
      String seen = read(line, piece);
      assertEquals("INVALID", seen.substring(0, seen.indexOf(' ')), line);
    }
  }

  @Test
  void aLineHasAtMost107Bytes() {
    String longest = "PROXY UNKNOWN " + "x".repeat(91) + "\r\n";
    assertEquals(107, longest.length());
    assertEquals("WHOLE  ", read(longest, 1));
    String longer = "PROXY UNKNOWN " + "x".repeat(92) + "\r\n";
    assertEquals("INVALID  \n", read(longer, 1000));
    assertEquals("INVALID  " + "x".repeat(893), read("PROXY " + "x".repeat(994), 1000));
  }

  static Stream<String> forged() {
    return Stream.of(
        SIGNATURE.substring(0, 11) + "X",
        "\r\n\r\n\0\r\nQUIT\r",
        "\r\nGET / HTTP/1.1\r\n",
        v2(0x11, 0x11, V4),
        v2(0x31, 0x11, V4),
        v2(0x01, 0x11, V4),
        v2(0x22, 0x11, V4),
        v2(0x2F, 0x11, V4),
        v2(PROXY, 0x10, V4),
        v2(PROXY, 0x13, V4),
        v2(PROXY, 0x01, V4),
        v2(PROXY, 0x02, V4),
        v2(PROXY, 0x41, UNIX),
        v2(PROXY, 0xF1, UNIX),
        v2(PROXY, 0x30, UNIX),
        v2(PROXY, 0x11, ""),
        v2(PROXY, 0x11, V4.substring(1)),
        v2(PROXY, 0x21, V4),
        v2(PROXY, 0x21, V6.substring(1)),
        v2(PROXY, 0x31, UNIX.substring(1)),
        v2(PROXY, 0x11, "x".repeat(4_097)),
        v2(LOCAL, 0x00, "x".repeat(4_097)),
        SIGNATURE + "!\21\u00ff\u00ff",
        v2("192.0.2.1", "\1"),
        v2("192.0.2.1", "\1\0"),
        v2("192.0.2.1", "\1\0\1"),
        v2("192.0.2.1", "\1\u00ff\u00ffab"),
        v2("192.0.2.1", NO_SUM),
        v2("192.0.2.1", extension(3, "")),
        v2("192.0.2.1", extension(3, "\0\0\0")),
        v2("192.0.2.1", extension(3, "\0\0\0\0\0")),
        withChecksum(v2("192.0.2.1", NO_SUM + NO_SUM)),
        withChecksum(v2("192.0.2.1", NO_SUM)).replace("\u00c0", "\u00c1"));
  }

  @ParameterizedTest
  @MethodSource("forged")
  void invalidBinaryHeadersAreRejected(String header) {
    for (int piece : new int[] {1, 16, 10_000}) {
      String seen = read(header, piece);
      assertEquals("INVALID", seen.substring(0, seen.indexOf(' ')));
    }
  }

  @Test
  void randomBytesNeverThrowAndParseTheSame() {
    Random random = new Random(69);
    String good = withChecksum(v2("2001:db8::1", extension(5, "abc") + NO_SUM));
    for (int i = 0; i < 20_000; i++) {
      StringBuilder forged = new StringBuilder(i % 2 == 0 ? good : v1("192.0.2.1"));
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        forged.setCharAt(random.nextInt(forged.length()), (char) random.nextInt(256));
      }
      String bytes = forged + "x".repeat(70_000 * random.nextInt(2));
      String seen = read(bytes, 1 + random.nextInt(200));
      assertEquals(seen, read(bytes, 1 + random.nextInt(20_000)));
    }
  }
}
