package dev.percolate.conformance;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Params;
import dev.percolate.framework.ParamCallback;
import dev.percolate.framework.Route;
import dev.percolate.http.Range;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.SessionCookie;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows Java values as the originals show theirs: types, JSON and log lines. */
final class PlainValues {

  private PlainValues() {}

  static String typeOf(@Nullable Object value) {
    if (value == ScriptValues.UNDEFINED) {
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

  /** Returns the text for the log. */
  static String show(@Nullable Object value) {
    if (ScriptValues.isAbsent(value)) {
      return "-";
    }
    return switch (typeOf(value)) {
      case "object", "array", "bytes" -> json(value);
      default -> ScriptValues.text(value);
    };
  }

  static String json(@Nullable Object value) {
    return JsonCodec.find().write(plain(value), JsonCodec.WriteOptions.COMPACT);
  }

  /** Converts a value for JSON. Functions and undefined become null, or are removed from maps. */
  static @Nullable Object plain(@Nullable Object value) {
    if (value == ScriptValues.UNDEFINED || isFunction(value)) {
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
            if (!isFunction(one) && one != ScriptValues.UNDEFINED) {
              copy.put(String.valueOf(name), plain(one));
            }
          });
      return copy;
    } else if (value instanceof byte[] bytes) {
      List<Object> data = new ArrayList<>();
      for (byte one : bytes) {
        data.add(one & 0xff);
      }
      return ScriptValues.map(Map.of("type", "Buffer", "data", data));
    } else if (value instanceof Instant time) {
      return ScriptValues.text(time);
    } else if (value instanceof Pattern) {
      return Map.of();
    }
    return value instanceof Path ? value.toString() : plainHost(value);
  }

  /** Converts an object of the project to a map or list. */
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
