package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {

  private static final TypeRef<List<String>> LIST = new TypeRef<>() {};

  private static Request posted(String... headers) {
    FakeExchange exchange = FakeExchange.of("POST", "/", headers);
    exchange.give("[1]");
    return exchange.request();
  }

  private static void assertRejected(int status, String type, String message, Request req) {
    for (HttpError error :
        List.of(
            assertThrows(HttpError.class, () -> req.body(String.class)),
            assertThrows(HttpError.class, () -> req.body(LIST)))) {
      assertEquals(status, error.status());
      assertEquals(type, error.type());
      assertEquals(message, error.getMessage());
    }
  }

  @Test
  void aMissingBodyIsA400() {
    FakeExchange exchange = FakeExchange.of("POST", "/", "Content-Type", "application/json");
    exchange.hasBody = false;
    Request req = exchange.request();
    assertFalse(req.hasBody());
    assertRejected(400, "entity.absent", "the body is missing, but JSON was expected", req);
  }

  @Test
  void anUnexpectedTypeIsA415() {
    String type = "entity.type.unsupported";
    Request form = posted("Content-Type", "a/b; c=\"d\"");
    assertTrue(form.hasBody());
    RequestControl.body(form, "the result of a parser of the application");
    assertRejected(415, type, "the body is a/b; c=\\\"d\\\", but JSON was expected", form);
    assertRejected(415, type, "the body has no type, but JSON was expected", posted());
    assertRejected(
        415, type, "the body is json, but JSON was expected", posted("Content-Type", "json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "Application/JSON; charset=utf-8", "a/b+json"})
  void jsonWithoutAParserIsAnErrorOfTheApplication(String type) {
    Request req = posted("Content-Type", type);
    Exception error = assertThrows(IllegalStateException.class, () -> req.body(LIST));
    assertTrue(String.valueOf(error.getMessage()).startsWith("body(java.util.List<"));
    assertTrue(String.valueOf(error.getMessage()).endsWith(" before this handler."));
  }
}
