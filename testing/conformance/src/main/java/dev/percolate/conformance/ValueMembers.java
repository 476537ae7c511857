package dev.percolate.conformance;

import dev.percolate.core.Params;
import dev.percolate.core.Settings;
import dev.percolate.framework.Route;
import dev.percolate.http.Range;
import dev.percolate.middleware.SessionCookie;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads members of maps, lists, strings and other values that do not belong to a request. */
final class ValueMembers {

  private ValueMembers() {}

  static @Nullable Object read(@Nullable Object target, String name) {
    if (target instanceof Params params) {
      return ScriptValues.orUndefined(params.value(name));
    } else if (target instanceof Settings settings) {
      return ScriptValues.orUndefined(settings.get(name));
    } else if (target instanceof Throwable error) {
      return Errors.read(error, name);
    } else if (target instanceof SessionCookie cookie) {
      return cookie
          .toMap()
          .getOrDefault(name, name.equals("maxAge") ? cookie.maxAge() : ScriptValues.UNDEFINED);
    } else if (target instanceof Map<?, ?> map) {
      Object value = map.get(name);
      return value != null || map.containsKey(name) ? value : ScriptValues.UNDEFINED;
    } else if (target instanceof Route route) {
      return HostFields.of(route).getOrDefault(name, ScriptValues.UNDEFINED);
    } else if (target instanceof Range range) {
      return name.equals("type") ? range.unit() : item(range.parts(), name);
    } else if (target instanceof Record components) {
      return HostFields.of(components).getOrDefault(name, ScriptValues.UNDEFINED);
    } else if (target instanceof Pattern pattern) {
      return name.equals("source") ? pattern.pattern() : ScriptValues.UNDEFINED;
    }
    return item(target, name);
  }

  private static @Nullable Object item(@Nullable Object target, String name) {
    int index = name.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(name) : -1;
    if (target instanceof List<?> list) {
      return name.equals("length")
          ? list.size()
          : index >= 0 && index < list.size() ? list.get(index) : ScriptValues.UNDEFINED;
    } else if (target instanceof String text) {
      return name.equals("length")
          ? text.length()
          : index >= 0 && index < text.length()
              ? text.substring(index, index + 1)
              : ScriptValues.UNDEFINED;
    } else if (target instanceof byte[] bytes) {
      return name.equals("length")
          ? bytes.length
          : index >= 0 && index < bytes.length ? bytes[index] & 0xff : ScriptValues.UNDEFINED;
    }
    return ScriptValues.UNDEFINED;
  }
}
