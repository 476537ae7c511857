package dev.percolate.framework.path;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rejects invalid paths at definition, with a message that names the fix. */
public final class PathSyntax {

  // A quantifier such as {2,3} starts with a digit; text in parentheses is an expression.
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

  /** Replaces the parts of a path that are expressions. */
  private static final char EXPRESSION = '\0';

  private PathSyntax() {}

  /**
   * Checks the path of a route.
   *
   * @param call the call that defines it, for the message
   * @param normalised whether request paths are normalised
   * @throws IllegalArgumentException if the path is empty, can never match, writes a parameter in
   *     the syntax of another framework, or repeats a parameter name
   */
  public static void check(String call, CompiledPath path, boolean normalised) {
    if (path.given().equals("")) {
      throw new IllegalArgumentException(call + ": path must not be empty");
    } else if (path.matchesNothing()) {
      throw new IllegalArgumentException(call + ": path must start with \"/\"");
    }
    if (path.given() instanceof String text) {
      checkText(call, plain(text), normalised);
    }
    Set<String> names = new HashSet<>();
    for (String name : path.names()) {
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            call + ": parameter :" + name + " occurs twice; use distinct names");
      }
    }
  }

  private static void checkText(String call, String plain, boolean normalised) {
    String foreign = foreign(plain);
    if (foreign != null) {
      throw new IllegalArgumentException(call + ": write the parameter as :" + foreign);
    }
    checkQuery(call, plain);
    Matcher wrong = NOT_A_NAME.matcher(plain);
    if (wrong.find()) {
      throw new IllegalArgumentException(
          call
              + ": parameter name must contain only ASCII letters, digits and _, was "
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
          call + ": path must have no query; read it with req.query(\"" + query.group(1) + "\")");
    }
  }

  private static void checkColon(String call, String plain) {
    if (NAMELESS.matcher(plain).find()) {
      throw new IllegalArgumentException(
          call + ": parameter needs a name, such as :id; write a literal colon as %3A");
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
          call + ": path must not have " + wrong + ": normalised paths never do");
    }
  }

  /** Checks a mount path, which must not have parameters. */
  public static void checkMount(String call, String path) {
    String plain = plain(path);
    String foreign = foreign(plain);
    Matcher own = PARAMETER.matcher(path);
    if (foreign != null || own.find()) {
      String name = foreign != null ? foreign : own.group(1);
      throw new IllegalArgumentException(
          call + ": mount path must not have parameters; use all(\"…/:" + name + "*\", …)");
    }
    checkQuery(call, plain);
    if (path.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          call + ": mount path must not have a *, it covers all paths below it; write %2A for *");
    }
  }

  /** Returns the name of the first parameter in the syntax of another framework. */
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
