package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Params;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.ParamCallback;
import dev.percolate.framework.Route;
import dev.percolate.http.Range;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.SessionCookie;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Treats Java values as the originals treat theirs. */
final class Values {

  /** Told apart from null. */
  static final Object UNDEFINED = JsonCodec.ABSENT;

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Values() {}

  @SuppressWarnings("unchecked") // scenarios are JSON
  static Map<String, @Nullable Object> map(@Nullable Object value) {
    return (Map<String, @Nullable Object>) orUndefined(value);
  }

  @SuppressWarnings("unchecked") // scenarios are JSON
  static List<@Nullable Object> list(@Nullable Object value) {
    return (List<@Nullable Object>) orUndefined(value);
  }

  static boolean isAbsent(@Nullable Object value) {
    return value == null || value == UNDEFINED;
  }

  static @Nullable Object orNull(@Nullable Object value) {
    return value == UNDEFINED ? null : value;
  }

  static Object orUndefined(@Nullable Object value) {
    return value == null ? UNDEFINED : value;
  }

  static boolean isTrue(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue() != 0 && !Double.isNaN(number.doubleValue());
    }
    return value != null && value != UNDEFINED && !value.equals(false) && !value.equals("");
  }

  static boolean same(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return x.doubleValue() == y.doubleValue();
    }
    return (a instanceof String || a instanceof Boolean) ? a.equals(b) : a == b;
  }

  static String typeOf(@Nullable Object value) {
    if (value == UNDEFINED) {
      return "undefined";
    } else if (value == null) {
      return "null";
    } else if (value instanceof byte[]) {
      return "bytes";
    } else if (value instanceof List || value instanceof Params || value instanceof Range) {
      return "array";
    } else if (value instanceof CharSequence || value instanceof Path) {
      return "string";
    } else if (value instanceof Number) {
      return "number";
    } else if (value instanceof Boolean) {
      return "boolean";
    }
    return isFunction(value) ? "function" : "object";
  }

  static boolean isFunction(@Nullable Object value) {
    return value instanceof Routine
        || value instanceof Middleware
        || value instanceof ParamCallback
        || value instanceof Next;
  }

  /** Gives the text that the log shows. */
  static String show(@Nullable Object value) {
    if (isAbsent(value)) {
      return "-";
    }
    return switch (typeOf(value)) {
      case "object", "array", "bytes" -> json(value);
      default -> text(value);
    };
  }

  /** Gives a value as text. */
  static String text(@Nullable Object value) {
    if (value == UNDEFINED) {
      return "undefined";
    } else if (value instanceof Number) {
      return json(value);
    } else if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    } else if (value instanceof List<?> list) {
      return list.stream().map(x -> isAbsent(x) ? "" : text(x)).collect(Collectors.joining(","));
    } else if (value instanceof Map || value instanceof Request || value instanceof Response) {
      return "[object Object]";
    } else if (value instanceof Throwable error) {
      return "Error: " + OriginalTexts.of(error);
    } else if (value instanceof Pattern pattern) {
      return "/" + pattern + "/";
    }
    return value instanceof Instant time ? ISO.format(time) : String.valueOf(value);
  }

  static String json(@Nullable Object value) {
    return JsonCodec.find().write(plain(value), JsonCodec.Style.COMPACT);
  }

  /** Gives a value as JSON can hold it; functions and undefined become null, or go. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value == UNDEFINED || isFunction(value)) {
      return null;
    } else if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(one -> copy.add(plain(one)));
      return copy;
    } else if (value instanceof Session session) {
      return plain(HostFields.of(session));
    } else if (value instanceof SessionCookie cookie) {
      return cookie.toMap();
    } else if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach(
          (name, one) -> {
            if (!isFunction(one) && one != UNDEFINED) {
              copy.put(String.valueOf(name), plain(one));
            }
          });
      return copy;
    } else if (value instanceof byte[] bytes) {
      List<Object> data = new ArrayList<>();
      for (byte one : bytes) {
        data.add(one & 0xff);
      }
      return map(Map.of("type", "Buffer", "data", data));
    } else if (value instanceof Instant time) {
      return ISO.format(time);
    } else if (value instanceof Pattern) {
      return Map.of();
    }
    return value instanceof Path ? value.toString() : plainHost(value);
  }

  /** Gives an object of the project as a map or list. */
  private static @Nullable Object plainHost(@Nullable Object value) {
    if (value instanceof Params params) {
      List<@Nullable Object> captures = new ArrayList<>();
      for (int i = 0; params.value(Integer.toString(i)) != null; i++) {
        captures.add(plain(params.value(Integer.toString(i))));
      }
      return captures;
    } else if (value instanceof Throwable error) {
      return plain(Errors.fields(error));
    } else if (value instanceof Range range) {
      return plain(range.parts());
    } else if (value instanceof Record components) {
      return plain(HostFields.of(components));
    } else if (value instanceof Route route) {
      return plain(HostFields.of(route));
    }
    return value;
  }
}
