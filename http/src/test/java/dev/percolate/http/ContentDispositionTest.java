package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ContentDispositionTest {

  @Test
  void theNameIsTheLastPartOfAPath() {
    assertEquals("attachment; filename=\"a.txt\"", ContentDisposition.attachment("a.txt"));
    assertEquals("attachment; filename=\"b.txt\"", ContentDisposition.attachment("/a/b.txt"));
    assertEquals("attachment; filename=\"b\"", ContentDisposition.attachment("a/b//"));
    assertEquals("attachment; filename=\"\"", ContentDisposition.attachment("//"));
  }

  @Test
  void quotesAndBackslashesAreEscaped() {
    assertEquals("attachment; filename=\"a\\\"b\\\\c\"", ContentDisposition.attachment("a\"b\\c"));
  }

  @Test
  void charactersBeyondLatin1AreAlsoGivenInUtf8() {
    assertEquals(
        "attachment; filename=\"\u00dc.txt\"", ContentDisposition.attachment("\u00dc.txt"));
    assertEquals(
        "attachment; filename=\"? (1).txt\"; filename*=UTF-8''%E2%82%AC%20%281%29.txt",
        ContentDisposition.attachment("\u20ac (1).txt"));
    assertEquals(
        "attachment; filename=\"??\"; filename*=UTF-8''%F0%9F%98%80",
        ContentDisposition.attachment("\ud83d\ude00"));
    assertEquals(
        "attachment; filename=\"a??b\"; filename*=UTF-8''a%0D%0Ab",
        ContentDisposition.attachment("a\r\nb"));
  }

  @Test
  void whatLooksLikeAnEscapeIsAlsoGivenInUtf8() {
    assertEquals(
        "attachment; filename=\"a%20b\"; filename*=UTF-8''a%2520b",
        ContentDisposition.attachment("a%20b"));
    assertEquals("attachment; filename=\"100%\"", ContentDisposition.attachment("100%"));
    assertEquals("attachment; filename=\"1%2g\"", ContentDisposition.attachment("1%2g"));
  }

  @Test
  void theUtf8FormKeepsOnlyWhatItsStandardAllows() {
    assertEquals(
        "attachment; filename=\"?-_.!~*'()\"; filename*=UTF-8''%E2%82%AC-_.!~%2A%27%28%29",
        ContentDisposition.attachment("\u20ac-_.!~*'()"));
  }
}
