package dev.percolate.json;

import dev.percolate.core.InputErrors;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Decides why JSON could not be read as a type: the JSON is invalid, or the type is.
 *
 * <p>The type is invalid if nothing can be read as it, or if its constructors and setters throw.
 * But they may throw to reject a value: an {@link IllegalArgumentException}, a {@link
 * NullPointerException} of {@link java.util.Objects#requireNonNull} or with a custom message, or an
 * {@link HttpError}.
 */
final class TypeMismatch {
  private static final int MOST_POINTED = 64;

  /** The start of Jackson's message about a class that it cannot create. */
  private static final String NO_CREATOR = "Cannot construct instance of ";

  private TypeMismatch() {}

  /**
   * Creates the exception to throw.
   *
   * @param failure the exception of Jackson
   * @param type the type to read
   * @param written returns the JSON value that a constant is written as
   * @return an {@link IllegalArgumentException} that names neither a class nor the value, if the
   *     JSON is invalid; an {@link HttpError} that was thrown; otherwise an {@link
   *     IllegalStateException} that names the type and the reason
   */
  static RuntimeException of(
      JacksonException failure, Type type, Function<Object, @Nullable Object> written) {
    RuntimeException other = other(failure, type);
    return other != null
        ? other
        : new IllegalArgumentException("JSON: " + what(failure, written) + place(failure), failure);
  }

  /**
   * Throws an exception unless a value is invalid: if the JSON is malformed, or the type or its
   * code fails.
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
   * Records an invalid value.
   *
   * @param at the pointer of the value that was read
   * @return true if code of the type has rejected it
   */
  static boolean note(
      JacksonException failure,
      String at,
      Function<Object, @Nullable Object> written,
      InputErrors errors) {
    String pointer = at + path(failure);
    Throwable thrown = thrownByType(failure);
    if (thrown != null) {
      errors.rejected(pointer, thrown);
    } else if (failure instanceof UnrecognizedPropertyException) {
      errors.unknown(pointer);
    } else if (failure instanceof InvalidNullException) {
      errors.missing(pointer);
    } else {
      errors.invalid(pointer, Expectation.of(failure, written), null);
    }
    return thrown != null;
  }

  /** Returns true if visiting the values again does not find the error. */
  static boolean isUnexplained(JacksonException failure) {
    return thrownByType(failure) != null || failure instanceof UnrecognizedPropertyException;
  }

  /** Returns the exception if the type is invalid; null if it is not. */
  private static @Nullable RuntimeException other(JacksonException failure, Type type) {
    Throwable thrown = thrownByType(failure);
    if (thrown instanceof HttpError error) {
      return error;
    }
    if (failure instanceof InvalidDefinitionException definition) {
      String reason = String.valueOf(failure.getOriginalMessage());
      String cure = reason.startsWith(NO_CREATOR) ? cure(definition.getType()) : "";
      return unreadable(type, LogText.escape(path(failure)), reason + cure, failure);
    }
    return thrown != null && !isRejection(thrown)
        ? unreadable(type, LogText.escape(path(failure)), thrown.toString(), thrown)
        : null;
  }

  /** Returns advice on how to make a class readable, to append to a message. */
  private static String cure(@Nullable JavaType type) {
    if (type == null) {
      return "";
    } else if (RequiredComponents.isKotlin(type.getRawClass())) {
      return ". Kotlin classes need the dependency tools.jackson.module:jackson-module-kotlin;"
          + " create your own mapper with jacksonMapperBuilder().";
    } else if (type.isAbstract()) {
      return ". Use a class, or name its subclasses with @JsonSubTypes.";
    }
    return ". Use a record, or annotate a constructor with @JsonCreator.";
  }

  private static boolean isOfAValue(JacksonException failure) {
    return failure instanceof DatabindException || failure instanceof InputCoercionException;
  }

  /** Creates the exception for a type that Jackson rejects before it reads any JSON. */
  static IllegalStateException unreadable(Type type, Throwable why) {
    return unreadable(type, "", why.toString(), why);
  }

  private static IllegalStateException unreadable(
      Type type, String path, @Nullable String reason, Throwable cause) {
    String place = path.isEmpty() ? "" : path + ": ";
    return new IllegalStateException(
        "JSON: " + type.getTypeName() + " cannot be read: " + place + reason, cause);
  }

  /** Returns what a constructor or setter has thrown; null if the failure is Jackson's own. */
  private static @Nullable Throwable thrownByType(JacksonException failure) {
    if (failure instanceof MismatchedInputException || failure instanceof StreamReadException) {
      return null; // causes of these are parse errors of the JDK for the client's text
    }
    Throwable thrown = failure.getCause();
    while (thrown instanceof JacksonException) {
      thrown = thrown.getCause();
    }
    return thrown;
  }

  private static boolean isRejection(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        || (thrown instanceof NullPointerException && isThrownOnPurpose(thrown));
  }

  /** Returns true if an exception was thrown to reject null, not by accident. */
  private static boolean isThrownOnPurpose(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    if (frames.length > 0 && frames[0].getClassName().equals("java.util.Objects")) {
      return true;
    }
    String message = thrown.getMessage();
    // All messages of the JVM begin with this (JEP 358).
    return message != null && !message.startsWith("Cannot ");
  }

  private static @Nullable String what(
      JacksonException failure, Function<Object, @Nullable Object> written) {
    if (!isOfAValue(failure)) {
      return failure.getOriginalMessage();
    }
    StringBuilder what = new StringBuilder("the value");
    String path = path(failure);
    if (!path.isEmpty()) {
      what.append(" of ").append(LogText.escape(path));
    }
    what.append(" is invalid");
    // The message of an application's constructor is meant for clients.
    Throwable thrown = thrownByType(failure);
    String expected = Expectation.of(failure, written);
    String why =
        thrown != null ? thrown.getMessage() : expected == null ? null : "expected " + expected;
    if (why != null) {
      what.append(" (").append(why).append(')');
    }
    return what.toString();
  }

  /**
   * Returns the JSON pointer (RFC 6901) of the value, such as {@code /lines/0}; empty for the
   * whole.
   */
  private static String path(JacksonException failure) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : failure.getPath()) {
      String name = step.getPropertyName();
      path.append(name == null ? "/" + step.getIndex() : pointerStep(name));
    }
    return path.toString();
  }

  private static String place(JacksonException failure) {
    TokenStreamLocation location = failure.getLocation();
    return location == null || location.getLineNr() < 1
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  /**
   * Returns the part of a JSON pointer (RFC 6901) for a name. Long names, which clients choose, are
   * truncated.
   */
  static String pointerStep(String name) {
    String beginning = name;
    if (name.length() > MOST_POINTED) {
      boolean splits = Character.isHighSurrogate(name.charAt(MOST_POINTED - 1));
      beginning = name.substring(0, splits ? MOST_POINTED - 1 : MOST_POINTED) + "…";
    }
    return "/" + beginning.replace("~", "~0").replace("/", "~1");
  }
}
