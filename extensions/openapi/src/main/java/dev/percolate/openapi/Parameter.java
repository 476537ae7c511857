package dev.percolate.openapi;

import dev.percolate.core.Conversions;
import dev.percolate.core.InputError;
import dev.percolate.core.InputSource;
import dev.percolate.core.Request;
import dev.percolate.http.Cookies;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value that a client sends outside the body, or as a form field.
 *
 * @param kind where it is sent
 * @param name the name
 * @param type the type; for a list, the type of an item
 * @param list whether it may be repeated
 * @param required whether it is required
 * @param description the description in the document; null for none
 */
record Parameter(
    Kind kind,
    String name,
    Class<?> type,
    boolean list,
    boolean required,
    @Nullable String description) {

  /** Where a parameter is sent. */
  enum Kind {
    PATH,
    QUERY,
    HEADER,
    COOKIE,
    FORM,
    FILE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isField() {
      return this == FORM || this == FILE;
    }

    /** Returns the kind that the property {@code errors} uses for its values. */
    InputSource input() {
      return this == FILE ? InputSource.FORM : InputSource.valueOf(name());
    }
  }

  private static final Set<String> SAID_ELSEWHERE =
      Set.of("accept", "content-type", "authorization");

  Parameter {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(kind.word() + "(\"\", …): name must not be empty");
    }
    if (kind == Kind.HEADER && SAID_ELSEWHERE.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "header(\"" + name + "\", …): declare it with body, response or security");
    }
  }

  /** Adds the errors of this parameter in a request. */
  void check(Request req, Conversions conversions, List<InputError> errors) {
    Object value = value(req);
    if (value == null && kind == Kind.PATH) {
      return; // outside a route with this parameter
    }
    List<?> values =
        value instanceof List<?> several ? several : value == null ? List.of() : List.of(value);
    boolean any = false;
    for (Object one : list || values.isEmpty() ? values : values.subList(0, 1)) {
      if (one instanceof String text && text.isEmpty() && type != String.class) {
        continue; // browsers send all fields of a form
      }
      any = true;
      String detail = misfit(one, conversions);
      if (detail != null) {
        errors.add(new InputError(kind.input(), name, InputError.INVALID, detail));
      }
    }
    if (!any && required) {
      errors.add(new InputError(kind.input(), name, InputError.MISSING, "is missing"));
    }
  }

  private @Nullable String misfit(Object value, Conversions conversions) {
    if (kind == Kind.FILE) {
      return null;
    }
    if (value instanceof Map || value instanceof List) {
      return "expected a single value";
    }
    String wanted = type.isInstance(value) ? null : conversions.validate(value.toString(), type);
    return wanted == null ? null : "expected " + wanted;
  }

  private @Nullable Object value(Request req) {
    return switch (kind) {
      case PATH -> req.params().value(name);
      case QUERY -> req.query().get(name);
      case HEADER -> req.get(name);
      case COOKIE -> Cookies.parse(req.get("Cookie")).get(name);
      case FORM -> req.body() instanceof Map<?, ?> fields ? fields.get(name) : null;
      case FILE -> FileForms.find(req, name);
    };
  }
}
