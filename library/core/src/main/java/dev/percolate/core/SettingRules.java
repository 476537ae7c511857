package dev.percolate.core;

import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The allowed values of each setting of the library. Includes settings of other modules, since an
 * application may set them before the classes that read them are loaded.
 */
final class SettingRules {

  /** Longer times overflow if they are converted to nanoseconds or added to the current time. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Rule FLAG = Rule.of("true or false", Boolean.class::isInstance);
  private static final Rule TOKEN =
      Rule.of("a cookie name", value -> value instanceof String s && HeaderText.isToken(s));
  private static final Rule TEXT =
      Rule.of("a non-empty string", value -> value instanceof String s && !s.isEmpty());

  private static final Rule TIME =
      Rule.of("a Duration from zero to 100 years", SettingRules::isTime);

  private static final Map<String, Rule> RULES =
      Map.ofEntries(
          rule("ambiguous targets", oneOf("normalise", "pass", "refuse")),
          rule("case sensitive routing", FLAG),
          rule("check responses", FLAG),
          rule("conditional requests", oneOf("standard", "express")),
          rule("content negotiation", oneOf("standard", "express")),
          rule("conversions", "Conversions", Conversions.class::isInstance),
          rule("cookie session name", TOKEN),
          rule("cookie signature", oneOf("bound", "express", "both")),
          rule("dotted folders", FLAG),
          rule("env", TEXT),
          rule("etag", (name, value) -> etag(value)),
          rule("etag hash", oneOf("crc", "md5")),
          rule("exact auth scheme", FLAG),
          rule("exact body names", FLAG),
          rule("slow request warning", TIME),
          rule("header encoding", oneOf("ascii", "latin1")),
          rule("json codec", "a JsonCodec", JsonCodec.class::isInstance),
          rule("json cookies", FLAG),
          rule("json escape", FLAG),
          rule("json lenient", FLAG),
          rule("json replacer", "a Replacer, a list of names or null", SettingRules::isReplacer),
          rule("json spaces", "a number of spaces, a string or null", SettingRules::isIndent),
          rule("jsonp callback name", TEXT),
          rule("lint ignore", "a string or a list of strings", SettingRules::isTexts),
          rule("logged response", oneOf("sent", "set")),
          rule("mime types", (name, value) -> mimeTypes(value)),
          rule("own defaults", FLAG),
          rule("powered by", "a header value", SettingRules::isHeaderValue),
          rule("server options", FLAG),
          rule("session name", TOKEN),
          rule("session resave", FLAG),
          rule("session overlap", TIME),
          rule("session same site", "one of lax, strict, none, false", SettingRules::isSite),
          rule("session save uninitialized", FLAG),
          rule("stack traces", oneOf("loopback", "all", "none")),
          rule("stream limit", SettingRules::bytes),
          rule("strict routing", FLAG),
          rule("subdomain offset", "a whole number of zero or more", SettingRules::isOffset),
          rule("title", "any value", value -> true),
          rule("trust proxy", SettingRules::trust),
          rule("validation", "a Validation", Validation.class::isInstance),
          rule("view cache", FLAG),
          rule(
              "view engine",
              "a file extension, or false or null for none",
              SettingRules::isExtension),
          rule("views", "a directory (String or Path) or null", SettingRules::isFolder),
          rule("x-powered-by", FLAG));

  /** Checks a value of a setting. */
  @FunctionalInterface
  private interface Rule {

    /** Returns the value to store, or throws an {@link IllegalArgumentException}. */
    @Nullable Object checked(String name, @Nullable Object value);

    static Rule of(String expected, Predicate<@Nullable Object> fits) {
      return (name, value) -> {
        if (!fits.test(value)) {
          throw rejection(name, value, "must be " + expected);
        }
        return value;
      };
    }
  }

  private SettingRules() {}

  private static Map.Entry<String, Rule> rule(String name, Rule rule) {
    return Map.entry(name, rule);
  }

  private static Map.Entry<String, Rule> rule(
      String name, String expected, Predicate<@Nullable Object> fits) {
    return rule(name, Rule.of(expected, fits));
  }

  /** Returns the names of all settings of the library. */
  static SortedSet<String> names() {
    return new TreeSet<>(RULES.keySet());
  }

  /**
   * Returns the value to store for a setting.
   *
   * @throws IllegalArgumentException if the setting belongs to the library and the value is invalid
   */
  static @Nullable Object checked(String name, @Nullable Object value) {
    Rule rule = RULES.get(name);
    return rule == null ? value : rule.checked(name, value);
  }

  private static IllegalArgumentException rejection(
      String name, @Nullable Object value, String reason) {
    String shown = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    return new IllegalArgumentException("set(\"" + name + "\", " + shown + "): " + reason);
  }

  private static Rule oneOf(String... values) {
    List<String> known = List.of(values);
    return Rule.of(
        "one of " + String.join(", ", known), value -> value != null && known.contains(value));
  }

  private static Object etag(@Nullable Object value) {
    Object given = value == null ? "null" : value;
    Object ignored = EntityTags.of(given, false);
    return given;
  }

  private static @Nullable Object mimeTypes(@Nullable Object value) {
    Object ignored = MimeTypes.of(value);
    return value;
  }

  private static @Nullable Object trust(String name, @Nullable Object value) {
    try {
      Object ignored = Trust.of(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "set(\"" + name + "\", " + value + "): " + e.getMessage(), e);
    }
  }

  /** Stores any whole number as a long, the type of the key. */
  private static Object bytes(String name, @Nullable Object value) {
    if (value instanceof Number number && isWhole(number) && number.longValue() >= 0) {
      return number.longValue();
    }
    throw rejection(name, value, "must be a number of bytes, zero or more");
  }

  private static boolean isWhole(Number value) {
    return Set.of(Long.class, Integer.class, Short.class, Byte.class).contains(value.getClass());
  }

  private static boolean isOffset(@Nullable Object value) {
    double number = value instanceof Number given ? given.doubleValue() : -1;
    return value == null || (number >= 0 && number == Math.rint(number));
  }

  private static boolean isTime(@Nullable Object value) {
    return value instanceof Duration time && !time.isNegative() && time.compareTo(LONGEST) <= 0;
  }

  private static boolean isReplacer(@Nullable Object value) {
    return value == null
        || value instanceof JsonCodec.Replacer
        || (value instanceof List<?> names && names.stream().allMatch(SettingRules::isName));
  }

  private static boolean isName(@Nullable Object value) {
    return value instanceof String || value instanceof Number;
  }

  private static boolean isIndent(@Nullable Object value) {
    return value == null || value instanceof Number || value instanceof String;
  }

  private static boolean isTexts(@Nullable Object value) {
    return value instanceof String
        || (value instanceof Collection<?> texts
            && texts.stream().allMatch(String.class::isInstance));
  }

  private static boolean isExtension(@Nullable Object value) {
    return value == null
        || value.equals(false)
        || (value instanceof String text && !text.equals(".") && !text.contains("/"));
  }

  private static boolean isFolder(@Nullable Object value) {
    return value == null
        || value instanceof Path
        || (value instanceof String text && !text.isEmpty());
  }

  private static boolean isSite(@Nullable Object value) {
    return Boolean.FALSE.equals(value)
        || (value instanceof String text
            && List.of("lax", "strict", "none", "false").contains(text.toLowerCase(Locale.ROOT)));
  }

  private static boolean isHeaderValue(@Nullable Object value) {
    if (!(value instanceof String text)) {
      return false;
    }
    try {
      return Headers.of("X-Powered-By", text).size() == 1;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
