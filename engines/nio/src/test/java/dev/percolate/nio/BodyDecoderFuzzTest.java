package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Chunks are decoded equally however they are split, and complete ones follow the grammar. */
final class BodyDecoderFuzzTest {

  private static final int MAX_TRAILER_BYTES = 200;
  private static final int MAX_TRAILERS = 5;
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String QUOTED =
      "\"(?:[\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\t -~\\x80-\\xff])*\"";
  private static final Pattern LINE =
      Pattern.compile(
          "([0-9a-fA-F]+)(?:[ \t]*;[ \t]*"
              + TOKEN
              + ("(?:[ \t]*=[ \t]*(?:" + TOKEN + "|" + QUOTED + "))?)*\r\n"));
  private static final Pattern TRAILERS =
      Pattern.compile("(?:" + TOKEN + ":[\t -~\\x80-\\xff]*\r\n){0," + MAX_TRAILERS + "}\r\n");

  @FuzzTest
  void chunksAreTheSameHoweverTheyAreCut(byte[] data) {
    String whole = read(data, data.length, new Random(0));
    assertEquals(whole, read(data, 1, new Random(0)));
    Random random = new Random(Arrays.hashCode(data));
    assertEquals(whole, read(data, 1 + random.nextInt(40), random));
    if (whole.startsWith("over")) {
      assertEquals(whole, byGrammar(new String(data, ISO_8859_1)));
    }
  }

  /** Returns how and where the body ends, and its content. */
  private static String read(byte[] data, int most, Random random) {
    StringBuilder content = new StringBuilder();
    BodyDecoder body = new BodyDecoder(HeadParser.CHUNKED, MAX_TRAILER_BYTES, MAX_TRAILERS);
    int at = 0;
    while (at < data.length && !body.isOver() && !body.isMalformed()) {
      int size = most == data.length ? most : 1 + random.nextInt(most);
      int count = Math.min(size, data.length - at);
      at += take(body, Arrays.copyOfRange(data, at, at + count), content);
    }
    String end = body.isOver() ? "over " : body.isMalformed() ? "malformed " : "open ";
    return end + at + " " + content;
  }

  /** Decodes a part between bytes that would end a line. Returns the number of bytes read. */
  private static int take(BodyDecoder body, byte[] piece, StringBuilder content) {
    byte[] amid = new byte[piece.length + 4];
    Arrays.fill(amid, (byte) '\n');
    System.arraycopy(piece, 0, amid, 2, piece.length);
    int next = body.decode(amid, 2, 2 + piece.length);
    assertTrue(next > 2 && next <= 2 + piece.length, () -> "position " + next);
    assertTrue(body.decoded() <= next - 2, "output is longer than input");
    content.append(new String(amid, 2, body.decoded(), ISO_8859_1));
    assertEquals("\n\n", new String(amid, piece.length + 2, 2, ISO_8859_1));
    return next - 2;
  }

  /** Returns the same for a complete body, decoded with regular expressions. */
  private static String byGrammar(String bytes) {
    StringBuilder content = new StringBuilder();
    Matcher line = LINE.matcher(bytes);
    int at = 0;
    while (line.region(at, bytes.length()).lookingAt()) {
      int size = Integer.parseInt(line.group(1), 16);
      at = line.end() + size;
      if (size == 0) {
        Matcher trailers = TRAILERS.matcher(bytes).region(at, bytes.length());
        return trailers.lookingAt() ? "over " + trailers.end() + " " + content : "no trailers";
      }
      content.append(bytes, line.end(), at);
      if (!bytes.startsWith("\r\n", at)) {
        return "no end of a chunk at " + at;
      }
      at += 2;
    }
    return "no line at " + at;
  }
}
