package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names of downloads according to RFC 6266 section 4.3 and appendix D, and RFC 8187 section 3.2.
 */
class ContentDispositionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "/path/to/image.png|filename=\"image.png\"",
        "a/b///|filename=\"b\"",
        "../x|filename=\"x\"",
        "///|filename*=UTF-8''",
        "^^|filename*=UTF-8''",
        "^ ^|filename=\" \"",
        "the \"plans\".html|filename=\"the \\\"plans\\\".html\"",
        "a\\b.txt|filename=\"a\\\\b.txt\"",
        "it's (1); ok.txt|filename=\"it's (1); ok.txt\"",
        "caf\u00e9.txt|filename=\"caf?.txt\"; filename*=UTF-8''caf%C3%A9.txt",
        "\u00e9t\u00e9.pdf|filename=\"?t?.pdf\"; filename*=UTF-8''%C3%A9t%C3%A9.pdf",
        "\ud83d|filename=\"?\"; filename*=UTF-8''%EF%BF%BD",
        "100%.txt|filename=\"100%.txt\"",
        "5%2|filename=\"5%2\"",
        "%%4a|filename=\"%%4a\"; filename*=UTF-8''%25%254a",
        "the%20plans|filename=\"the%20plans\"; filename*=UTF-8''the%2520plans",
        "\u20ac rates.txt|filename=\"? rates.txt\"; filename*=UTF-8''%E2%82%AC%20rates.txt",
        "\uD83D\uDE00|filename=\"??\"; filename*=UTF-8''%F0%9F%98%80",
        "\u20ac*'()-_.!~|filename=\"?*'()-_.!~\"; filename*=UTF-8''%E2%82%AC%2A%27%28%29-_.!~",
        "a\u0085b|filename=\"a?b\"; filename*=UTF-8''a%C2%85b"
      })
  void theNameIsWrittenInAsciiAndIfNecessaryInUtf8(String path, String expected) {
    assertEquals("attachment; " + expected, ContentDisposition.attachment(path));
  }

  @Test
  void latin1NamesAreNotEncoded() {
    assertEquals(
        "attachment; filename=\"caf\u00e9.txt\"",
        HeaderEncoding.LATIN1.attachment("caf\u00e9.txt"));
    assertEquals(
        "attachment; filename=\"\u00dc ?.txt\"; filename*=UTF-8''%C3%9C%20%E2%82%AC.txt",
        HeaderEncoding.LATIN1.attachment("\u00dc \u20ac.txt"));
  }

  @Test
  void lineBreaksDoNotEndTheHeader() {
    assertEquals(
        "attachment; filename=\"a??X: y\"; filename*=UTF-8''a%0D%0AX%3A%20y",
        ContentDisposition.attachment("a\r\nX: y"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.json,.json",
    "x/y.tar.gz,.gz",
    "noext,.",
    "html,.",
    ".bashrc,.",
    "a.b/c,.",
    "a.,.",
    "a.css/,.css"
  })
  void theExtensionIsTakenFromTheLastPart(String path, String expected) {
    assertEquals(expected, ContentDisposition.extension(path));
  }
}
