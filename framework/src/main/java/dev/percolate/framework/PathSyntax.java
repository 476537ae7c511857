package dev.percolate.framework;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Refuses paths that can only be mistakes, with the way out, when they are defined. */
final class PathSyntax {

  // A quantifier such as {2,3} begins with a digit; what stands in parentheses is an expression.
  private static final Pattern FOREIGN =
      Pattern.compile("\\{[*+]?([A-Za-z_]\\w*)[^{}]*\\}|<(?:\\w+:)?([A-Za-z_]\\w*)>");
  private static final Pattern PARAMETER = Pattern.compile("/:(\\w+)");

  private PathSyntax() {}

  /**
   * Checks the path of a route.
   *
   * @param call how the definition begins, for the message
   * @throws IllegalArgumentException if it is empty, can never match, writes a parameter as others
   *     do, or names one twice
   */
  static void check(String call, PathPattern path) {
    if (path.given().equals("")) {
      throw new IllegalArgumentException(call + ": the path is empty");
    } else if (path.matchesNothing()) {
      throw new IllegalArgumentException(call + ": a path starts with \"/\"");
    }
    String foreign = path.given() instanceof String text ? foreign(text) : null;
    if (foreign != null) {
      throw new IllegalArgumentException(call + ": a parameter is written :" + foreign);
    }
    Set<String> names = new HashSet<>();
    for (PathPattern.Parameter one : path.keys()) {
      if (!names.add(one.name())) {
        throw new IllegalArgumentException(
            call
                + ": :"
                + one.name()
                + " stands there twice; give each parameter a name of its own");
      }
    }
  }

  /** Checks a mount path, which has no parameters at all. */
  static void checkMount(String call, String path) {
    String foreign = foreign(path);
    Matcher own = PARAMETER.matcher(path);
    if (foreign != null || own.find()) {
      String name = foreign != null ? foreign : own.group(1);
      throw new IllegalArgumentException(
          call + ": a mount path has no parameters; say all(\"…/:" + name + "*\", …)");
    }
  }

  /** Returns the name of the first parameter that is written in the manner of others. */
  private static @Nullable String foreign(String path) {
    Matcher found = FOREIGN.matcher(plain(path));
    if (!found.find()) {
      return null;
    }
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  /** Returns what stands neither in parentheses or brackets nor behind a backslash. */
  private static String plain(String path) {
    StringBuilder out = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '(' || c == '[') {
        depth++;
      } else if (c == ')' || c == ']') {
        depth--;
      } else if (depth == 0) {
        out.append(c);
      }
    }
    return out.toString();
  }
}
