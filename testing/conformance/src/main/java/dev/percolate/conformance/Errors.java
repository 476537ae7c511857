package dev.percolate.conformance;

import dev.percolate.core.ErrorResponse;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts errors of scenarios to Java, and gives scenarios access to the fields of errors. */
final class Errors {

  private Errors() {}

  /** An error with fields whose status, if any, does not make it an {@link HttpError}. */
  private static final class FieldError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, @Nullable Object> fields;

    FieldError(@Nullable String message, Map<String, @Nullable Object> fields) {
      super(message, null, true, !fields.containsKey("stack"));
      this.fields = fields;
    }

    /** Returns the text that error pages show instead of a stack trace. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // error pages show this text
    public String toString() {
      return fields.containsKey("stack")
          ? ScriptValues.text(fields.get("stack"))
          : ScriptValues.text(getMessage()).isEmpty() ? "Error" : "Error: " + getMessage();
    }
  }

  /** An error with a status that has only the fields given by the scenario. */
  private static final class StatusError extends HttpError {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, @Nullable Object> own;

    StatusError(int status, @Nullable String message, Map<String, @Nullable Object> own) {
      super(status, message, (String) own.get("type"), null);
      this.own = own;
      own.forEach(this::with);
    }
  }

  /** An error whose value in the scenario is a string, number or map. */
  private static final class ValueError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Object value;

    ValueError(@Nullable Object value) {
      super(ScriptValues.text(value), null, true, false);
      this.value = value;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // error pages show this text
    public String toString() {
      return String.valueOf(getMessage());
    }
  }

  /** An error without a status, with the fields of another one. */
  private static final class ShownError extends HttpError {

    private static final long serialVersionUID = 1L;

    ShownError(int status, String message) {
      super(status, message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }

    @Override
    @SuppressWarnings("OverrideThrowableToString") // error pages show this text
    public String toString() {
      return String.valueOf(getMessage());
    }
  }

  /** Creates an error with fields. */
  static RuntimeException of(Map<String, @Nullable Object> fields) {
    String message = fields.containsKey("message") ? ScriptValues.text(fields.get("message")) : "";
    Object status = status(fields);
    if (status instanceof Number number && number.intValue() >= 400 && number.intValue() < 600) {
      return new StatusError(number.intValue(), message, fields);
    }
    return new FieldError(message, fields);
  }

  /** Returns true if an error has a field that the originals use as its status. */
  static boolean hasStatus(Throwable error) {
    return ScriptValues.isTrue(status(fields(error)));
  }

  private static @Nullable Object status(Map<String, @Nullable Object> fields) {
    return fields.get(ScriptValues.isTrue(fields.get("status")) ? "status" : "statusCode");
  }

  static RuntimeException of(String message) {
    return new FieldError(message, Map.of());
  }

  /** Returns a copy of an error made by this project, with all its fields. */
  static HttpError complete(HttpError error) {
    HttpError made = new HttpError(error.status(), error.getMessage(), error.type(), error);
    error.fields().forEach(made::with);
    return made;
  }

  /** Returns the Java exception for a value that a scenario throws or passes on. */
  static Throwable raised(@Nullable Object value) {
    return value instanceof Throwable error ? error : new ValueError(value);
  }

  /** Returns the error as the scenario sees it. */
  static @Nullable Object value(Throwable error) {
    return error instanceof ValueError plain ? plain.value : error;
  }

  /** Returns an error for error pages. They show the fields of an {@link HttpError}. */
  static Throwable shown(Throwable error, Response res) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (error instanceof FieldError plain) {
      fields.putAll(plain.fields);
      fields.put("stack", ErrorResponse.text(error));
      fields.putIfAbsent("message", error.getMessage());
    } else if (error instanceof ValueError thrown && thrown.value instanceof Map) {
      fields.putAll(ScriptValues.map(thrown.value));
    } else if (error instanceof StatusError raised) {
      return absent(raised);
    } else {
      return error;
    }
    String message = fields.containsKey("message") ? ScriptValues.text(fields.get("message")) : "";
    HttpError shown = new ShownError(res.status() < 400 ? 500 : res.status(), message);
    fields.forEach((name, value) -> shown.with(name, ScriptValues.orNull(value)));
    return absent(shown);
  }

  /** Removes the fields that all our errors have, unless the scenario has set them. */
  private static HttpError absent(HttpError error) {
    for (String name : List.of("type", "status", "statusCode", "expose")) {
      if (error.field(name) == null) {
        HttpError ignored = error.with(name, JsonCodec.ABSENT);
      }
    }
    return error;
  }

  static @Nullable Object read(Throwable error, String name) {
    Map<String, @Nullable Object> fields = fields(error);
    if (fields.containsKey(name)) {
      return fields.get(name);
    }
    return switch (name) {
      case "message" -> OriginalTexts.of(error);
      case "name" -> "Error";
      case "stack" -> "Error: " + OriginalTexts.of(error) + "\n    at ";
      default -> ScriptValues.UNDEFINED;
    };
  }

  /** Returns the fields of an error except its message. */
  static Map<String, @Nullable Object> fields(Throwable error) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    if (error instanceof FieldError plain) {
      all.putAll(plain.fields);
    } else if (error instanceof HttpError http) {
      if (error instanceof StatusError raised) {
        all.putAll(raised.own);
      } else {
        all.put("expose", http.expose());
        all.put("statusCode", http.status());
        all.put("status", http.status());
        all.put("type", ScriptValues.orUndefined(http.type()));
      }
      all.putAll(http.fields());
    }
    all.remove("message");
    return all;
  }
}
