package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RequestTypeTest {

  @Test
  void theTypeIsThatOfTheFirstHeaderWithoutItsParameters() {
    Request req = with("Content-Type", "text/html; charset=utf-8", "Content-Type", "text/plain");
    assertTrue(req.is("html"));
    assertTrue(req.is("text/html"));
    assertTrue(req.is("text/*"));
    assertTrue(req.is("*/html"));
    assertFalse(req.is("*/*"));
    assertFalse(req.is("text/plain"));
    assertFalse(req.is("text/html; charset=utf-8"));
  }

  @Test
  void spacesBeforeParametersDoNotMatter() {
    Request req = with("Content-Type", "application/json ; charset=utf-8");
    assertTrue(req.is("json"));
    assertTrue(req.is("*/json"));
    assertTrue(req.is("application/*"));
  }

  @Test
  void withoutTheHeaderNoTypeMatches() {
    assertFalse(with().is("json"));
    assertFalse(with("Content-Type", "").is("zzz"));
  }

  private static Request with(String... headers) {
    return FakeExchange.of("POST", "/", headers).request();
  }
}
