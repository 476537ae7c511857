package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatsTest {

  private final FakeExchange exchange = new FakeExchange();

  private Response res(String accept) {
    exchange.sent = accept == null ? new Headers() : Headers.of("Accept", accept);
    return exchange.response();
  }

  private static Map<String, Handler> offers(String... names) {
    Map<String, Handler> offers = new LinkedHashMap<>();
    for (String name : names) {
      offers.put(name, (req, res) -> res.end(name + "|" + res.get("Content-Type")));
    }
    return offers;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|text|text/plain; charset=utf-8",
        "text/html; q=.5, application/json|json|application/json",
        "text/css|css|text/css; charset=utf-8",
        "image/*|.svg|image/svg+xml",
        "*/*|text|text/plain; charset=utf-8",
        "text/x-note;level=1|text/x-note; level=1|text/x-note; charset=utf-8"
      })
  void theBestOfferIsCalledWithItsType(String accept, String name, String type) throws Exception {
    res(accept).format(offers("text", "json", ".svg", "css", "text/x-note; level=1", "default"));
    assertEquals(name + "|" + type, exchange.body());
    assertEquals("Accept", exchange.header("Vary"));
  }

  @Test
  void withoutAMatchDefaultIsCalledWithoutType() throws Exception {
    res("image/gif").vary("Origin").format(offers("text", "default", "json"));
    assertEquals("default|null", exchange.body());
    assertEquals("Origin, Accept", exchange.header("Vary"));
  }

  @Test
  void aLoneDefaultIsAlwaysCalled() throws Exception {
    res(null).format(offers("default"));
    assertEquals("default|null", exchange.body());
  }

  @Test
  void withoutDefaultTheErrorNamesTheTypes() {
    Response res = res("audio/ogg");
    HttpError error =
        assertThrows(
            HttpError.class, () -> res.format(offers("text", "html", "a/b;q=1", "unknown")));
    assertEquals(406, error.status());
    assertEquals("Not Acceptable", error.getMessage());
    assertEquals(
        List.of("text/plain", "text/html", "a/b", "application/octet-stream"),
        error.field("types"));
    assertEquals("Accept", res.get("Vary"));
    assertNull(res.get("Content-Type"));
  }

  @Test
  void theCharsetOfTheResponseIsAddedToTypesWithoutOne() throws Exception {
    res(null).charset("koi8-r").format(offers("json"));
    assertEquals("application/json; charset=koi8-r", exchange.header("Content-Type"));
    FakeExchange other = new FakeExchange();
    other.response().charset("koi8-r").format(offers("html"));
    assertEquals("text/html; charset=utf-8", other.header("Content-Type"));
  }

  @Test
  void anExceptionOfAHandlerIsThrown() {
    Map<String, Handler> offers =
        Map.of(
            "text",
            (req, res) -> {
              throw new IOException("x");
            });
    assertThrows(IOException.class, () -> res(null).format(offers));
  }
}
