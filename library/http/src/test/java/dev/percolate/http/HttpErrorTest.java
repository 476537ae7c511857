package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpErrorTest {

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 499})
  void clientErrorsAreExposedAndHaveNoStackTrace(int status) {
    HttpError error = new HttpError(status, "told");
    assertEquals(status, error.status());
    assertTrue(error.expose());
    assertEquals(0, error.getStackTrace().length);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 599})
  void serverErrorsAreHiddenAndHaveAStackTrace(int status) {
    HttpError error = new HttpError(status, "kept");
    assertFalse(error.expose());
    assertEquals(HttpErrorTest.class.getName(), error.getStackTrace()[0].getClassName());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, 0, 200, 399, 600, 4040})
  void otherStatusCodesAreRejected(int status) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new HttpError(status, "x")).getMessage();
    assertTrue(message.contains(", was " + status), message);
  }

  @Test
  void theDefaultMessageIsTheReasonPhrase() {
    assertEquals("Not Found", new HttpError(404).getMessage());
    assertEquals("Payload Too Large", new HttpError(413).getMessage());
    assertNull(new HttpError(404).type());
  }

  @Test
  void fieldsKeepTheirOrderOmitNullAndAreUnmodifiable() {
    HttpError error = new HttpError(413).with("limit", 10L).with("none", null).with("at", "b");
    assertEquals(List.of("limit", "at"), List.copyOf(error.fields().keySet()));
    assertEquals(10L, error.field("limit"));
    assertNull(error.field("none"));
    Map<String, Object> fields = error.fields();
    assertThrows(UnsupportedOperationException.class, () -> fields.put("x", 1));
  }

  @Test
  void typeAndCauseAreKept() {
    Exception cause = new Exception("why");
    HttpError error = new HttpError(400, null, "entity.parse.failed", cause);
    assertEquals("entity.parse.failed", error.type());
    assertSame(cause, error.getCause());
    assertNull(error.getMessage());
  }
}
