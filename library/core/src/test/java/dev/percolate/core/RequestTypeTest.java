package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTypeTest {

  @Test
  void theTypeIsThatOfTheFirstHeaderWithoutItsParameters() {
    Request req = with("Content-Type", "text/html; charset=utf-8", "Content-Type", "text/plain");
    assertTrue(req.is("html"));
    assertTrue(req.is("text/html"));
    assertTrue(req.is("text/*"));
    assertTrue(req.is("*/html"));
    assertTrue(req.is("*/*"));
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

  @ParameterizedTest
  @CsvSource({
    "application/json-patch+json,json,false",
    "application/json-seq,application/json,false",
    "application/vnd.ms-excel.sheet.macroenabled.12,xls,false",
    "text/xml,text/x,false",
    "application/octet-stream,unknownext,false",
    "application/vnd.api+json,+json,true",
    "Application/Problem+JSON,application/*+json,true",
    "application/x-www-form-urlencoded,urlencoded,true",
    "multipart/form-data; boundary=x,multipart,true",
    "multipart/mixed,multipart/*,true"
  })
  @DisplayName("RFC 9110 section 8.3.1: whole types are compared")
  void wholeTypesAreCompared(String sent, String type, boolean is) {
    assertEquals(is, with("Content-Type", sent).is(type));
  }

  @Test
  void addedMediaTypesHaveExtensions() {
    FakeExchange exchange = FakeExchange.of("POST", "/", "Content-Type", "application/x-y");
    Request req = exchange.request();
    assertFalse(req.is("xy"));
    exchange.setting("mime types", Map.of("xy", "application/x-y"));
    assertTrue(req.is("xy"));
  }

  @Test
  void withoutTheHeaderNoTypeMatches() {
    assertFalse(with().is("json"));
    assertFalse(with().is("*/*"));
    assertFalse(with("Content-Type", "").is("zzz"));
  }

  private static Request with(String... headers) {
    return FakeExchange.of("POST", "/", headers).request();
  }
}
