package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void thePathEndsBeforeTheFirstQuestionMark() {
    assertEquals("/a/b", Target.path("/a/b?c?d"));
    assertEquals("/a//b%2Fc", Target.path("/a//b%2Fc"));
    assertEquals("", Target.path("?x"));
    assertEquals("*", Target.path("*"));
  }

  @Test
  void thePathOfAnAbsoluteTargetIsThatOfItsUrl() {
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
  void theQueryStandsBehindTheFirstQuestionMark() {
    assertEquals("c?d", Target.query("/a?c?d"));
    assertEquals("", Target.query("/a?"));
    assertNull(Target.query("/a"));
    assertEquals("q", Target.query("http://h?q"));
  }

  @Test
  void thePathOfAnAbsoluteTargetStartsBehindTheAuthority() {
    assertEquals(0, Target.pathStart("/a"));
    assertEquals(8, Target.pathStart("http://h/a"));
    assertEquals(8, Target.pathStart("http://h"));
    assertEquals(0, Target.pathStart(""));
  }
}
