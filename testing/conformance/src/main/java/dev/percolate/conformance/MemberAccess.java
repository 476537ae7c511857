package dev.percolate.conformance;

import dev.percolate.core.Params;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.Headers;
import dev.percolate.logger.Tokens;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.SessionCookie;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads, assigns and calls members of objects. */
final class MemberAccess {

  private MemberAccess() {}

  static @Nullable Object read(@Nullable Object target, String name, Variables scope) {
    if (ScriptValues.isAbsent(target)) {
      return ScriptValues.UNDEFINED;
    } else if (target instanceof Request req) {
      return RequestMembers.read(req, name);
    } else if (target instanceof Response res) {
      return ResponseMembers.read(res, name, scope);
    } else if (target instanceof App app) {
      return AppMembers.read(app, name);
    } else if (target instanceof Session session) {
      return SessionForm.read(session, name);
    }
    return ValueMembers.read(target, name);
  }

  static void assign(
      @Nullable Object target, String name, @Nullable Object value, Variables scope) {
    if (ScriptValues.isAbsent(target)) {
      throw Errors.of("Cannot set properties of " + target + " (setting '" + name + "')");
    } else if (target instanceof Request req) {
      RequestMembers.assign(req, name, value);
    } else if (target instanceof Response res) {
      ResponseMembers.assign(res, name, value, scope);
    } else if (target instanceof Params params) {
      params.set(name, ScriptValues.orNull(value));
    } else if (target instanceof SessionCookie cookie) {
      SessionForm.assign(cookie, name, value);
    } else if (target instanceof Session session) {
      SessionForm.assign(session, name, value);
    } else if (target instanceof Map) {
      ScriptValues.map(target).put(name, value);
    } else {
      String type = ScriptValues.orUndefined(target).getClass().getName();
      throw scope.world().missing("assignment of " + name + " in " + type);
    }
  }

  static @Nullable Object call(
      @Nullable Object target, String name, @Nullable Object[] args, Variables scope)
      throws Exception {
    if (ScriptValues.isAbsent(target)) {
      throw Errors.of(
          "Cannot read properties of " + ScriptValues.text(target) + " (reading '" + name + "')");
    } else if (target instanceof Request req) {
      return RequestMembers.call(req, name, args);
    } else if (target instanceof Response res) {
      return ResponseMembers.call(res, name, args, scope);
    } else if (target instanceof Headers headers) {
      return headers.set(ScriptValues.text(args[0]), ScriptValues.text(args[1])); // for a file
    } else if (target instanceof App app) {
      return AppMembers.call(app, name, args, scope);
    } else if (target instanceof Session session) {
      return SessionForm.call(session, name, args);
    } else if (target instanceof Tokens tokens) {
      return LoggerForm.token(tokens, name, args);
    } else if (target instanceof Pattern pattern && name.equals("exec")) {
      return exec(pattern, ScriptValues.text(args[0]));
    } else if (target instanceof Pattern pattern && name.equals("test")) {
      return exec(pattern, ScriptValues.text(args[0])) != null;
    }
    return Routine.of(read(target, name, scope), name).call(args);
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
