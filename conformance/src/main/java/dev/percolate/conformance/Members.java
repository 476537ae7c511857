package dev.percolate.conformance;

import dev.percolate.core.Params;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.framework.Route;
import dev.percolate.http.Headers;
import dev.percolate.http.Range;
import dev.percolate.logger.Tokens;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.SessionCookie;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads, assigns and calls what stands behind a dot. */
final class Members {

  private Members() {}

  static @Nullable Object read(@Nullable Object target, String name, Names scope) {
    if (Values.isAbsent(target)) {
      return Values.UNDEFINED;
    } else if (target instanceof Request req) {
      return RequestMembers.read(req, name);
    } else if (target instanceof Response res) {
      return ResponseMembers.read(res, name, scope);
    } else if (target instanceof App app) {
      return AppMembers.read(app, name, scope);
    } else if (target instanceof Params params) {
      return Values.orUndefined(params.value(name));
    } else if (target instanceof Settings settings) {
      return Values.orUndefined(settings.get(name));
    } else if (target instanceof Throwable error) {
      return Errors.read(error, name);
    } else if (target instanceof Session session) {
      return SessionForm.read(session, name);
    } else if (target instanceof SessionCookie cookie) {
      return cookie
          .toMap()
          .getOrDefault(name, name.equals("maxAge") ? cookie.maxAge() : Values.UNDEFINED);
    } else if (target instanceof Map<?, ?> map) {
      Object value = map.get(name);
      return value != null || map.containsKey(name) ? value : Values.UNDEFINED;
    } else if (target instanceof Route route) {
      return HostFields.of(route).getOrDefault(name, Values.UNDEFINED);
    } else if (target instanceof Range range) {
      return name.equals("type") ? range.unit() : item(range.parts(), name);
    } else if (target instanceof Record components) {
      return HostFields.of(components).getOrDefault(name, Values.UNDEFINED);
    } else if (target instanceof Pattern pattern) {
      return name.equals("source") ? pattern.pattern() : Values.UNDEFINED;
    }
    return item(target, name);
  }

  static void assign(@Nullable Object target, String name, @Nullable Object value, Names scope) {
    if (Values.isAbsent(target)) {
      throw Errors.of("Cannot set properties of " + target + " (setting '" + name + "')");
    } else if (target instanceof Request req) {
      RequestMembers.assign(req, name, value);
    } else if (target instanceof Response res) {
      ResponseMembers.assign(res, name, value, scope);
    } else if (target instanceof Params params) {
      params.set(name, Values.orNull(value));
    } else if (target instanceof SessionCookie cookie) {
      SessionForm.assign(cookie, name, value);
    } else if (target instanceof Session session) {
      SessionForm.assign(session, name, value);
    } else if (target instanceof Map) {
      Values.map(target).put(name, value);
    } else {
      String type = Values.orUndefined(target).getClass().getName();
      throw scope.world().missing("assignment of " + name + " in " + type);
    }
  }

  static @Nullable Object call(
      @Nullable Object target, String name, @Nullable Object[] args, Names scope) throws Exception {
    if (Values.isAbsent(target)) {
      throw Errors.of(
          "Cannot read properties of " + Values.text(target) + " (reading '" + name + "')");
    } else if (target instanceof Request req) {
      return RequestMembers.call(req, name, args);
    } else if (target instanceof Response res) {
      return ResponseMembers.call(res, name, args, scope);
    } else if (target instanceof Headers headers) {
      return headers.set(Values.text(args[0]), Values.text(args[1])); // of a file
    } else if (target instanceof App app) {
      return AppMembers.call(app, name, args, scope);
    } else if (target instanceof Session session) {
      return SessionForm.call(session, name, args);
    } else if (target instanceof Tokens tokens) {
      return LoggerForm.token(tokens, name, args);
    } else if (target instanceof Pattern pattern && name.equals("exec")) {
      return exec(pattern, Values.text(args[0]));
    } else if (target instanceof Pattern pattern && name.equals("test")) {
      return exec(pattern, Values.text(args[0])) != null;
    }
    return invoke(read(target, name, scope), name, args);
  }

  static @Nullable Object invoke(@Nullable Object target, String name, @Nullable Object[] args)
      throws Exception {
    if (target instanceof Routine function) {
      return function.call(args);
    }
    throw Errors.of(name + " is not a function");
  }

  private static @Nullable Object item(@Nullable Object target, String name) {
    int index = name.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(name) : -1;
    if (target instanceof List<?> list) {
      return name.equals("length")
          ? list.size()
          : index >= 0 && index < list.size() ? list.get(index) : Values.UNDEFINED;
    } else if (target instanceof String text) {
      return name.equals("length")
          ? text.length()
          : index >= 0 && index < text.length()
              ? text.substring(index, index + 1)
              : Values.UNDEFINED;
    } else if (target instanceof byte[] bytes) {
      return name.equals("length")
          ? bytes.length
          : index >= 0 && index < bytes.length ? bytes[index] & 0xff : Values.UNDEFINED;
    }
    return Values.UNDEFINED;
  }

  private static @Nullable Object exec(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      return null;
    }
    List<@Nullable Object> captures = new ArrayList<>();
    for (int i = 0; i <= matcher.groupCount(); i++) {
      captures.add(matcher.group(i));
    }
    return captures;
  }
}
