package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.luben.zstd.Zstd;
import dev.percolate.core.Middleware;
import dev.percolate.multipart.Multipart;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.parsers.UrlencodedParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies that are made to be expensive: rows JSON, QS and BODY of the list of attacks. */
final class HostileBodies {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String PARTS = "multipart/form-data; boundary=X";
  private static final String PART = "--X\r\nContent-Disposition: form-data; name=\"";

  /** The number of colliding names is two to this power. */
  private static final int BITS = 14;

  private final List<Case> cases = new ArrayList<>();

  /**
   * One kind of body, for one parser.
   *
   * @param body creates a body of at most a number of bytes
   */
  record Case(
      String name, Middleware parser, String type, String encoding, IntFunction<byte[]> body) {}

  private HostileBodies() {}

  static List<Case> all() {
    HostileBodies bodies = new HostileBodies();
    bodies.json();
    bodies.forms();
    bodies.text();
    bodies.compressed();
    bodies.parts();
    return bodies.cases;
  }

  private void json() {
    json("open arrays", n -> "[".repeat(n));
    json("open objects", n -> fill("{\"a\":", n));
    json("arrays 900 deep", n -> list("[".repeat(900) + "]".repeat(900), n));
    json("digits", n -> "[" + "1".repeat(n - 2) + "]");
    json("digits of a fraction", n -> "[0." + "1".repeat(n - 4) + "]");
    json("large exponents", n -> list("1e999999999", n));
    json("small exponents", n -> list("-1e-999999999", n));
    json("numbers of 900 digits", n -> list("7".repeat(900), n));
    json("fractions of 900 digits", n -> list("0." + "7".repeat(900), n));
    json("one digit", n -> list("0", n));
    json("empty arrays", n -> list("[]", n));
    json("empty objects", n -> list("{}", n));
    json("empty texts", n -> list("\"\"", n));
    json("objects with one name", n -> list("{\"\":0}", n));
    json("escapes", n -> "[\"" + fill("\\u0000", n - 4) + "\"]");
    json("lone surrogates", n -> "[\"" + fill("\\ud800", n - 4) + "\"]");
    json("names that collide", n -> "{" + colliding(n - 8, "\"", "\":0,") + "\"z\":0}");
    json("names that collide, cut off", n -> "{" + colliding(n - 3, "\"", "\":0,") + "\"z");
    json("other names", n -> "{" + numbered(n - 8, "\"", "\":0,") + "\"z\":0}");
    json("one repeated name", n -> "{" + fill("\"a\":0,", n - 8) + "\"z\":0}");
    json("blanks", n -> "[" + " ".repeat(n - 2) + "]");
    json("an error at the end", n -> "[" + fill("\"a\",", n - 2) + "x");
    add("json: UTF-16", BodyParsers.json(), "application/json; charset=utf-16", this::wide);
  }

  private void json(String name, IntFunction<String> text) {
    add("json: " + name, BodyParsers.json(), "application/json", latin(text));
    Middleware exact = BodyParsers.json().exactNumbers(true).strict(false);
    add("json, exact: " + name, exact, "application/json", latin(text));
  }

  private void forms() {
    for (String part :
        List.of(
            "a[]=x&",
            "a=x&",
            "a[b]=1&a=2&",
            "a=1&a[b]=2&a[b]=3&",
            "a[0]=1&a[length]=9&",
            "a[99]=1&",
            "a[100000000]=x&",
            "a[b][c][d][e][f][g][h][i][j][k][l][m][n]=1&",
            "[][][][][][][][][]=1&",
            "[a]]]]=1&",
            "__proto__[x]=1&",
            "%26%2365%3B=%26%239999999999%3B&",
            "&",
            "=",
            "+",
            "%",
            "%41",
            "%zz",
            "%c0%af",
            ",",
            "[",
            "]",
            "[]",
            "a[",
            ";")) {
      form(part, n -> fill(part, n));
    }
    form("a and [", n -> "a" + "[".repeat(n - 1));
    form("[] and =", n -> fill("[]", n - 2) + "=1");
    form("one long name", n -> "a".repeat(n - 2) + "=1");
    form("names that collide", n -> colliding(n, "", "=1&"));
    form("other names", n -> numbered(n, "", "=1&"));
    form("other names below one", n -> numbered(n, "a[", "]=1&"));
  }

  private void form(String name, IntFunction<String> text) {
    UrlencodedParser extended = BodyParsers.urlencoded().extended(true);
    add("form: " + name, extended.parameterLimit(1 << 20), FORM, latin(text));
    add("form, 1000 at most: " + name, extended, FORM, latin(text));
    UrlencodedParser odd = extended.charsetSentinel(true).interpretNumericEntities(true);
    Middleware latin = odd.defaultCharset("iso-8859-1").parameterLimit(1 << 20);
    add("form, Latin-1: " + name, latin, FORM, latin(text));
    Middleware simple = BodyParsers.urlencoded().extended(false).parameterLimit(1 << 20);
    add("form, simple: " + name, simple, FORM, latin(text));
  }

  private void text() {
    for (String charset :
        List.of(
            "utf-8",
            "utf-16",
            "utf-32",
            "iso-8859-1",
            "windows-1252",
            "shift_jis",
            "euc-jp",
            "gb18030",
            "big5",
            "euc-kr")) {
      for (String bytes : List.of("a", "\u00ff", "\u0081", "\u00e2\u0082", "\u00ed\u00a0", "\0")) {
        String name = "text: " + charset + ", " + Integer.toHexString(bytes.charAt(0));
        String type = "text/plain; charset=" + charset;
        add(name, BodyParsers.text(), type, latin(n -> fill(bytes, n)));
      }
    }
  }

  private void compressed() {
    byte[] bomb = new byte[100 << 20];
    packed("gzip", "a bomb", n -> cut(gzip(bomb), n));
    packed("gzip", "100 KiB at most", n -> gzip(new byte[n]));
    packed("gzip", "empty members", n -> repeat(gzip(new byte[0]), n));
    packed("gzip", "a long name", n -> named(n));
    packed("deflate", "a bomb", n -> cut(deflate(bomb), n));
    packed("deflate", "junk", n -> fill("x\u009c\u0003", n).getBytes(ISO_8859_1));
    packed("br", "a large window", n -> repeat(new byte[] {0x0f, -1, -1, -1, 0, 0, 0, 0}, n));
    packed("br", "junk", n -> fill("\u008b\u0002\u0080", n).getBytes(ISO_8859_1));
    packed("br", "empty metadata", n -> repeat(new byte[] {0x06}, n));
    packed("zstd", "a bomb", n -> repeat(Zstd.compress(new byte[10 << 20]), n));
    packed("zstd", "empty frames", n -> repeat(Zstd.compress(new byte[0]), n));
    packed("zstd", "a large window", n -> repeat(new byte[] {0x28, -75, 0x2f, -3, 0, 0x78}, n));
  }

  private void packed(String encoding, String name, IntFunction<byte[]> body) {
    String title = encoding + ": " + name;
    cases.add(new Case(title, BodyParsers.raw(), "application/octet-stream", encoding, body));
  }

  private void parts() {
    for (String content : List.of("\r\n--", "\r\n--X", "-", "\r", "\n", "\r\n", "--X", "a")) {
      String name = content.replace("\r", "CR ").replace("\n", "LF ");
      part("content of " + name, n -> PART + "a\"\r\n\r\n" + fill(content, n - 80) + "\r\n--X--");
    }
    part("many parts", n -> fill(PART + "a\"\r\n\r\n\r\n", n));
    part("many files", n -> fill(PART + "a\"; filename=\"b\"\r\n\r\n\r\n", n));
    part("nested names", n -> fill(PART + "a[b][c][d]\"\r\n\r\n1\r\n", n));
    part("an endless header", n -> PART + "a".repeat(n - 60));
    part("many headers", n -> PART + "a\"\r\n" + fill("X: 1\r\n", n - 80));
    part("an endless preamble", n -> "-".repeat(n));
    part("quotes", n -> fill(PART + fill("\\\"", 200) + "\"\r\n\r\n1\r\n", n));
  }

  private void part(String name, IntFunction<String> text) {
    Middleware reader =
        Multipart.stream((req, part) -> DiscardingReader.FILE).extended(true).maxParts(1 << 20);
    add("multipart: " + name, reader, PARTS, latin(text));
  }

  private void add(String name, Middleware parser, String type, IntFunction<byte[]> body) {
    cases.add(new Case(name, parser, type, "", body));
  }

  private byte[] wide(int bytes) {
    return list("[]", bytes / 2).getBytes(java.nio.charset.StandardCharsets.UTF_16LE);
  }

  private static IntFunction<byte[]> latin(IntFunction<String> text) {
    return n -> text.apply(n).getBytes(ISO_8859_1);
  }

  private static String fill(String part, int length) {
    return part.repeat(Math.max(1, length / part.length()));
  }

  private static String list(String item, int length) {
    return "[" + fill(item + ",", length - item.length() - 2) + item + "]";
  }

  /** Returns names with the same hash, like {@code Aa} and {@code BB}. */
  private static String colliding(int length, String before, String behind) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() + 2 * BITS + before.length() + behind.length() <= length; i++) {
      text.append(before);
      for (int bit = 0; bit < BITS; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      text.append(behind);
    }
    return text.toString();
  }

  private static String numbered(int length, String before, String behind) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() + before.length() + behind.length() + 6 < length; i++) {
      text.append(before).append(Integer.toString(i, 36)).append(behind);
    }
    return text.toString();
  }

  private static byte[] repeat(byte[] part, int length) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (all.size() + part.length <= length) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] cut(byte[] bytes, int length) {
    return java.util.Arrays.copyOf(bytes, Math.min(bytes.length, length));
  }

  private static byte[] gzip(byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static byte[] deflate(byte[] data) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
      deflate.write(data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static byte[] named(int length) {
    byte[] body = "a".repeat(length).getBytes(ISO_8859_1);
    byte[] head = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0};
    System.arraycopy(head, 0, body, 0, head.length);
    return body;
  }
}
