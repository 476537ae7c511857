package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.HttpError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;

/**
 * A string is converted to a value, whose own string is converted to the same value; or it is a
 * 400.
 */
final class ConversionsFuzzTest {

  /** All types with a standard conversion, except enums. */
  static final List<Class<?>> TYPES =
      List.of(
          byte.class,
          short.class,
          int.class,
          long.class,
          float.class,
          double.class,
          boolean.class,
          char.class,
          String.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Instant.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          LocalDateTime.class,
          LocalDate.class,
          LocalTime.class,
          OffsetTime.class,
          Duration.class,
          Period.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          ZoneId.class,
          ZoneOffset.class,
          DayOfWeek.class);

  /** Types whose {@code toString} cannot always be converted back, such as years beyond 9999. */
  private static final List<Class<?>> ONE_WAY =
      List.of(float.class, double.class, BigDecimal.class, Year.class);

  @FuzzTest
  void aTextIsAValueOrTheClientsFault(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    for (Class<?> type : TYPES) {
      Params params = new Params();
      params.set("v", text);
      try {
        Object value = params.get("v", type);
        assertTrue(value != null || text.isEmpty(), () -> type + " of " + text);
        if (value != null && !ONE_WAY.contains(type)) {
          params.set("v", value.toString());
          assertEquals(value, params.get("v", type), () -> type + " of " + text);
        }
      } catch (HttpError e) {
        boolean missing = type.isPrimitive() && text.isEmpty();
        String expected = missing ? "400 value.missing" : "400 value.invalid";
        assertEquals(expected, e.status() + " " + e.type());
        assertEchoIsShort(e);
      }
    }
  }

  private static void assertEchoIsShort(HttpError error) {
    String echo = String.valueOf(error.getMessage());
    assertTrue(echo.length() <= 6 * 64 + 200, echo);
    assertTrue(echo.chars().noneMatch(Character::isISOControl), echo);
    assertNotNull(error.field("errors"));
  }
}
