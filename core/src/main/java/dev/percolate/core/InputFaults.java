package dev.percolate.core;

import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with the values that a client has sent, so that it hears of all at once.
 *
 * <p>{@link #error} gives one {@link HttpError} 400 of type {@code value.invalid}. Its field {@code
 * errors} is a list with a map for each fault, of 50 at most:
 *
 * <pre>
 *   name      the name, such as lines[0][price]; of JSON pointer, such as /lines/0/price (RFC 6901)
 *   code      value.missing or value.invalid
 *   place     name and kind of the value: form field "lines[0][price]"
 *   expected  what was wanted, if that is known
 *   detail    a sentence of these
 *   value     the beginning of what came instead, 64 characters at most, if that is a text
 * </pre>
 *
 * <p>It belongs to one request.
 */
public final class InputFaults {

  private static final int MOST = 50;
  private static final int MOST_IN_MESSAGE = 3;
  private static final int MOST_ECHOED = 64;

  private final InputKind kind;
  private final BooleanSupplier shows;
  private final boolean lenient;
  private final List<Map<String, Object>> errors = new ArrayList<>();
  private int count;
  private @Nullable Throwable refusal;

  /**
   * Creates an empty collection.
   *
   * @param shows whether the client may see what a constructor says; asked if one says anything
   * @param lenient whether components of records may be absent
   */
  InputFaults(InputKind kind, BooleanSupplier shows, boolean lenient) {
    this.kind = kind;
    this.shows = shows;
    this.lenient = lenient;
  }

  /** Tells whether there are none. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Tells whether components of records may be absent; see {@link Settings#JSON_LENIENT}.
   *
   * @return false if their absence is a fault
   */
  public boolean lenient() {
    return lenient;
  }

  /**
   * Adds a value that is not there.
   *
   * @param name its name, or pointer
   * @param expected what was wanted; null if that is not known
   */
  public void missing(String name, @Nullable String expected) {
    String head = kind.place(name) + " is missing";
    add(name, "value.missing", expected == null ? head : head + ": expected " + expected, expected);
  }

  /**
   * Adds a value that does not fit.
   *
   * @param name its name, or pointer; empty for the whole
   * @param expected what was wanted; null if that is not known
   * @param value what came instead; null if it is no text, or must not be repeated
   */
  public void invalid(String name, @Nullable String expected, @Nullable String value) {
    String head = kind.place(name);
    String detail = expected == null ? head + " does not fit" : head + ": expected " + expected;
    Map<String, Object> error = add(name, "value.invalid", detail, expected);
    if (value != null) {
      error.put("value", LogText.escape(beginning(value)));
    }
  }

  /**
   * Adds a value that the constructor of a record, or the like, has refused. What it says reaches
   * developers only ({@link FinalHandler#showsTraces}), since it is not known what is in it.
   *
   * @param name the name of the record, or pointer; empty for the whole
   * @param by what it has thrown
   */
  public void refused(String name, Throwable by) {
    String message = shows.getAsBoolean() ? by.getMessage() : null;
    String detail = kind.place(name) + " does not fit";
    add(name, "value.invalid", message == null ? detail : detail + " (" + message + ")", null);
    refusal = by;
  }

  /**
   * Creates the error to throw.
   *
   * @return an error 400 of type {@code value.invalid}
   */
  public HttpError error() {
    return error("value.invalid");
  }

  /** Creates the error of a single value, whose fields are also those of the error. */
  HttpError single() {
    Map<String, Object> only = errors.get(0);
    HttpError error = error(String.valueOf(only.get("code")));
    for (String field : List.of("place", "expected", "value")) {
      error.with(field, only.get(field));
    }
    return error;
  }

  private HttpError error(String type) {
    return new HttpError(400, text(true), type, refusal)
        .with("detail", text(false))
        .with("errors", List.copyOf(errors));
  }

  /** Returns a sentence on the first faults; only for the log with what the client has sent. */
  private String text(boolean echoes) {
    String text =
        errors.stream()
            .limit(MOST_IN_MESSAGE)
            .map(error -> sentence(error, echoes))
            .collect(Collectors.joining("; "));
    return count > MOST_IN_MESSAGE ? text + "; and " + (count - MOST_IN_MESSAGE) + " more" : text;
  }

  private static String sentence(Map<String, Object> error, boolean echoes) {
    Object value = error.get("value");
    String detail = String.valueOf(error.get("detail"));
    return echoes && value != null ? detail + ", not \"" + value + "\"" : detail;
  }

  private Map<String, Object> add(
      String name, String code, String detail, @Nullable String expected) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put(kind.label(), name);
    error.put("code", code);
    error.put("place", kind.place(name));
    if (expected != null) {
      error.put("expected", expected);
    }
    error.put("detail", detail);
    // Many faults of a small request must not make a large answer.
    if (count++ < MOST) {
      errors.add(error);
    }
    return error;
  }

  private static String beginning(String text) {
    if (text.length() <= MOST_ECHOED) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MOST_ECHOED - 1));
    return text.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED);
  }
}
