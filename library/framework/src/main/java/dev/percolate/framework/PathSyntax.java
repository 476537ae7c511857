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
  private static final Pattern NAMELESS = Pattern.compile(":(?!\\w)");
  private static final Pattern NOT_A_NAME =
      Pattern.compile(":\\w*[\\p{L}\\p{N}&&[^\\p{ASCII}]][\\w\\p{L}\\p{N}]*");
  private static final Pattern QUERY = Pattern.compile("\\?([\\w.\\[\\]-]+)=");
  private static final Pattern EMPTY = Pattern.compile("//(?![?{])");
  private static final Pattern DOTS = Pattern.compile("/\\.\\.?(?=/|$)");

  // Requests with one of these get 400 before any layer; see NormalPath.isDoubtful.
  private static final Pattern DOUBTFUL = Pattern.compile("%5C|%00", Pattern.CASE_INSENSITIVE);

  /** Stands for a part of a path that is an expression. */
  private static final char EXPRESSION = '\0';

  private PathSyntax() {}

  /**
   * Checks the path of a route.
   *
   * @param call how the definition begins, for the message
   * @param normalised whether paths of requests are normalised
   * @throws IllegalArgumentException if it is empty, can never match, writes a parameter as others
   *     do, or names one twice
   */
  static void check(String call, PathPattern path, boolean normalised) {
    if (path.given().equals("")) {
      throw new IllegalArgumentException(call + ": the path is empty");
    } else if (path.matchesNothing()) {
      throw new IllegalArgumentException(call + ": a path starts with \"/\"");
    }
    if (path.given() instanceof String text) {
      checkText(call, plain(text), normalised);
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

  private static void checkText(String call, String plain, boolean normalised) {
    String foreign = foreign(plain);
    if (foreign != null) {
      throw new IllegalArgumentException(call + ": a parameter is written :" + foreign);
    }
    checkQuery(call, plain);
    Matcher wrong = NOT_A_NAME.matcher(plain);
    if (wrong.find()) {
      throw new IllegalArgumentException(
          call
              + ": the name of a parameter consists of ASCII letters, digits and _, was "
              + wrong.group());
    }
    checkColon(call, plain);
    if (normalised && plain.indexOf('|') < 0) {
      checkNormal(call, plain);
    }
  }

  private static void checkQuery(String call, String plain) {
    Matcher query = QUERY.matcher(plain);
    if (query.find()) {
      throw new IllegalArgumentException(
          call + ": a path has no query; read it with req.query(\"" + query.group(1) + "\")");
    }
  }

  private static void checkColon(String call, String plain) {
    if (NAMELESS.matcher(plain).find()) {
      throw new IllegalArgumentException(
          call + ": a parameter has a name, such as :id; write a colon as %3A");
    }
  }

  private static void checkNormal(String call, String plain) {
    String wrong =
        EMPTY.matcher(plain).find()
            ? "an empty segment"
            : DOTS.matcher(plain).find()
                ? "a segment of dots"
                : DOUBTFUL.matcher(plain).find() ? "an encoded backslash or NUL" : null;
    if (wrong != null) {
      throw new IllegalArgumentException(
          call + ": never matches, since it has " + wrong + ", and normalised paths have none");
    }
  }

  /** Checks a mount path, which has no parameters at all. */
  static void checkMount(String call, String path) {
    String plain = plain(path);
    String foreign = foreign(plain);
    Matcher own = PARAMETER.matcher(path);
    if (foreign != null || own.find()) {
      String name = foreign != null ? foreign : own.group(1);
      throw new IllegalArgumentException(
          call + ": a mount path has no parameters; say all(\"…/:" + name + "*\", …)");
    }
    checkQuery(call, plain);
    if (path.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          call + ": a mount path covers all paths below it; leave out the *, or write it as %2A");
    }
  }

  /** Returns the name of the first parameter that is written in the manner of others. */
  private static @Nullable String foreign(String plain) {
    Matcher found = FOREIGN.matcher(plain);
    if (!found.find()) {
      return null;
    }
    return found.group(1) != null ? found.group(1) : found.group(2);
  }

  /** Returns a path with a placeholder for each group, class and escaped character. */
  private static String plain(String path) {
    StringBuilder out = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean opens = c == '(' || c == '[';
      if (depth == 0) {
        out.append(opens || c == '\\' ? EXPRESSION : c);
      }
      if (c == '\\') {
        i++;
      } else if (opens) {
        depth++;
      } else if (c == ')' || c == ']') {
        depth--;
      }
    }
    return out.toString();
  }
}
