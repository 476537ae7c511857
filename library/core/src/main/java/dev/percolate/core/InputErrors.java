package dev.percolate.core;

import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the errors in the input of a request, so that the client gets all of them at once.
 *
 * <p>{@link #error} creates one {@link HttpError} 400 of type {@code value.invalid}. Its field
 * {@code errors} has an entry for each {@link InputError}, 50 at most. Its message names the first
 * three errors and the beginning of the values; its field {@code detail} names them without values.
 */
public final class InputErrors {

  private static final int MOST = 50;
  private static final int MOST_ECHOED = 64;

  private final InputSource source;
  private final BooleanSupplier shows;
  private final boolean lenient;
  private final List<InputError> errors = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private int count;
  private @Nullable Throwable rejection;

  /**
   * Creates an empty collection.
   *
   * @param shows returns whether the client may see the message of an exception from a constructor;
   *     called only for such an exception
   * @param lenient whether components of records may be absent
   */
  InputErrors(InputSource source, BooleanSupplier shows, boolean lenient) {
    this.source = source;
    this.shows = shows;
    this.lenient = lenient;
  }

  /** Returns true if there are no errors. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Returns true if there are 50 errors. Further errors are counted, but not reported. */
  public boolean isFull() {
    return count >= MOST;
  }

  /**
   * Returns true if values are read leniently; see {@link Settings#JSON_LENIENT}.
   *
   * @return false if an absent component of a record is an error
   */
  public boolean lenient() {
    return lenient;
  }

  /**
   * Adds a required value that is absent.
   *
   * @param name the name or pointer of the value
   */
  public void missing(String name) {
    add(name, InputError.MISSING, "is missing", null);
  }

  /**
   * Adds an invalid value.
   *
   * @param name the name or pointer of the value; empty for the whole input
   * @param expected a description of valid values; null if unknown
   * @param value the invalid value; null if it is not text, or must not be repeated to the client
   */
  public void invalid(String name, @Nullable String expected, @Nullable String value) {
    String detail = expected == null ? "is invalid" : "expected " + expected;
    add(name, InputError.INVALID, detail, value);
  }

  /**
   * Adds a value whose name is not declared.
   *
   * @param name the name or pointer of the value
   */
  public void unknown(String name) {
    add(name, InputError.UNKNOWN, "is not known", null);
  }

  /**
   * Adds a value that the constructor of a type has rejected. Only developers see the message of
   * the exception ({@link ErrorResponse#showsTraces}), because its content is unknown.
   *
   * @param name the name or pointer of the value; empty for the whole input
   * @param by the exception
   */
  public void rejected(String name, Throwable by) {
    String message = shows.getAsBoolean() ? by.getMessage() : null;
    String detail = message == null ? "is invalid" : "is invalid (" + message + ")";
    add(name, InputError.INVALID, detail, null);
    rejection = by;
  }

  /**
   * Creates the error to throw.
   *
   * @return a 400 error of type {@code value.invalid}
   */
  public HttpError error() {
    return error(InputError.INVALID);
  }

  /** Creates the error of a single value, whose code is also the type of the error. */
  HttpError single() {
    return error(errors.get(0).code());
  }

  private HttpError error(String type) {
    String detail = InputError.text(errors.stream().map(InputError::toString).toList(), count);
    String message = InputError.text(messages, count);
    return InputError.error(400, type, message, detail, rejection, errors);
  }

  private void add(String name, String code, String detail, @Nullable String value) {
    // Many errors of a small request must not create a large response.
    if (count++ < MOST) {
      InputError error = new InputError(source, name, code, detail);
      errors.add(error);
      messages.add(
          value == null
              ? error.toString()
              : error + ", not \"" + LogText.escape(beginning(value)) + "\"");
    }
  }

  private static String beginning(String text) {
    if (text.length() <= MOST_ECHOED) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(MOST_ECHOED - 1));
    return text.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED);
  }
}
