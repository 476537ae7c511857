package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

  @Test
  void thePathEndsBeforeTheFirstQuestionMark() {
    assertEquals("/a/b", Target.path("/a/b?c?d"));
    assertEquals("/a//b%2Fc", Target.path("/a//b%2Fc"));
    assertEquals("", Target.path("?x"));
    assertEquals("*", Target.path("*"));
  }

  @Test
  void thePathOfAnAbsoluteTargetIsThePathOfItsUrl() {
    assertEquals("/p", Target.path("http://host:1/p?q"));
    assertEquals("/", Target.path("http://host:1"));
    assertEquals("/", Target.path("http://host?q"));
    assertEquals("/p://x", Target.path("HTTP+x.1-y://h/p://x"));
  }

  @Test
  void urlsInsidePathOrQueryArePlainText() {
    assertEquals("/proxy/http://x/y", Target.path("/proxy/http://x/y"));
    assertEquals("/a", Target.path("/a?url=http://x/y"));
    assertEquals("1http://x/y", Target.path("1http://x/y"));
  }

  @Test
  void theQueryFollowsTheFirstQuestionMark() {
    assertEquals("c?d", Target.query("/a?c?d"));
    assertEquals("", Target.query("/a?"));
    assertNull(Target.query("/a"));
    assertEquals("q", Target.query("http://h?q"));
  }

  @Test
  void aFragmentIsPartOfNeitherPathNorQuery() {
    assertTrue(Target.hasFragment("/a#b"));
    assertFalse(Target.hasFragment("/a%23b"));
    assertEquals("/a", Target.path("/a#b"));
    assertEquals("/a", Target.path("/a#b?c"));
    assertNull(Target.query("/a#b?c"));
    assertEquals("c", Target.query("/a?c#b?d"));
    assertEquals("/p", Target.path("http://h/p#b"));
  }

  @Test
  void thePathOfAnAbsoluteTargetFollowsTheAuthority() {
    assertEquals(0, Target.pathStart("/a"));
    assertEquals(8, Target.pathStart("http://h/a"));
    assertEquals(8, Target.pathStart("http://h"));
    assertEquals(0, Target.pathStart(""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "//",
        "//evil/x",
        "/a?b",
        "/%zz",
        "/a\"b\\c?d=<e>",
        "/a#b",
        "/~",
        "http://a",
        "http://a/",
        "http://a:80?x",
        "HTTPS://[::1]:8443/x",
        "http://a.test//b"
      })
  void pathsAndUrlsAreTargets(String target) {
    assertTrue(Target.isValid("GET", target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "foo",
        "!",
        "a:80",
        "*",
        "?x",
        "./a",
        "\\a",
        "/a b",
        "/\u00ff",
        "/\u00e4",
        "/\0",
        "/\u007f",
        "/\t",
        "http://",
        "http:///x",
        "http://:80/",
        "http://?x",
        "https://:/",
        "http://u@a/",
        "http://a:x/",
        "http:a",
        "http:/a",
        "ftp://a/",
        "javascript://a/",
        "http://a#b/",
        "http://[::1/"
      })
  void otherTextsAreNotTargets(String target) {
    assertFalse(Target.isValid("GET", target));
  }

  @Test
  void anAsteriskIsValidForOptionsOnly() {
    assertTrue(Target.isValid("OPTIONS", "*"));
    assertFalse(Target.isValid("options", "*"));
    assertFalse(Target.isValid("OPTIONS", "**"));
  }

  @Test
  void onlyATargetInAbsoluteFormHasAHost() {
    assertEquals("host:1", Target.authority("http://host:1/p?q"));
    assertEquals("host", Target.authority("http://host?q"));
    assertEquals("", Target.authority("http://"));
    assertNull(Target.authority("/p?u=http://host/"));
    assertNull(Target.authority("//host/p"));
    assertNull(Target.authority("*"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//a",
        "/a//b",
        "/a//",
        "/.",
        "/..",
        "/./a",
        "/a/../b",
        "/a/.",
        "/a\\b",
        "/%61dmin",
        "/%5a",
        "/%2e/a",
        "/%7Ea",
        "/a%2Fb",
        "/a%2fb",
        "/%5c",
        "/%00",
        "/%",
        "/a%2",
        "/%zz",
        "http://h//a",
        "http://h/%41?b"
      })
  void ambiguousPathsAreDetected(String target) {
    assertTrue(Target.isAmbiguous(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a",
        "/a/",
        "/a/b.c/..d/e../...",
        "/a%20b",
        "/%C3%A4",
        "/a%3Fb%23",
        "/%25",
        "/a;b=1",
        "/A",
        "*",
        "/a?b=//c/../%61%zz\\",
        "http://h",
        "http://h/a?//"
      })
  void otherPathsAreNotAmbiguous(String target) {
    assertFalse(Target.isAmbiguous(target));
  }
}
