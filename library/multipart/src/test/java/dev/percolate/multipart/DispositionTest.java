package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DispositionTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "form-data; name=\"a\"|a|",
        "form-data; name=a; filename=b.txt|a|b.txt",
        "Form-Data ; NAME = \"a\" ; FileName = \"b\"|a|b",
        "form-data; filename=\"x\"; name=\"a\"|a|x",
        "form-data; name=\"a;b\"; filename=\"c;d=e\"|a;b|c;d=e",
        "form-data; name=\"a\\\"b\"|a\"b|",
        "form-data; name=\"a%22b\"|a\"b|",
        "form-data; name=\"a\\\\\"; filename=\"b.bin\"|a\\|b.bin",
        "form-data; name=\"a\\\\b\"|a\\b|",
        "form-data; name=\"a\\\\\\\"b\"; filename=\"c\"|a\\\"b|c",
        "form-data; name=\"a\"; name=\"b\"|a|",
        "form-data; name=\"a\"; filename=\"C:\\dir\\b.txt\"|a|C:\\dir\\b.txt",
        "form-data; name=\"a\"; filename*=UTF-8''x|a|x",
        "form-data; name=\"a|\"a|",
        "form-data;;; name=\"a\"|a|"
      })
  void namesAreParsed(String header, String name, String fileName) {
    assertEquals(new Disposition(name, fileName), Disposition.parse(header));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"form-data", "``", "attachment; name=\"a\"", "; name=a", "form-data name=a"})
  void otherHeadersHaveNoNames(String header) {
    assertNull(Disposition.parse(header).name());
  }

  @Test
  void anEmptyNameIsAName() {
    assertEquals(new Disposition("", ""), Disposition.parse("form-data; name=\"\"; filename="));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "b.txt|b.txt",
        "../../etc/passwd|passwd",
        "/etc/passwd|passwd",
        "C:\\Windows\\win.ini|win.ini",
        "..\\..\\x|x",
        "a/..|",
        "..|",
        ".|",
        "dir/|",
        "` `|",
        "` .hidden `|.hidden",
        "a\u0000b\u001b\u007f\u0085.txt|ab.txt",
        "x\u202etxt.exe|xtxt.exe",
        "\u00e9\ud83d\ude00.png|\u00e9\ud83d\ude00.png",
        "a%0D%0Ab|a%0D%0Ab"
      })
  void onlyTheLastPartOfAPathCounts(String fileName, String base) {
    assertEquals(base, new Disposition("a", fileName).baseName());
  }

  @Test
  void lineBreaksAndHalvesOfCharactersAreLeftOut() {
    assertEquals("ab", new Disposition("a", "a\r\nb").baseName());
    assertEquals("ab", new Disposition("a", "a\ud800b").baseName());
  }

  @Test
  void aFieldWithoutAFileNameHasNoBaseName() {
    assertNull(new Disposition("a", null).baseName());
  }

  @Test
  void manyParametersTakeLinearTime() {
    String header = "form-data; name=a" + ";".repeat(2_000_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertEquals("a", Disposition.parse(header).name()));
  }
}
