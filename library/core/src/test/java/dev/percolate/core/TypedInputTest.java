package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedInputTest {

  private enum Size {
    SMALL,
    Large,
    LARGE
  }

  private record Money(long cents) {
    static Money parse(String text) {
      return new Money(Long.parseLong(text.replace(".", "")));
    }
  }

  private final Request req =
      FakeExchange.of("GET", "/x?page=7&none=&tag=1&tag=2&m[a]=3&bad=1x&word=a%20b&price=3.50")
          .request();

  @Test
  void aValueIsReadAsItsType() {
    assertEquals(7, req.query("page", Integer.class));
    assertEquals(7L, req.query("page", long.class));
    assertEquals("a b", req.query("word", String.class));
    assertNull(req.query("absent", Integer.class));
    assertEquals(1, req.query("tag", Integer.class));
    assertEquals(List.of(1L, 2L), req.queryAll("tag", Long.class));
    assertEquals(List.of(), req.queryAll("absent", Long.class));
  }

  @Test
  void anEmptyStringIsAbsentUnlessTheTypeIsString() {
    assertNull(req.query("none", Integer.class));
    assertEquals("", req.query("none", String.class));
    assertEquals(3, req.query("none", Integer.class, 3));
    assertEquals(List.of(), req.queryAll("none", int.class));
    assertEquals("value.missing", fault(() -> req.queryRequired("none", int.class)).type());
  }

  @Test
  void anAbsentPrimitiveIsAnErrorThatNamesTheParameter() {
    for (Class<?> type : List.of(int.class, long.class, double.class, boolean.class, char.class)) {
      HttpError error = fault(() -> req.query("absent", type));
      assertEquals("value.missing", error.type());
      assertEquals("query parameter \"absent\" is missing", error.getMessage());
    }
    assertEquals("value.missing", fault(() -> req.query("none", int.class)).type());
    assertEquals("value.missing", fault(() -> req.params().get("id", int.class)).type());
    assertEquals(5, req.query("none", int.class, 5));
  }

  @Test
  void anyNumberIsAFallbackForANumericType() {
    assertEquals(7, req.query("page", Integer.class, 1));
    assertEquals(1.0, req.query("absent", Double.class, 1));
    assertEquals(new BigDecimal("2"), req.query("absent", BigDecimal.class, 2));
    assertEquals(2L, req.query("absent", long.class, (byte) 2));
    assertEquals("x", req.query("absent", String.class, "x"));
    assertEquals(
        "fallback x must be of type Integer",
        assertThrows(IllegalArgumentException.class, () -> req.query("page", Integer.class, "x"))
            .getMessage());
  }

  @Test
  void errorsNameTheParameter() {
    HttpError error = fault(() -> req.query("bad", Integer.class));
    assertEquals("value.invalid", error.type());
    assertEquals(
        "query parameter \"bad\": expected a whole number from -2147483648 to 2147483647,"
            + " not \"1x\"",
        error.getMessage());
    assertEquals(
        List.of(
            Map.of(
                "parameter",
                "bad",
                "code",
                "value.invalid",
                "detail",
                "expected a whole number from -2147483648 to 2147483647")),
        error.field("errors"));
    assertTrue(!String.valueOf(error.field("detail")).contains("1x"));
    error = fault(() -> req.query("m", Integer.class));
    assertEquals("value.invalid", error.type());
    assertTrue(!String.valueOf(error.getMessage()).contains("not"), error.getMessage());
    assertEquals(
        "query parameter \"absent\" is missing",
        fault(() -> req.queryRequired("absent", UUID.class)).getMessage());
  }

  @Test
  void atMost64CharactersAreEchoedWithoutControlCharacters() {
    req.params().set("id", "\u0000".repeat(70));
    String echo = echo(fault(() -> req.params().get("id", int.class)));
    assertEquals(-1, echo.indexOf('\0'));
    req.params().set("id", "x".repeat(63) + "\ud83d\ude00".repeat(9));
    assertEquals("x".repeat(63), echo(fault(() -> req.params().get("id", int.class))));
  }

  private static String echo(HttpError error) {
    String message = String.valueOf(error.getMessage());
    return message.substring(message.indexOf(", not \"") + 7, message.length() - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "-1", "007", "-0"})
  void wholeNumbersHaveOnlyDigits(String text) {
    req.params().set("n", text);
    assertEquals(Integer.parseInt(text), req.params().get("n", int.class));
    assertEquals(new BigInteger(text), req.params().get("n", BigInteger.class));
    assertEquals(Double.parseDouble(text), req.params().get("n", double.class));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+1",
        " 1",
        "1 ",
        "0x1",
        "1_0",
        "\u0661",
        "1L",
        "1d",
        "NaN",
        "Infinity",
        "-",
        "--1",
        "1e",
        ".5",
        "5.",
        "1e99999",
        "1e1001",
        "1,5",
        "\u22121"
      })
  void nothingElseIsANumber(String text) {
    req.params().set("n", text);
    for (Class<?> type :
        List.of(int.class, Long.class, BigInteger.class, BigDecimal.class, double.class)) {
      assertEquals("value.invalid", fault(() -> req.params().get("n", type)).type(), type::getName);
    }
  }

  @Test
  void numbersMustBeInTheRangeOfTheirType() {
    req.params().set("n", "128");
    assertEquals((short) 128, req.params().get("n", short.class));
    assertEquals("value.invalid", fault(() -> req.params().get("n", byte.class)).type());
    req.params().set("n", "1e400");
    assertEquals("value.invalid", fault(() -> req.params().get("n", double.class)).type());
    assertEquals(new BigDecimal("1e400"), req.params().get("n", BigDecimal.class));
    for (String text : List.of("1e0", "1e00", "-2.50E-003", "1e1000", "1e-1000")) {
      req.params().set("n", text);
      assertEquals(new BigDecimal(text), req.params().get("n", BigDecimal.class));
    }
    req.params().set("n", "1e-1001");
    assertEquals("value.invalid", fault(() -> req.params().get("n", BigDecimal.class)).type());
    req.params().set("n", "9".repeat(1000));
    assertEquals(1000, req.params().get("n", BigInteger.class, 0).toString().length());
    req.params().set("n", "9".repeat(1001));
    assertEquals("value.invalid", fault(() -> req.params().get("n", BigInteger.class)).type());
  }

  @ParameterizedTest
  @CsvSource({"true,true", "ON,true", "1,true", "False,false", "off,false", "0,false"})
  void booleansHaveThreeNamesEach(String text, boolean value) {
    req.params().set("b", text);
    assertEquals(value, req.params().get("b", boolean.class));
  }

  @Test
  void enumConstantsAreCaseInsensitive() {
    req.params().set("size", "small");
    assertEquals(Size.SMALL, req.params().get("size", Size.class));
    req.params().set("size", "LARGE");
    assertEquals(Size.LARGE, req.params().get("size", Size.class));
    req.params().set("size", "large");
    assertEquals(Size.Large, req.params().get("size", Size.class));
    req.params().set("size", "huge");
    assertEquals(
        "path parameter \"size\": expected one of SMALL, Large, LARGE, not \"huge\"",
        fault(() -> req.params().get("size", Size.class)).getMessage());
    req.params().set("day", "monday");
    assertEquals(DayOfWeek.MONDAY, req.params().get("day", DayOfWeek.class));
  }

  @Test
  void typesOfTheJdkHaveTheirStandardFormats() {
    UUID id = UUID.randomUUID();
    Map<Object, String> texts =
        Map.of(
            id,
            id.toString(),
            URI.create("http://a/b?c"),
            "http://a/b?c",
            Instant.ofEpochSecond(1),
            "1970-01-01T00:00:01Z",
            LocalDate.of(2026, 1, 2),
            "2026-01-02",
            LocalTime.of(3, 4),
            "03:04",
            YearMonth.of(2026, 1),
            "2026-01",
            Duration.ofMinutes(90),
            "PT1H30M",
            'x',
            "x");
    texts.forEach(
        (value, text) -> {
          req.params().set("v", text);
          assertEquals(value, req.params().get("v", value.getClass()));
        });
    req.params().set("v", "Europe/Berlin");
    assertEquals(ZoneId.of("Europe/Berlin"), req.params().get("v", ZoneId.class));
    req.params().set("v", "1-1-1-1-1");
    assertEquals("value.invalid", fault(() -> req.params().get("v", UUID.class)).type());
  }

  @Test
  void applicationsCanAddTypes() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> req.query("price", Money.class))
            .getMessage()
            .contains("Conversions.SETTING"));
    Conversions own = Conversions.standard().with(Money.class, "an amount", Money::parse);
    req.settings().set(Conversions.SETTING, own);
    assertEquals(new Money(350), req.query("price", Money.class));
    req.params().set("price", "x");
    assertEquals(
        "path parameter \"price\": expected an amount, not \"x\"",
        fault(() -> req.params().get("price", Money.class)).getMessage());
  }

  @Test
  void formsHaveTheSameMethods() {
    FakeExchange empty = FakeExchange.of("POST", "/");
    empty.hasBody = false;
    assertNull(empty.request().form("a"));
    Request form = form("Content-Type", "application/x-www-form-urlencoded");
    assertTrue(
        assertThrows(IllegalStateException.class, () -> form.form("a"))
            .getMessage()
            .startsWith("form(…): no form was read"));
    form.attr(Request.BODY_PASSED_ON, true);
    assertEquals(415, fault(() -> form.form("a")).status());
    RequestControl.body(form, Map.of("a", "1", "b", List.of("2", "3")));
    assertEquals("1", form.form("a"));
    assertEquals(1, form.form("a", int.class));
    assertEquals(2L, form.formRequired("b", Long.class));
    assertEquals(List.of(2, 3), form.formAll("b", Integer.class));
    assertEquals(9, form.form("c", int.class, 9));
    assertEquals(
        "form field \"c\" is missing",
        fault(() -> form.formRequired("c", boolean.class)).getMessage());
    assertEquals(415, fault(() -> form("Content-Type", "application/json").form("a")).status());
    assertEquals(415, fault(() -> form().form("a")).status());
  }

  @Test
  void randomInputIsAValueOrA400() {
    List<Class<?>> types = new ArrayList<>(ConversionsFuzzTest.TYPES);
    types.add(Size.class);
    String letters = "0123456789-+.eE:TZP/ abcdefxyz%[]\u0000\u00e9\ud83d\ude00\u0661\n\"<";
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      req.params().set("v", text.toString());
      Class<?> type = types.get(i % types.size());
      try {
        Object value = req.params().get("v", type);
        assertTrue(value != null || text.isEmpty(), () -> type + " of " + text);
      } catch (HttpError e) {
        boolean missing = type.isPrimitive() && text.isEmpty();
        assertEquals(missing ? "value.missing" : "value.invalid", e.type());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100_000, 1_000_000})
  void longStringsAreRejectedBeforeParsing(int length) {
    req.params().set("v", "9".repeat(length));
    for (Class<?> type :
        List.of(int.class, double.class, BigInteger.class, BigDecimal.class, Duration.class)) {
      assertEquals("value.invalid", fault(() -> req.params().get("v", type)).type());
    }
  }

  private static Request form(String... headers) {
    return FakeExchange.of("POST", "/", headers).request();
  }

  private static HttpError fault(Executable code) {
    return assertThrows(HttpError.class, code);
  }
}
