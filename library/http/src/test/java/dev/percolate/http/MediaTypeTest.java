package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {

  @ParameterizedTest
  @CsvSource({
    "application/json,application/json",
    "' \tText/HTML\t ; charset=x',text/html",
    "application/vnd.api+json,application/vnd.api+json",
    "a/b.c+d,a/b.c+d",
    "0!#$&^_-/1,0!#$&^_-/1",
    "text/plain;,text/plain",
    "image/svg+xml;x,image/svg+xml"
  })
  void typesAreTrimmedAndInLowerCase(String header, String type) {
    assertEquals(type, MediaType.parse(header).type());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "json",
        "application/",
        "/json",
        "application/json/x",
        "a/b, c/d",
        "application/+json",
        "a.b/c",
        "a+b/c",
        "-a/b",
        "*/*",
        "a /b",
        "a/ b",
        "text/html charset",
        ";charset=utf-8",
        "\"a/b\"",
        "a/b\u00e9"
      })
  void otherTextIsNotAType(String header) {
    assertNull(MediaType.parse(header).type());
  }

  @Test
  void absentHeadersHaveNeitherTypeNorParameters() {
    assertNull(MediaType.parse(null).type());
    assertNull(MediaType.parse(null).parameter("charset"));
  }

  @Test
  void partsHaveAtMost127Characters() {
    String part = "a".repeat(127);
    assertEquals(part + "/" + part, MediaType.parse(part + "/" + part).type());
    assertNull(MediaType.parse(part + "a/b").type());
    assertNull(MediaType.parse("a/b" + part).type());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a/b; charset=utf-8|utf-8",
        "a/b;CHARSET = \tUTF-8 ;x|UTF-8",
        "a/b;charset=|``",
        "a/b; charset=\"utf-8\"|utf-8",
        "a/b;charset=\"a;b\" junk; charset=c|a;b",
        "a/b;charset=\"a\\\"b\\c\"|a\"bc",
        "a/b;charset=x;charset=y|x",
        "a/b;x;charset=y|y",
        "a/b;x=\"charset=z\";charset=y|y",
        "a/b;charset='utf-8'|'utf-8'",
        "a/b;charset=a b|a b",
        "a/b;charset=a=b|a=b",
        "nonsense;charset=y|y",
        "a/b;charset=\"\"|``",
        "a/b;;charset=y|y"
      },
      delimiter = '|')
  void parametersAreReadLeniently(String header, String charset) {
    assertEquals(charset, MediaType.parse(header).parameter("charset"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b",
        "a/b;charset",
        "a/b; charset=\"utf-8",
        "a/b;x=\";charset=y",
        "a/b;charset=\"a\\\"",
        "a/b;xcharset=y",
        "a/b;x charset=y",
        "charset=y"
      })
  void otherParametersAreAbsent(String header) {
    assertNull(MediaType.parse(header).parameter("charset"));
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    assertNull(MediaType.parse("a/b" + ";x=\"".repeat(50_000)).parameter("charset"));
    assertNull(MediaType.parse("a/b;x=\"" + "\\".repeat(100_001)).parameter("charset"));
    assertNull(MediaType.parse("a/b" + ";".repeat(100_000)).parameter("charset"));
    assertNull(MediaType.parse("a/b;" + " ".repeat(100_000)).parameter("charset"));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "application/json | json | true",
        "application/json | .json | true",
        "application/json | html | false",
        "application/octet-stream | zzz | true",
        "application/json;charset=utf-8 | application/json | true",
        "application/json ; x | application/json | true",
        "application/json-seq | json | true",
        "application/vnd.api+json | json | false",
        "text/xml | text/x | true",
        "text/xml | xt/x | true",
        "text/xml | t/xml; | false",
        "a/b;c/d | c/d | false",
        "Text/HTML | html | false",
        "text/html | Text/html | false",
        "application/json | */json | true",
        "application/json ; x | */json | false",
        "application/json; x | application/* | true",
        "application/json | text/* | false",
        "application/json | */* | false",
        "application/json | * | false",
        "application/json | app*/json | false",
        "application/json | application/j* | false",
        "text | text/* | true",
        "text | */html | false",
        "text/html/x | */html | true",
        "text/html | */html/x | true",
        "/html | */html | true",
        "'' | text/* | false",
        "'' | json | false",
        "; | json | false",
      },
      delimiter = '|')
  void aTypeMatchesByPartOrWildcard(String header, String type, boolean like) {
    assertEquals(like, MediaType.isLike(header, type));
  }

  @Test
  void anAbsentTypeMatchesNothing() {
    assertFalse(MediaType.isLike(null, "json"));
    assertFalse(MediaType.isLike(null, "*/json"));
  }
}
