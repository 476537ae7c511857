package dev.percolate.json;

import dev.percolate.core.InputFaults;
import dev.percolate.http.HttpError;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Says whose fault it is that a text was not read to a type: that of the one who wrote the text, or
 * of the one who wrote the type.
 *
 * <p>A type that nothing can be read to is its author's fault, and so is what its constructors and
 * setters throw, unless they throw it to refuse what they were given: an {@link
 * IllegalArgumentException}, a {@link NullPointerException} of {@link
 * java.util.Objects#requireNonNull} or with a message of its own, or an {@link HttpError}.
 */
final class Misfit {

  private Misfit() {}

  /**
   * Creates the exception to throw.
   *
   * @param failure what Jackson threw
   * @param type the type that was to be read
   * @param written returns the JSON value that a constant is written as
   * @return an {@link IllegalArgumentException} that names neither a class nor the value, if the
   *     text is at fault; an {@link HttpError} as it was thrown; else an {@link
   *     IllegalStateException} that names the type and the reason
   */
  static RuntimeException of(
      JacksonException failure, Type type, Function<Object, @Nullable Object> written) {
    RuntimeException other = other(failure, type);
    return other == null ? misfit(failure, written) : other;
  }

  /**
   * Throws what is no fault of a value: the text is no JSON, or the type or its code is at fault.
   */
  static void throwOthers(JacksonException failure, Type type) {
    RuntimeException other = other(failure, type);
    if (other != null) {
      throw other;
    }
    if (!isOfAValue(failure)) {
      throw new IllegalArgumentException(
          "JSON: " + failure.getOriginalMessage() + place(failure), failure);
    }
  }

  /**
   * Notes a value that does not fit.
   *
   * @param at the pointer of what was read
   * @return whether code of the type has refused it
   */
  static boolean note(
      JacksonException failure,
      String at,
      Function<Object, @Nullable Object> written,
      InputFaults faults) {
    String pointer = at + path(failure);
    Throwable thrown = thrownByType(failure);
    if (thrown != null) {
      faults.refused(pointer, thrown);
    } else if (failure instanceof UnrecognizedPropertyException) {
      faults.unknown(pointer);
    } else if (failure instanceof InvalidNullException) {
      faults.missing(pointer);
    } else {
      faults.invalid(pointer, Expectation.of(failure, written), null);
    }
    return thrown != null;
  }

  /** Returns whether it is the only one to report a fault that a walk by values does not find. */
  static boolean isUnexplained(JacksonException failure) {
    return thrownByType(failure) != null || failure instanceof UnrecognizedPropertyException;
  }

  /** Returns what to throw if it is the fault of the type; null if not. */
  private static @Nullable RuntimeException other(JacksonException failure, Type type) {
    Throwable thrown = thrownByType(failure);
    if (thrown instanceof HttpError error) {
      return error;
    }
    if (failure instanceof InvalidDefinitionException) {
      return unreadable(type, path(failure), failure.getOriginalMessage(), failure);
    }
    return thrown != null && !isRefusal(thrown)
        ? unreadable(type, path(failure), thrown.toString(), thrown)
        : null;
  }

  private static IllegalArgumentException misfit(
      JacksonException failure, Function<Object, @Nullable Object> written) {
    Throwable thrown = thrownByType(failure);
    return new IllegalArgumentException(
        "JSON: " + what(failure, thrown, written) + place(failure), failure);
  }

  private static boolean isOfAValue(JacksonException failure) {
    return failure instanceof DatabindException || failure instanceof InputCoercionException;
  }

  /** Creates the exception of a type that Jackson refuses before it looks at any text. */
  static IllegalStateException unreadable(Type type, Throwable why) {
    return unreadable(type, "", why.toString(), why);
  }

  private static IllegalStateException unreadable(
      Type type, String path, @Nullable String reason, Throwable cause) {
    String place = path.isEmpty() ? "" : path + ": ";
    return new IllegalStateException(
        "JSON: " + type.getTypeName() + " cannot be read: " + place + reason, cause);
  }

  /** Returns what a constructor, a setter or the like threw; null if Jackson itself complains. */
  private static @Nullable Throwable thrownByType(JacksonException failure) {
    if (failure instanceof MismatchedInputException || failure instanceof StreamReadException) {
      return null; // a cause of these is what a parser of the JDK said of the client's text
    }
    Throwable thrown = failure.getCause();
    while (thrown instanceof JacksonException) {
      thrown = thrown.getCause();
    }
    return thrown;
  }

  private static boolean isRefusal(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        || (thrown instanceof NullPointerException && isThrownOnPurpose(thrown));
  }

  /** Tells an exception for a null that was refused from one of code that stumbled over it. */
  private static boolean isThrownOnPurpose(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    if (frames.length > 0 && frames[0].getClassName().equals("java.util.Objects")) {
      return true;
    }
    String message = thrown.getMessage();
    // So begin all messages that the JVM itself makes (JEP 358).
    return message != null && !message.startsWith("Cannot ");
  }

  private static @Nullable String what(
      JacksonException failure,
      @Nullable Throwable thrown,
      Function<Object, @Nullable Object> written) {
    if (!isOfAValue(failure)) {
      return failure.getOriginalMessage();
    }
    StringBuilder what = new StringBuilder("the value");
    String path = path(failure);
    if (!path.isEmpty()) {
      what.append(" of ").append(path);
    }
    what.append(" does not fit");
    // What a constructor of the user says is meant to be read.
    String expected = Expectation.of(failure, written);
    String why =
        thrown != null ? thrown.getMessage() : expected == null ? null : "expected " + expected;
    if (why != null) {
      what.append(" (").append(why).append(')');
    }
    return what.toString();
  }

  /** Returns where in the value it is as RFC 6901 says, {@code /lines/0}; empty for the whole. */
  private static String path(JacksonException failure) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : failure.getPath()) {
      String name = step.getPropertyName();
      path.append(name == null ? "/" + step.getIndex() : Pointer.step(name));
    }
    return path.toString();
  }

  private static String place(JacksonException failure) {
    TokenStreamLocation location = failure.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
