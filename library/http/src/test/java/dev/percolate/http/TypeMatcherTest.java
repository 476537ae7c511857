package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypeMatcherTest {

  private static boolean matches(String expected, String actual) {
    return TypeMatcher.of(expected).matches(MediaType.parse(actual));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,application/json",
    "application/json,Application/JSON; charset=x",
    "json,application/json",
    ".json,application/json",
    "package.JSON,application/json",
    "urlencoded,application/x-www-form-urlencoded",
    "multipart,multipart/form-data",
    "+json,application/vnd.api+json",
    "+json,a/b+json",
    "*/*,text/plain",
    "text/*,text/plain",
    "*/json,text/json",
    "*/*+xml,image/svg+xml",
    "application/*+json,application/a.b+json",
    "js,text/javascript",
    "txt,text/plain",
    "xml,application/xml"
  })
  void expectedTypesMatch(String expected, String actual) {
    assertTrue(matches(expected, actual));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,application/problem+json",
    "application/json,text/json",
    "application/json,application/x-json",
    "Application/JSON,application/json",
    "application/json; charset=utf-8,application/json",
    "imag*/png,image/png",
    "application/*-stream,application/octet-stream",
    "*,application/json",
    "unknownext,text/plain",
    "+json,application/json",
    "+json,a/b+jsonx",
    "application/*+json,text/a+json",
    "a/b/c,a/b",
    "text/*,application/json",
    "*/json,application/xjson",
    "multipart,multipart",
    "json.,application/json",
    "text/plain,text/plain-x",
    "tex/plain,text/plain",
    "'',text/plain",
    "*/*,nonsense",
    "*/*,a/b/c"
  })
  void otherTypesDoNot(String expected, String actual) {
    assertFalse(matches(expected, actual));
  }

  @Test
  void aSuffixNeedsASubtypeBeforeIt() {
    assertTrue(matches("a/*+json", "a/b+json"));
    assertFalse(matches("a/*+json", "a/json"));
    assertFalse(matches("a/*+json", "a/+json"));
  }

  @Test
  void anyTypeOfAListMayMatch() {
    TypeMatcher matcher = TypeMatcher.of("json", "text/*");
    assertTrue(matcher.matches(MediaType.parse("application/json")));
    assertTrue(matcher.matches(MediaType.parse("text/x")));
    assertFalse(matcher.matches(MediaType.parse("image/png")));
  }

  @Test
  void anEmptyListMatchesEveryWellFormedType() {
    assertTrue(TypeMatcher.of().matches(MediaType.parse("a/b")));
    assertFalse(TypeMatcher.of().matches(MediaType.parse("a")));
    assertFalse(TypeMatcher.of().matches(MediaType.parse(null)));
  }

  @Test
  void aListOfUnknownNamesMatchesNothing() {
    assertFalse(TypeMatcher.of("unknownext").matches(MediaType.parse("a/b")));
  }
}
