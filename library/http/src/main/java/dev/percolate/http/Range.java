package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a {@code Range} header (RFC 9110 section 14.2), limited to the size of the content.
 *
 * @param unit the text before the first {@code =}, such as {@code bytes}
 * @param code 0 for ranges, {@link #UNSATISFIABLE} or {@link #MALFORMED}
 * @param parts the ranges in header order; empty if the code is not 0, or for a suffix of empty
 *     content
 */
public record Range(String unit, int code, List<Part> parts) {
  /** The code for a header with an invalid range, or with no satisfiable range. */
  public static final int UNSATISFIABLE = -1;

  /** The code for a header without {@code =}. */
  public static final int MALFORMED = -2;

  /** A first position with an optional last one, or the length of a suffix. */
  private static final Pattern SPEC = Pattern.compile("[0-9]+-[0-9]*|-[0-9]+");

  /**
   * Creates an immutable value.
   *
   * @param unit the text before the first {@code =}, such as {@code bytes}
   * @param code 0 for ranges, {@link #UNSATISFIABLE} or {@link #MALFORMED}
   * @param parts the ranges in header order
   */
  public Range {
    parts = List.copyOf(parts);
  }

  /**
   * Parses a {@code Range} header. Ranges outside the size are omitted if at least one range is
   * satisfiable. A suffix longer than the size is the whole content.
   *
   * @param header the value of the header, or null
   * @param size the total number of units, such as bytes
   * @return the ranges or a code; null if the header is absent or empty
   */
  public static @Nullable Range parse(@Nullable String header, long size) {
    return parse(header, size, false);
  }

  /**
   * Parses a {@code Range} header like Express 3: one invalid range makes all ranges unsatisfiable.
   */
  static @Nullable Range parseAsExpress(@Nullable String header, long size) {
    return parse(header, size, true);
  }

  private static @Nullable Range parse(@Nullable String header, long size, boolean express) {
    if (header == null || header.isEmpty()) {
      return null;
    }
    int equals = header.indexOf('=');
    if (equals < 0) {
      return new Range("", MALFORMED, List.of());
    }
    String specs = header.substring(equals + 1);
    List<Part> parts = express ? expressParts(specs, size) : parts(specs, size);
    String unit = header.substring(0, equals);
    return parts == null ? new Range(unit, UNSATISFIABLE, List.of()) : new Range(unit, 0, parts);
  }

  /** Returns the ranges; null if one is invalid, or none is satisfiable. */
  private static @Nullable List<Part> parts(String specs, long size) {
    boolean satisfiable = false;
    List<Part> parts = new ArrayList<>();
    for (String spec : ListText.elements(specs)) {
      int dash = spec.indexOf('-');
      if (!SPEC.matcher(spec).matches()) {
        return null;
      }
      long first = LeadingNumber.parseDigits(spec.substring(0, dash));
      long last = LeadingNumber.parseDigits(spec.substring(dash + 1));
      if (first >= 0 && last >= 0 && last < first) {
        return null;
      }
      long start = first < 0 ? Math.max(0, size - last) : first;
      long end = first < 0 || last < 0 ? size - 1 : Math.min(last, size - 1);
      satisfiable |= first < 0 ? last > 0 : first < size;
      if (start <= end) {
        parts.add(new Part(start, end));
      }
    }
    return satisfiable ? parts : null;
  }

  private static @Nullable List<Part> expressParts(String specs, long size) {
    List<Part> parts = new ArrayList<>();
    for (String text : specs.split(",", -1)) {
      Part part = part(text, size);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  private static @Nullable Part part(String text, long size) {
    int dash = text.indexOf('-');
    int second = dash < 0 ? -1 : text.indexOf('-', dash + 1);
    int lastEnd = second < 0 ? text.length() : second;
    long first = LeadingNumber.parseDigits(dash < 0 ? text : text.substring(0, dash));
    long last = dash < 0 ? -1 : LeadingNumber.parseDigits(text.substring(dash + 1, lastEnd));
    if (first < 0 && last < 0) {
      return null;
    }
    long start = first < 0 ? size - last : first;
    long end = first < 0 || last < 0 ? size - 1 : Math.min(last, size - 1);
    return start < 0 || start > end ? null : new Part(start, end);
  }

  /**
   * One range.
   *
   * @param start the first position, from 0
   * @param end the last position, inclusive
   */
  public record Part(long start, long end) {}
}
