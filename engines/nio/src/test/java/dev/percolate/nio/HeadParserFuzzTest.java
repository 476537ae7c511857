package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import java.util.Arrays;
import java.util.Random;

/** Heads are parsed equally however they are split, and lines are not kept beyond the limits. */
final class HeadParserFuzzTest {

  private static final int MAX_TARGET = 100;

  /** The target, a method, two spaces and a version. */
  private static final int MAX_LINE = HeadGuard.MAX_METHOD + MAX_TARGET + 10;

  private static final int MAX_HEADERS = 300;
  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).maxTargetLength(MAX_TARGET).maxHeaderBytes(MAX_HEADERS);

  @FuzzTest
  void headsAreTheSameHoweverTheyAreCut(byte[] data) {
    String whole = read(data, data.length, new Random(0));
    assertEquals(whole, read(data, 1, new Random(0)));
    Random random = new Random(Arrays.hashCode(data));
    assertEquals(whole, read(data, 1 + random.nextInt(40), random));
  }

  /** Parses consecutive heads, split into parts up to a size. Returns the result as text. */
  private static String read(byte[] data, int most, Random random) {
    StringBuilder seen = new StringBuilder();
    HeadParser head = new HeadParser(OPTIONS, new RecentValues());
    int at = 0;
    while (at < data.length && head.state() != HeadParser.State.REFUSED) {
      int size = most == data.length ? most : 1 + random.nextInt(most);
      int count = Math.min(size, data.length - at);
      at += take(head, Arrays.copyOfRange(data, at, at + count));
      int allowed = 2 + (head.state() == HeadParser.State.START ? MAX_LINE : MAX_HEADERS);
      assertTrue(head.kept() <= allowed, () -> head.kept() + " bytes are kept");
      if (head.state() == HeadParser.State.WHOLE) {
        seen.append(shown(head, at));
        head.reset();
      }
    }
    return seen.append(head.state()).append(head.status()).toString();
  }

  /** Parses a part between bytes that would end a line. Returns the number of bytes read. */
  private static int take(HeadParser head, byte[] piece) {
    byte[] amid = new byte[piece.length + 4];
    Arrays.fill(amid, (byte) '\n');
    System.arraycopy(piece, 0, amid, 2, piece.length);
    int next = head.parse(amid, 2, 2 + piece.length);
    assertTrue(next > 2 && next <= 2 + piece.length, () -> "position " + next);
    return next - 2;
  }

  private static String shown(HeadParser head, int at) {
    assertTrue(head.method().matches("[!-~&&[^\"(),/:;<=>?@\\[\\\\\\]{}]]+"), head.method());
    assertTrue(head.target().matches("[!-~\\x80-\\xff]+"), head.target());
    assertTrue(head.method().length() <= HeadGuard.MAX_METHOD);
    assertTrue(head.target().length() <= MAX_TARGET);
    head.headers()
        .forEach(
            (name, value) -> {
              assertTrue(name.matches("[!#-'*+.^_`|~0-9A-Za-z-]+"), name);
              assertTrue(
                  value.matches("(?:[!-~\\x80-\\xff](?:[\t -~\\x80-\\xff]*[!-~\\x80-\\xff])?)?"));
            });
    return String.join(
        "\n", head.method(), head.target(), head.version(), head.headers() + " " + at, "");
  }
}
