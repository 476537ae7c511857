package dev.percolate.multipart;

import static dev.percolate.multipart.Forms.read;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of parts are MIME headers, which senders fold (RFC 2046 section 5.1, RFC 5322 2.2.3). */
final class PartHeaderTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Content-Disposition: form-data; name=\"f\";\\n filename=\"x.txt\"",
        "Content-Disposition: form-data; name=\"f\";\\n\\tfilename=\"x.txt\"",
        "Content-Disposition: form-data;\\n name=\"f\";\\n  \\t filename=\"x.txt\"",
        "Content-Disposition:\\n form-data; name=\"f\"; filename=\"x.txt\"",
        "Content-Disposition: form-data; name=\"f\"\\n ; filename=\"x.txt\"",
        "X-Other: a\\n b\\n c\\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"",
        "Content-Disposition: form-data; name=\"f\";\\n \\n filename=\"x.txt\""
      })
  void foldedHeadersAreUnfolded(String headers) {
    String form = "--X\n" + text(headers) + "\nContent-Type: text/plain\n\n1\n--X--\n";
    assertEquals("{} f:x.txt:text/plain:31", read(Multipart.files(), form));
  }

  @Test
  void typeMayBeFolded() {
    String form =
        """
        --X
        Content-Disposition: form-data; name="f"
        Content-Type: text/plain;
        \tcharset=iso-8859-1

        \u00fc
        --X--
        """;
    assertEquals("{f=\u00fc}", read(Multipart.files(), form));
  }

  @Test
  void lineBreakWithinANameIsRemoved() {
    String form = "--X\nContent-Disposition: form-data; name=\"a\n b\"\n\n1\n--X--\n";
    assertEquals("{a b=1}", read(Multipart.files(), form));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " folded: x\\n",
        "\\tfolded\\n",
        "no colon\\n",
        ": no name\\n",
        "a b: c\\n",
        "a : c\\n",
        "a: b\\u0000\\n",
        "a: b\\rc\\n",
        "a: b\\u007f\\n"
      })
  void malformedHeadersAreRejected(String headers) {
    String form =
        "--X\n" + text(headers) + "Content-Disposition: form-data; name=\"f\"\n\n1\n--X--\n";
    assertEquals("400 multipart.malformed", read(Multipart.files(), form));
  }

  @Test
  void foldedLinesCountForTheLimit() {
    String form =
        "--X\nContent-Disposition: form-data; name=\"f\"\nA: b\n" + " c\n".repeat(5000) + "\n1\n";
    assertEquals("413 headers.too.large", read(Multipart.files(), form + "--X--\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name=\"f\"; x=\"LONG\"|text/plain|{f=1}",
        "name=\"f\"; x=\"LONG\u00fc\"|text/plain|413 fields.too.large",
        "name=\"f\"|text/LONG|413 fields.too.large",
        "name=\"f\"; filename=\"x\"; y=\"LONG\"|text/plain|{} f:x:text/plain:31"
      })
  void whatIsKeptOfTheHeadersOfFieldsCountsForTheirLimit(String names, String type, String read) {
    String disposition = names.replace("LONG", "y".repeat(2000));
    String form =
        "--X\nContent-Disposition: form-data; "
            + disposition
            + "\nContent-Type: "
            + type.replace("LONG", "y".repeat(2000))
            + "\n\n1\n--X--\n";
    assertEquals(read, read(Multipart.files().maxFieldsSize("1kb"), form));
  }

  @Test
  void linesMayEndInABareLineFeed() {
    String form = "--X\nContent-Disposition: form-data;\n name=\"f\"\n\n1\r\n2\n--X--\n";
    assertEquals(
        "{f=1\r\n2}",
        read(
            Multipart.files(),
            "multipart/form-data; boundary=X",
            form.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static String text(String escaped) {
    return escaped
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\r", "\r")
        .replace("\\u0000", "\0")
        .replace("\\u007f", "\u007f");
  }
}
