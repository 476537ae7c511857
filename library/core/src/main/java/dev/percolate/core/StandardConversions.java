package dev.percolate.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The conversions of every application. They check the length of a string before its characters,
 * and read each character once.
 */
final class StandardConversions {

  private static final int MOST_DIGITS = 1000;
  private static final int MOST_EXPONENT = 1000;

  /** More than the longest string that {@code java.time} writes. */
  private static final int LONGEST_TIME = 100;

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]++");
  private static final Pattern DECIMAL =
      Pattern.compile("-?[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?0*[0-9]{1,4})?");

  private StandardConversions() {}

  static Map<Class<?>, Conversion> all() {
    Map<Class<?>, Conversion> all = new HashMap<>();
    whole(all, Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE, Byte::valueOf);
    whole(all, Short.class, Short.MIN_VALUE, Short.MAX_VALUE, Short::valueOf);
    whole(all, Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer::valueOf);
    whole(all, Long.class, Long.MIN_VALUE, Long.MAX_VALUE, Long::valueOf);
    add(all, BigInteger.class, "a whole number", text -> new BigInteger(number(text, WHOLE)));
    add(all, BigDecimal.class, "a number", StandardConversions::exact);
    add(all, Double.class, "a number", text -> finite(Double.valueOf(number(text, DECIMAL))));
    add(all, Float.class, "a number", text -> finite(Float.valueOf(number(text, DECIMAL))));
    add(all, Boolean.class, "true or false", StandardConversions::truth);
    add(all, String.class, "a string", text -> text);
    add(all, Character.class, "one character", StandardConversions::character);
    add(all, UUID.class, "a UUID", StandardConversions::uuid);
    add(all, URI.class, "a URI", URI::create);
    times(all);
    return all;
  }

  private static void times(Map<Class<?>, Conversion> all) {
    time(all, Instant.class, "a time such as 2026-01-02T03:04:05Z", Instant::parse);
    time(
        all,
        OffsetDateTime.class,
        "a time such as 2026-01-02T03:04:05+01:00",
        OffsetDateTime::parse);
    time(
        all, ZonedDateTime.class, "a time such as 2026-01-02T03:04:05+01:00", ZonedDateTime::parse);
    time(all, LocalDateTime.class, "a time such as 2026-01-02T03:04:05", LocalDateTime::parse);
    time(all, LocalDate.class, "a date such as 2026-01-02", LocalDate::parse);
    time(all, LocalTime.class, "a time of day such as 03:04:05", LocalTime::parse);
    time(all, OffsetTime.class, "a time of day such as 03:04:05+01:00", OffsetTime::parse);
    time(all, Duration.class, "a duration such as PT1H30M", Duration::parse);
    time(all, Period.class, "a period such as P1M2D", Period::parse);
    time(all, Year.class, "a year such as 2026", Year::parse);
    time(all, YearMonth.class, "a month such as 2026-01", YearMonth::parse);
    time(all, MonthDay.class, "a day such as --01-02", MonthDay::parse);
    time(all, ZoneId.class, "a time zone such as Europe/Berlin", ZoneId::of);
    time(all, ZoneOffset.class, "an offset such as +01:00", ZoneOffset::of);
  }

  private static <T> void add(
      Map<Class<?>, Conversion> all, Class<T> type, String wanted, Function<String, T> reading) {
    all.put(type, new Conversion(wanted, reading));
  }

  private static <T> void whole(
      Map<Class<?>, Conversion> all,
      Class<T> type,
      long least,
      long most,
      Function<String, T> reading) {
    String wanted = "a whole number from " + least + " to " + most;
    add(all, type, wanted, text -> reading.apply(number(text, WHOLE)));
  }

  private static <T> void time(
      Map<Class<?>, Conversion> all, Class<T> type, String wanted, Function<String, T> reading) {
    add(all, type, wanted, text -> reading.apply(within(text, LONGEST_TIME)));
  }

  /** Returns a value, or rejects the string if it is invalid. */
  private static <T> T valid(boolean isValid, T value) {
    if (!isValid) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static String within(String text, int longest) {
    return valid(text.length() <= longest, text);
  }

  /** Returns a string if it is a number. The parsers of the JDK accept more than numbers. */
  private static String number(String text, Pattern form) {
    return valid(form.matcher(within(text, MOST_DIGITS)).matches(), text);
  }

  private static BigDecimal exact(String text) {
    // With a large exponent, later code could write out a million zeros.
    String number = number(text, DECIMAL);
    return new BigDecimal(valid(exponent(number) <= MOST_EXPONENT, number));
  }

  private static int exponent(String text) {
    int e = Math.max(text.indexOf('e'), text.indexOf('E'));
    return e < 0 ? 0 : Math.abs(Integer.parseInt(text.substring(e + 1)));
  }

  private static <N extends Number> N finite(N value) {
    return valid(!Double.isInfinite(value.doubleValue()), value);
  }

  private static Boolean truth(String text) {
    return switch (within(text, 5).toLowerCase(Locale.ROOT)) {
      case "true", "on", "1" -> true;
      case "false", "off", "0" -> false;
      default -> throw new IllegalArgumentException();
    };
  }

  private static Character character(String text) {
    return valid(text.length() == 1, text).charAt(0);
  }

  private static UUID uuid(String text) {
    UUID value = UUID.fromString(within(text, 36));
    // The JDK also accepts shorter groups.
    return valid(value.toString().equalsIgnoreCase(text), value);
  }
}
