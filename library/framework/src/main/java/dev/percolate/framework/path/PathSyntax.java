package dev.percolate.framework.path;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rejects invalid paths at definition, with a message that names the fix. */
public final class PathSyntax {

  private static final String NO_PARAMETERS =
      "mount path must not have parameters; use all(\"…/:%s*\", …)";

  // A quantifier such as {2,3} starts with a digit; text in parentheses is an expression.
  private static final Mistake FOREIGN =
      Mistake.of(
          "\\{[*+]?([A-Za-z_]\\w*)[^{}]*\\}|<(?:\\w+:)?([A-Za-z_]\\w*)>",
          "write the parameter as :%s");
  private static final Mistake FOREIGN_IN_MOUNT = new Mistake(FOREIGN.pattern, NO_PARAMETERS);
  private static final Mistake PARAMETER_IN_MOUNT = Mistake.of("/:(\\w+)", NO_PARAMETERS);
  private static final Mistake STAR_IN_MOUNT =
      Mistake.of(
          "\\*", "mount path must not have a *, it covers all paths below it; write %2A for *");
  private static final Mistake NAMELESS =
      Mistake.of(":(?!\\w)", "parameter needs a name, such as :id; write a literal colon as %3A");
  private static final Mistake NOT_A_NAME =
      Mistake.of(
          ":\\w*[\\p{L}\\p{N}&&[^\\p{ASCII}]][\\w\\p{L}\\p{N}]*",
          "parameter name must contain only ASCII letters, digits and _, was %s");
  private static final Mistake QUERY =
      Mistake.of("\\?([\\w.\\[\\]-]+)=", "path must have no query; read it with req.query(\"%s\")");
  private static final Mistake EMPTY = notNormal("//(?![?{])", "an empty segment");
  private static final Mistake DOTS = notNormal("/(?:\\.|%2[eE]){1,2}(?=/|$)", "a segment of dots");

  // Requests with one of these get 400 before any layer; see NormalPath.isDoubtful.
  private static final Mistake DOUBTFUL = notNormal("(?i:%5C|%00)", "an encoded backslash or NUL");

  /** Replaces the parts of a path that are expressions. */
  private static final char EXPRESSION = '\0';

  /**
   * A mistake in a path.
   *
   * @param pattern finds it
   * @param message describes it; {@code %s} is the first group, or the whole match without groups
   */
  private record Mistake(Pattern pattern, String message) {

    static Mistake of(String expression, String message) {
      return new Mistake(Pattern.compile(expression), message);
    }

    void rejectIn(String call, String path) {
      Matcher found = pattern.matcher(path);
      if (found.find()) {
        int group = found.groupCount() == 0 ? 0 : found.start(1) < 0 ? 2 : 1;
        String text = message.replace("%s", found.group(group));
        throw new IllegalArgumentException(call + ": " + text);
      }
    }
  }

  private PathSyntax() {}

  private static Mistake notNormal(String expression, String what) {
    return Mistake.of(expression, "path must not have " + what + ": normalised paths never do");
  }

  /**
   * Checks the path of a route.
   *
   * @param call the call that defines it, for the message
   * @param normalised whether request paths are normalised
   * @throws IllegalArgumentException if the path is empty, can never match, writes a parameter in
   *     the syntax of another framework, or repeats a parameter name
   */
  public static void check(String call, CompiledPath path, boolean normalised) {
    if (path.original().equals("")) {
      throw new IllegalArgumentException(call + ": path must not be empty");
    } else if (path.matchesNothing()) {
      throw new IllegalArgumentException(call + ": path must start with \"/\"");
    }
    if (path.original() instanceof String text) {
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
    FOREIGN.rejectIn(call, plain);
    QUERY.rejectIn(call, plain);
    NOT_A_NAME.rejectIn(call, plain);
    NAMELESS.rejectIn(call, plain);
    if (normalised && plain.indexOf('|') < 0) {
      EMPTY.rejectIn(call, plain);
      DOTS.rejectIn(call, plain);
      DOUBTFUL.rejectIn(call, plain);
    }
  }

  /** Checks a mount path, which must not have parameters. */
  public static void checkMount(String call, String path) {
    String plain = plain(path);
    FOREIGN_IN_MOUNT.rejectIn(call, plain);
    PARAMETER_IN_MOUNT.rejectIn(call, path);
    QUERY.rejectIn(call, plain);
    STAR_IN_MOUNT.rejectIn(call, path);
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
