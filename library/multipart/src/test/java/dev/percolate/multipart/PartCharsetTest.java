package dev.percolate.multipart;

import static dev.percolate.multipart.Forms.read;
import static dev.percolate.multipart.Forms.utf8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The charset of fields (RFC 7578 sections 4.4 to 4.6 and 5.1). */
final class PartCharsetTest {

  private static final Multipart FILES = Multipart.files();

  @ParameterizedTest
  @CsvSource({
    "ISO-8859-1,4DFC6C6C6572",
    "iso-8859-1,4DFC6C6C6572",
    "\"ISO-8859-1\",4DFC6C6C6572",
    "latin1,4DFC6C6C6572",
    "windows-1252,4DFC6C6C6572",
    "utf-8,4DC3BC6C6C6572",
    "utf8,4DC3BC6C6C6572",
    "UTF-16LE,4D00FC006C006C0065007200",
    "cp850,4D816C6C6572",
    "no-such-charset,4DC3BC6C6C6572",
    "'',4DC3BC6C6C6572"
  })
  void theCharsetOfAPartDecodesIt(String charset, String hex) {
    String content = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    String type = "text/plain; charset=" + charset;
    assertEquals("{f=M\u00fcller}", read(FILES, field("f", type, content) + "--X--\n"));
  }

  @Test
  void eachPartHasItsOwn() {
    String form =
        field("a", "text/plain; charset=iso-8859-1", "\u00fc")
            + field("b", null, utf8("\u00fc"))
            + field("c", "application/json; charset=shift_jis", "\u0082\u00a0")
            + "--X--\n";
    assertEquals("{a=\u00fc, b=\u00fc, c=\u3042}", read(FILES, form));
  }

  @Test
  void withoutACharsetItIsUtf8() {
    assertEquals("{f=M\u00fcller}", read(FILES, field("f", null, utf8("M\u00fcller")) + "--X--\n"));
    assertEquals("{f=\ufffd}", read(FILES, field("f", null, "\u00fc") + "--X--\n"));
  }

  @Test
  void charsetFieldIsTheDefaultWhereverItStands() {
    String charset = field("_charset_", null, "iso-8859-1");
    String text = field("f", null, "\u00fc");
    assertEquals("{_charset_=iso-8859-1, f=\u00fc}", read(FILES, charset + text + "--X--\n"));
    assertEquals("{f=\u00fc, _charset_=iso-8859-1}", read(FILES, text + charset + "--X--\n"));
  }

  @Test
  void charsetOfAPartWinsOverTheDefault() {
    String form =
        field("_charset_", null, "iso-8859-1")
            + field("f", "text/plain; charset=utf-8", utf8("\u00fc"))
            + "--X--\n";
    assertEquals("{_charset_=iso-8859-1, f=\u00fc}", read(FILES, form));
  }

  @Test
  void unknownCharsetFieldAndASecondOneDoNotCount() {
    String form =
        field("_charset_", null, "no-such-charset")
            + field("_charset_", null, "iso-8859-1")
            + field("f", null, utf8("\u00fc"))
            + "--X--\n";
    assertEquals("{_charset_=[no-such-charset, iso-8859-1], f=\u00fc}", read(FILES, form));
  }

  @Test
  void namesAreInTheCharsetOfTheFormUnlessTheyAreUtf8() {
    String charset = field("_charset_", null, "iso-8859-1");
    String names = field("\u00fc", null, "1") + field(utf8("\u00e4"), null, "2");
    String file =
        "--X\nContent-Disposition: form-data; name=\"p\"; filename=\"\u00fc.txt\"\n\nx\n--X--\n";
    assertEquals(
        "{_charset_=iso-8859-1, \u00fc=1, \u00e4=2} p:\u00fc.txt:null:78",
        read(FILES, charset + names + file));
    assertEquals(
        "{\u00fc=1, \u00e4=2, _charset_=iso-8859-1}", read(FILES, names + charset + "--X--\n"));
    assertEquals(
        "{\u00fc=1, \u00e4=2} p:\u00fc.txt:null:78",
        read(FILES.defaultCharset("iso-8859-1"), names + file));
  }

  @Test
  void theDefaultIsAnOption() {
    String form = field("f", null, "\u00fc\u0080") + "--X--\n";
    assertEquals("{f=\u00fc\u20ac}", read(FILES.defaultCharset("windows-1252"), form));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no-such-charset", "utf-7", "x-JISAutoDetect"})
  void unknownDefaultIsRejected(String charset) {
    assertEquals(
        "unknown charset \"" + charset + '"',
        assertThrows(IllegalArgumentException.class, () -> ignore(FILES.defaultCharset(charset)))
            .getMessage());
  }

  private static void ignore(Object ignored) {}

  /** SendGrid's inbound parse: a JSON field contains the charset of each other field. */
  @Test
  void fieldsAreAvailableAsSent() {
    List<Field> seen = new ArrayList<>();
    Handler read =
        (req, res) -> {
          seen.addAll(req.attr(Multipart.FIELDS));
          res.end();
        };
    Service service = Chain.service(new Settings(), FILES, read);
    String form =
        field("charsets", null, "{\"text\":\"iso-8859-1\"}")
            + field("text", "text/plain", "\u00e9")
            + "--X--\n";
    Call.post("/")
        .header("Content-Type", "multipart/form-data; boundary=X")
        .body(Forms.bytes(form))
        .to(service);
    assertEquals("[charsets (21 bytes), text (1 bytes)]", seen.toString());
    Field text = seen.get(1);
    assertEquals("text", text.name());
    assertEquals("text/plain", text.type());
    assertArrayEquals(new byte[] {(byte) 0xE9}, text.bytes());
    assertEquals("\u00e9", text.text("iso-8859-1"));
    assertEquals("\u0418", text.text("koi8-r"));
    assertThrows(IllegalArgumentException.class, () -> text.text("none"));
  }

  private static String field(String name, @Nullable String type, String content) {
    String header = type == null ? "" : "Content-Type: " + type + "\n";
    return "--X\nContent-Disposition: form-data; name=\""
        + name
        + "\"\n"
        + header
        + "\n"
        + content
        + "\n";
  }
}
