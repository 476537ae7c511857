package dev.percolate.conformance;

import dev.percolate.core.Next;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Evaluates expressions. */
final class Expressions {

  private static final Set<String> VALUES =
      Set.of(
          "$",
          "$call",
          "$bytes",
          "$regex",
          "$path",
          "$undefined",
          "$error",
          "$date",
          "$typeof",
          "$concat",
          "$eq",
          "$not",
          "$fn");

  private Expressions() {}

  static @Nullable Object evaluate(@Nullable Object expression, Variables scope) throws Exception {
    if (expression instanceof List<?> list) {
      List<@Nullable Object> values = new ArrayList<>();
      for (Object item : list) {
        values.add(ScriptValues.orNull(evaluate(item, scope)));
      }
      return values;
    }
    if (!(expression instanceof Map)) {
      return expression;
    }
    Map<String, @Nullable Object> map = ScriptValues.map(expression);
    if (isForm(map)) {
      String form = map.keySet().iterator().next();
      return VALUES.contains(form)
          ? value(form, map.get(form), map, scope)
          : Forms.make(form, map.get(form), map, scope);
    }
    return fields(map, scope, true);
  }

  /** Evaluates each entry. Undefined values become null, unless the map contains options. */
  static Map<String, @Nullable Object> fields(
      Map<String, @Nullable Object> map, Variables scope, boolean nulls) throws Exception {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, @Nullable Object> entry : map.entrySet()) {
      Object value = evaluate(entry.getValue(), scope);
      values.put(entry.getKey(), nulls ? ScriptValues.orNull(value) : value);
    }
    return values;
  }

  static @Nullable Object[] all(List<@Nullable Object> expressions, Variables scope)
      throws Exception {
    @Nullable Object[] values = new @Nullable Object[expressions.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = evaluate(expressions.get(i), scope);
    }
    return values;
  }

  /** Reads a path such as {@code req.params.id}; undefined if a part of it is absent. */
  static @Nullable Object read(String path, Variables scope) {
    String[] names = path.split("\\.", -1);
    Object value = scope.get(names[0]);
    for (int i = 1; i < names.length; i++) {
      value = MemberAccess.read(value, names[i], scope);
    }
    return value;
  }

  static void assign(String path, @Nullable Object value, Variables scope) {
    int dot = path.lastIndexOf('.');
    if (dot < 0) {
      scope.set(path, value);
    } else {
      Object target = read(path.substring(0, dot), scope);
      MemberAccess.assign(target, path.substring(dot + 1), value, scope);
    }
  }

  static @Nullable Object call(String path, List<@Nullable Object> args, Variables scope)
      throws Exception {
    @Nullable Object[] values = all(args, scope);
    int dot = path.lastIndexOf('.');
    Object target = read(dot < 0 ? path : path.substring(0, dot), scope);
    if (dot >= 0) {
      return MemberAccess.call(target, path.substring(dot + 1), values, scope);
    }
    if (target instanceof Next next) {
      return pass(next, values.length == 0 ? ScriptValues.UNDEFINED : values[0], scope);
    }
    return Routine.of(target, path).call(values);
  }

  /** Passes the request on, as the originals' {@code next} does. Its argument may be any value. */
  private static Object pass(Next next, @Nullable Object value, Variables scope) {
    if (!ScriptValues.isTrue(value)) {
      next.run();
    } else if ("route".equals(value) && scope.inRoute()) {
      next.route();
    } else {
      next.fail(Errors.raised(value));
    }
    return ScriptValues.UNDEFINED;
  }

  private static boolean isForm(Map<String, @Nullable Object> map) {
    if (map.isEmpty() || !isFormName(map.keySet().iterator().next())) {
      return false;
    }
    return map.keySet().stream()
        .allMatch(key -> isFormName(key) || key.equals("options") || key.equals("params"));
  }

  private static boolean isFormName(String key) {
    return VALUES.contains(key) || Forms.NAMES.contains(key);
  }

  private static @Nullable Object value(
      String form, @Nullable Object given, Map<String, @Nullable Object> map, Variables scope)
      throws Exception {
    return switch (form) {
      case "$" -> read((String) ScriptValues.orUndefined(given), scope);
      case "$call" -> {
        List<@Nullable Object> list = ScriptValues.list(given);
        yield call((String) list.get(0), list.subList(1, list.size()), scope);
      }
      case "$bytes" -> Base64.getDecoder().decode((String) given);
      case "$regex" -> regex(ScriptValues.list(given));
      case "$path" -> scope.world().root().resolve((String) given).normalize().toString();
      case "$undefined" -> ScriptValues.UNDEFINED;
      case "$error" -> Errors.of(ScriptValues.map(given));
      case "$date" -> Instant.parse((String) given);
      case "$typeof" -> PlainValues.typeOf(evaluate(given, scope));
      case "$concat" -> {
        StringBuilder text = new StringBuilder();
        for (Object part : ScriptValues.list(given)) {
          text.append(PlainValues.show(evaluate(part, scope)));
        }
        yield text.toString();
      }
      case "$eq" -> {
        List<@Nullable Object> two = ScriptValues.list(given);
        yield ScriptValues.same(evaluate(two.get(0), scope), evaluate(two.get(1), scope));
      }
      case "$not" -> !ScriptValues.isTrue(evaluate(given, scope));
      default -> Forms.function(ScriptValues.list(given), params(map), scope);
    };
  }

  private static Pattern regex(List<@Nullable Object> given) {
    String flags = given.size() > 1 ? ScriptValues.text(given.get(1)) : "";
    return Pattern.compile(
        (String) given.get(0), flags.contains("i") ? Pattern.CASE_INSENSITIVE : 0);
  }

  private static List<String> params(Map<String, @Nullable Object> map) {
    return map.containsKey("params")
        ? ScriptValues.list(map.get("params")).stream().map(String::valueOf).toList()
        : List.of("req", "res");
  }
}
