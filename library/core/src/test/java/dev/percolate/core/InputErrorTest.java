package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputErrorTest {

  private static InputError missing(InputSource source, String name) {
    return new InputError(source, name, InputError.MISSING, "is missing");
  }

  @ParameterizedTest
  @CsvSource({
    "JSON,/user/email,email",
    "JSON,/lines/0/price,price",
    "JSON,/tags/3,tags",
    "JSON,/a~1b~0c,a/b~c",
    "JSON,/0,''",
    "JSON,'',''",
    "FORM,lines[0][price],price",
    "FORM,tags[3],tags",
    "QUERY,page[number],number",
    "PATH,id,id",
    "HEADER,X-Key,X-Key"
  })
  void theFieldIsTheInnermostName(InputSource source, String name, String field) {
    assertEquals(field, missing(source, name).field());
  }

  @Test
  void anHttpErrorReportsItsErrors() {
    List<InputError> errors =
        List.of(missing(InputSource.QUERY, "page"), missing(InputSource.JSON, "/a"));
    HttpError error = InputError.error(422, "a.type", errors);
    assertEquals(errors, InputError.of(error));
    assertEquals(422, error.status());
    assertEquals("a.type", error.type());
    assertEquals("query parameter \"page\" is missing; JSON value \"/a\" is missing", text(error));
    assertEquals(
        List.of(
            Map.of("parameter", "page", "code", "value.missing", "detail", "is missing"),
            Map.of("pointer", "/a", "code", "value.missing", "detail", "is missing")),
        error.field("errors"));
    assertEquals(HttpError.class.getName() + ": " + text(error), error.toString());
  }

  @Test
  void detailsAreGroupedByField() {
    InputError wrong =
        new InputError(InputSource.JSON, "/b", InputError.CONSTRAINT, "is not an email address");
    List<InputError> errors =
        List.of(missing(InputSource.JSON, "/b"), wrong, missing(InputSource.FORM, "a[0]"));
    assertEquals(
        Map.of("a", List.of("is missing"), "b", List.of("is missing", "is not an email address")),
        InputError.byField(InputError.error(422, "a.type", errors)));
    assertEquals(Map.of(), InputError.byField(new HttpError(404)));
  }

  private static String text(HttpError error) {
    return String.valueOf(error.getMessage());
  }

  @Test
  void otherErrorsReportNone() {
    HttpError error = new HttpError(400).with("errors", List.of(Map.of("parameter", "x")));
    assertTrue(InputError.of(error).isEmpty());
  }

  @Test
  void pathsHaveBrackets() {
    assertEquals("", InputPath.of(List.of()).toString());
    assertEquals("lines[0][price]", InputPath.of(List.of("lines", 0, "price")).toString());
  }
}
