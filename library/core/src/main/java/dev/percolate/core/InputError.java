package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An error in the input of a client: a value that is missing or invalid. JSON bodies, forms,
 * queries, paths, headers and cookies report errors in the same form, as entries of the field
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
 * @param source the kind of the value
 * @param name its name, or its pointer
 * @param code the code, for programs
 * @param detail the cause, as the end of a sentence
 */
public record InputError(InputSource source, String name, String code, String detail) {

  /** The code of a required value that is absent or null. */
  public static final String MISSING = "value.missing";

  /** The code of a value of the wrong type or format. */
  public static final String INVALID = "value.invalid";

  /** The code of a property or parameter that is not declared. */
  public static final String UNKNOWN = "value.unknown";

  /** The code of a value of the right type that violates a constraint. */
  public static final String CONSTRAINT = "value.constraint";

  private static final int MOST_IN_TEXT = 3;
  private static final Pattern INDEX = Pattern.compile("[0-9]+");

  /**
   * Returns the input errors that an HTTP error reports.
   *
   * @param error the error
   * @return the errors; none if the error has no entries
   */
  public static List<InputError> of(HttpError error) {
    return error instanceof Rejection rejection ? rejection.errors : List.of();
  }

  /**
   * Returns the details of the input errors of each {@link #field}, for error handlers that send
   * them in another format, such as {@code {"errors": {"email": ["is missing"]}}}:
   *
   * <pre>{@code
   * app.use(ErrorHandler.of(HttpError.class, (error, req, res, next) ->
   *     res.json(error.status(), Map.of("errors", InputError.byField(error)))));
   * }</pre>
   *
   * @param error the error
   * @return the details by name of the field; none if the error has no entries
   */
  public static Map<String, List<String>> byField(HttpError error) {
    return of(error).stream()
        .collect(
            Collectors.groupingBy(
                InputError::field,
                TreeMap::new,
                Collectors.mapping(InputError::detail, Collectors.toList())));
  }

  /**
   * Creates an HTTP error that reports input errors.
   *
   * @param status the status code
   * @param type the type of the error
   * @param errors the errors
   */
  public static HttpError error(int status, String type, List<InputError> errors) {
    String text = text(errors.stream().map(InputError::toString).toList(), errors.size());
    return error(status, type, text, text, null, errors);
  }

  /**
   * Creates an HTTP error that reports input errors.
   *
   * @param message the first errors, perhaps with values
   * @param detail the first errors, without values
   * @param cause the exception of a constructor that has rejected values; null for none
   */
  static HttpError error(
      int status,
      String type,
      String message,
      String detail,
      @Nullable Throwable cause,
      List<InputError> errors) {
    return new Rejection(status, type, message, cause, errors)
        .with("detail", detail)
        .with("errors", errors.stream().map(InputError::entry).toList());
  }

  /**
   * Returns the name of the field, without the names around it: {@code price} for {@code
   * /lines/0/price} and for {@code lines[0][price]}. For an item of a list, the name of the list.
   *
   * @return the name; empty for the whole body
   */
  public String field() {
    boolean pointer = source == InputSource.JSON;
    String field = "";
    for (String step : name.split(pointer ? "/" : "[\\[\\]]", -1)) {
      if (!step.isEmpty() && !INDEX.matcher(step).matches()) {
        field = step;
      }
    }
    return pointer ? field.replace("~1", "/").replace("~0", "~") : field;
  }

  /** Returns the entry that the client gets. */
  public Map<String, Object> entry() {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put(source.label(), name);
    entry.put("code", code);
    entry.put("detail", detail);
    return entry;
  }

  /** Returns the error as a sentence: {@code query parameter "page": expected a number}. */
  @Override
  public String toString() {
    boolean verb = detail.startsWith("is ") || detail.startsWith("does ");
    return source.place(name) + (verb ? " " : ": ") + detail;
  }

  /**
   * Joins the first of some sentences.
   *
   * @param count how many errors there are
   */
  static String text(List<String> sentences, int count) {
    String text = sentences.stream().limit(MOST_IN_TEXT).collect(Collectors.joining("; "));
    return count > MOST_IN_TEXT ? text + "; and " + (count - MOST_IN_TEXT) + " more" : text;
  }

  /** An HTTP error with the input errors that it reports. */
  private static final class Rejection extends HttpError {

    private static final long serialVersionUID = 1L;

    private final transient List<InputError> errors;

    Rejection(
        int status,
        String type,
        String message,
        @Nullable Throwable cause,
        List<InputError> errors) {
      super(status, message, type, cause);
      this.errors = List.copyOf(errors);
    }

    /** Returns the name of the public class, for logs. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // only the class is another one
    public String toString() {
      return HttpError.class.getName() + ": " + getMessage();
    }
  }
}
