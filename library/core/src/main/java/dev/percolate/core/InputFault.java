package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A fault in the input of a client: a value that is missing or invalid. JSON bodies, forms,
 * queries, paths, headers and cookies report faults in the same form, as entries of the field
 * {@code errors} of an {@link HttpError}:
 *
 * <pre>
 *   pointer     the JSON pointer (RFC 6901) in a body, such as /lines/0/price; empty for the whole
 *   parameter   for all other input: the name, such as page or lines[0][price]
 *   code        value.missing, value.invalid, value.unknown or value.constraint
 *   detail      the cause, for the client, such as "expected a number"
 * </pre>
 *
 * <p>An entry has either a pointer or a parameter. A body that cannot be read at all is an error
 * without entries.
 *
 * @param kind the kind of the value
 * @param name its name, or its pointer
 * @param code the code, for programs
 * @param detail the cause, as the end of a sentence
 */
public record InputFault(InputKind kind, String name, String code, String detail) {

  /** The code of a required value that is absent or null. */
  public static final String MISSING = "value.missing";

  /** The code of a value of the wrong type or format. */
  public static final String INVALID = "value.invalid";

  /** The code of a property or parameter that is not declared. */
  public static final String UNKNOWN = "value.unknown";

  /** The code of a value of the right type that violates a constraint. */
  public static final String CONSTRAINT = "value.constraint";

  private static final int MOST_IN_TEXT = 3;

  /**
   * Returns the faults of an error.
   *
   * @param error the error
   * @param kind the kind of the values
   * @return the faults; none if the error has no entries
   */
  public static List<InputFault> of(HttpError error, InputKind kind) {
    return error.field("errors") instanceof List<?> entries
        ? entries.stream()
            .filter(Map.class::isInstance)
            .map(entry -> of((Map<?, ?>) entry, kind))
            .toList()
        : List.of();
  }

  private static InputFault of(Map<?, ?> entry, InputKind kind) {
    return new InputFault(
        kind,
        String.valueOf(entry.get(kind.label())),
        String.valueOf(entry.get("code")),
        String.valueOf(entry.get("detail")));
  }

  /**
   * Creates an error that reports faults.
   *
   * @param status the status code
   * @param type the type of the error
   * @param faults the faults
   */
  public static HttpError error(int status, String type, List<InputFault> faults) {
    String text = text(faults.stream().map(InputFault::toString).toList(), faults.size());
    return new HttpError(status, text, type, null)
        .with("detail", text)
        .with("errors", faults.stream().map(InputFault::entry).toList());
  }

  /** Returns the entry that the client gets. */
  public Map<String, Object> entry() {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put(kind.label(), name);
    entry.put("code", code);
    entry.put("detail", detail);
    return entry;
  }

  /** Returns the fault as a sentence: {@code query parameter "page": expected a number}. */
  @Override
  public String toString() {
    boolean verb = detail.startsWith("is ") || detail.startsWith("does ");
    return kind.place(name) + (verb ? " " : ": ") + detail;
  }

  /**
   * Joins the first of some sentences.
   *
   * @param count how many faults there are
   */
  static String text(List<String> sentences, int count) {
    String text = sentences.stream().limit(MOST_IN_TEXT).collect(Collectors.joining("; "));
    return count > MOST_IN_TEXT ? text + "; and " + (count - MOST_IN_TEXT) + " more" : text;
  }
}
