package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.RequestControl;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits the cost of malicious bodies. */
class HostileBodyTest {

  private static final int HUNDRED_KIB = 100 << 10;
  private static final long TEN_MIB = 10 << 20;

  @Test
  @DisplayName("BODY-01: a limit of nothing takes no body, not any")
  void aLimitOfZeroRejectsEveryBody() {
    Recorder seen = play("text/plain", "x", BodyParsers.text().limit(0));
    assertEquals("entity.too.large", seen.error().type());
    TestExchange chunked = Post.of("text/plain", "x").chunked();
    assertEquals(413, Recorder.play(chunked, BodyParsers.text().limit("0")).error().status());
  }

  @Test
  @DisplayName("BODY-09: a thousand windows of 16 MiB at a time cost little each")
  void largeWindowsNeedLittleMemory() {
    // A window of 16 MiB, and one block with this declared length.
    byte[] body = {(byte) 0x0F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0, 0, 0, 0, 0, 0, 0, 0};
    long bytes =
        Allocation.of(
            () -> {
              TestExchange exchange = Post.of("text/plain", body).header("Content-Encoding", "br");
              assertTrue(Recorder.play(exchange, BodyParsers.text()).error().status() >= 400);
            });
    assertTrue(bytes < 2 << 20, () -> bytes + " bytes");
  }

  @Test
  @DisplayName("BODY-15: the inflater is closed after success, after errors, and after a hang-up")
  void inflaterIsClosedInAnyCase() {
    byte[] piece = {1};
    for (boolean failing : new boolean[] {false, true}) {
      for (TestExchange exchange :
          List.of(request(piece), request(piece).failing(new ClientDisconnectedException(null)))) {
        Closing inflating = new Closing(failing);
        Bytes bytes = new Bytes(10, -1, new Bytes.MemoryShare(all -> {}));
        Recorder.play(
            exchange,
            (req, res, next) ->
                req.read(
                    new BodyReader(
                        BodyParsers.raw(),
                        inflating,
                        bytes,
                        -1,
                        next,
                        body -> RequestControl.body(req, body))));
        assertEquals(1, inflating.closed);
      }
    }
  }

  @ParameterizedTest
  @DisplayName("BODY-18: odd names of charsets give 415 and a short message without odd characters")
  @ValueSource(
      strings = {"x-JISAutoDetect", "../x", "a\tb", "\u0085", "utf-8,utf-7", "=", "%s", "\u00ff"})
  void oddNamesOfCharsetsAreRejected(String name) {
    for (String charset : List.of(name, name.repeat(800))) {
      TestExchange exchange = Post.of("text/plain;charset=" + charset, "x");
      HttpError error = Recorder.play(exchange, BodyParsers.text()).error();
      assertEquals("charset.unsupported", error.type());
      String message = String.valueOf(error.getMessage());
      assertTrue(message.length() < 300, message);
      assertTrue(message.chars().allMatch(c -> c >= ' ' && c != 0x7F), message);
    }
  }

  @Test
  @DisplayName("BODY-21: of two types the first counts, for matching and for parsing")
  void theFirstOfTwoTypesApplies() {
    TestExchange first =
        Post.of("application/json; charset=utf-16le", new byte[] {'[', 0, ']', 0})
            .header("Content-Type", "text/plain");
    assertEquals(List.of(), Recorder.play(first, BodyParsers.text(), BodyParsers.json()).body());
    TestExchange second = Post.of("text/plain", "[]").header("Content-Type", "application/json");
    assertNull(Recorder.play(second, BodyParsers.json()).body());
  }

  @Test
  @DisplayName(
      "BODY-23: an unknown charset of a compressed body is refused before anything is read")
  void unknownCharsetOfACompressedBodyIsRejected() {
    TestExchange exchange =
        Post.of("text/plain; charset=nosuch", gzip("x")).header("Content-Encoding", "gzip");
    Recorder seen = Recorder.play(exchange, BodyParsers.text());
    assertEquals("415 charset.unsupported unsupported charset \"NOSUCH\"", seen.failure());
    assertEquals(0, exchange.reads());
    assertEquals(1, seen.calls);
  }

  @Test
  @DisplayName("BODY-24: a hundred thousand pieces of one byte are copied a few times only")
  void smallPiecesAreCopiedAFewTimesOnly() {
    byte[] body = new byte[HUNDRED_KIB];
    Arrays.fill(body, (byte) 'a');
    Bytes bytes = new Bytes(HUNDRED_KIB, -1, new Bytes.MemoryShare(all -> {}));
    long allocated =
        Allocation.of(
            () -> {
              ByteBuffer all = ByteBuffer.wrap(body);
              for (int i = 0; i < body.length; i++) {
                bytes.add(all.limit(i + 1));
              }
              assertEquals(body.length, bytes.toArray().length);
            });
    assertTrue(allocated <= 4L * body.length, () -> allocated + " bytes");
  }

  @Test
  @DisplayName("BODY-25: a body that nobody asked for is not read")
  void aBodyWithoutAMatchingParserIsNotRead() {
    TestExchange exchange = Post.of("multipart/form-data; boundary=x", "--x--");
    Recorder seen =
        Recorder.play(exchange, BodyParsers.json(), BodyParsers.text(), BodyParsers.urlencoded());
    assertNull(seen.body());
    assertEquals(0, exchange.reads());
  }

  @ParameterizedTest
  @DisplayName("the cost: a hundred kilobytes of JSON take at most 10 MiB, whatever they say")
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "[0]",
        "{\"\":0}",
        "\"\"",
        "0",
        "1.5",
        "\"\\u0000\"",
        "[[[[[]]]]]",
        "\"a\"",
        "null",
        "{\"a\":{\"b\":[]}}",
        "1e1",
        "123456789012345678901234567890",
        "[\"\",[],{}]"
      })
  void jsonNeedsLittleMemory(String item) {
    String text = "[" + (item + ",").repeat((HUNDRED_KIB - 40) / (item.length() + 1)) + "0]";
    assertCost("application/json", text.getBytes(StandardCharsets.UTF_8), BodyParsers.json());
    assertCost(
        "application/json",
        text.getBytes(StandardCharsets.UTF_8),
        BodyParsers.json().exactNumbers(true));
    assertCost(
        "application/json",
        text.substring(0, text.length() - 1).getBytes(StandardCharsets.UTF_8),
        BodyParsers.json());
  }

  @ParameterizedTest
  @DisplayName("the cost: a hundred kilobytes of a form take at most 10 MiB, whatever they say")
  @ValueSource(
      strings = {
        "a[0][1][2][3][4][5][6][7][8][9]=1&",
        "[]",
        "a[]=1&",
        "%41",
        "&",
        "a[b]=1&a=2&",
        "[",
        "]",
        "%26%2365%3B",
        "+",
        "a=1&",
        "a[99]=1&",
        "a[b][c][d][e][f][g][h][i][j][k][l][m][n][o][p]=1&",
        "[][][][][][][][][][][]=1&"
      })
  void formsNeedLittleMemory(String part) {
    String text = part.repeat(HUNDRED_KIB / part.length());
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    UrlencodedParser parser =
        BodyParsers.urlencoded()
            .extended(true)
            .interpretNumericEntities(true)
            .charsetSentinel(true)
            .defaultCharset("iso-8859-1");
    assertCost("application/x-www-form-urlencoded", body, parser);
    byte[] allowed = text.substring(0, end(text)).getBytes(StandardCharsets.UTF_8);
    assertCost("application/x-www-form-urlencoded", allowed, parser);
  }

  @ParameterizedTest
  @DisplayName("the cost: a hundred kilobytes of text take at most 10 MiB in any charset")
  @ValueSource(
      strings = {
        "utf-8",
        "utf-16",
        "utf-32",
        "iso-8859-1",
        "windows-1255",
        "shift_jis",
        "euc-jp",
        "gb2312",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "cp950",
        "macintosh"
      })
  void textNeedsLittleMemory(String charset) {
    int[][] patterns = {{0x80}, {0x80, 'a'}, {0xED, 0xA0}, {0xA1, 0xBD}, {0xFF}, {0xA1, 0xC1, 'a'}};
    for (int[] pattern : patterns) {
      byte[] body = new byte[HUNDRED_KIB];
      for (int i = 0; i < body.length; i++) {
        body[i] = (byte) pattern[i % pattern.length];
      }
      assertCost("text/plain; charset=" + charset, body, BodyParsers.text());
    }
  }

  /** Counts its calls of close. */
  private static final class Closing implements Decoder {

    private final boolean failing;
    private int closed;

    Closing(boolean failing) {
      this.failing = failing;
    }

    @Override
    public void add(ByteBuffer piece) {
      if (failing) {
        throw BodyErrors.undecodable("damaged", null);
      }
    }

    @Override
    public void end() {}

    @Override
    public void close() {
      closed++;
    }
  }

  private static void assertCost(String type, byte[] body, BodyParser<?> parser) {
    Recorder.play(Post.of(type, body), parser); // objects that are created once are not counted
    long bytes = Allocation.of(() -> Recorder.play(Post.of(type, body), parser));
    assertTrue(bytes <= TEN_MIB, () -> type + ": " + bytes + " bytes");
  }

  /** Returns the end of the thousandth parameter. */
  private static int end(String text) {
    int end = -1;
    for (int part = 0; part < 1000; part++) {
      end = text.indexOf('&', end + 1);
      if (end < 0) {
        return text.length();
      }
    }
    return end;
  }

  private static Recorder play(String type, String body, BodyParser<?> parser) {
    return Recorder.play(Post.of(type, body), parser);
  }

  private static TestExchange request(byte[] body) {
    return Post.of("text/plain", body).chunked();
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
