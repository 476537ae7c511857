package dev.percolate.framework.path;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds paths that are valid, but probably mean something else: they are in the syntax of another
 * framework, or contain text that clients do not send.
 */
public final class DoubtfulPath {

  /** Text that is doubtful in mount paths too. */
  private static final List<Doubt> ANYWHERE =
      List.of(
          new Doubt(
              "[\\s\\x01-\\x1F\\x7F]",
              "has white space; write it as clients send it, such as %20, if it is intended"),
          new Doubt("#", "has a #, which clients never send; write %23 if it is intended"),
          new Doubt("\\?[^/?]*&", "has a query, which is not part of the path; use req.query(…)"));

  private static final List<Doubt> IN_ROUTES =
      List.of(
          new Doubt("\\*\\*", "has two stars, but one matches any text, including slashes"),
          new Doubt(
              "/\\*([A-Za-z_]\\w*)",
              "matches only paths with the text \"$1\" after the star; a star has no name:"
                  + " write *, and read it with req.params().get(0)"),
          new Doubt(
              "/\\[(?:\\.\\.\\.)?([A-Za-z_]\\w*)\\](?=/|$)",
              "matches one of the letters in [$1]; write a parameter as :$1"),
          new Doubt(
              ":(\\w+)-([A-Za-z]\\w*)(?=/|$)",
              "has the parameter :$1 and the text \"-$2\"; a name has no hyphen"),
          new Doubt(
              "\\w\\?([A-Za-z]\\w*)",
              "has a ?, which makes what is before it optional; a query is not part of the path:"
                  + " read it with req.query(\"$1\")"),
          new Doubt(
              "[/(]\\.[*+]", "has a dot, which is literal here; write * alone to match any text"),
          new Doubt(
              ":(\\w+)\\+",
              "has a + after :$1, which matches one segment; write :$1* for several"));

  /**
   * A doubt about a path.
   *
   * @param pattern finds it
   * @param text describes it, and continues a sentence that begins with the path; {@code $1} and
   *     {@code $2} are the groups
   */
  private record Doubt(Pattern pattern, String text) {

    Doubt(String expression, String text) {
      this(Pattern.compile(expression), text);
    }

    @Nullable String about(String path) {
      Matcher found = pattern.matcher(path);
      if (!found.find()) {
        return null;
      }
      String result = text;
      for (int i = 1; i <= found.groupCount(); i++) {
        result = result.replace("$" + i, String.valueOf(found.group(i)));
      }
      return result;
    }
  }

  private DoubtfulPath() {}

  /** Returns the doubt about the path of a route; null if there is none. */
  public static @Nullable String ofRoute(CompiledPath route) {
    if (!(route.original() instanceof String path)) {
      return null;
    }
    String doubt = first(ANYWHERE, path);
    return doubt == null ? first(IN_ROUTES, path) : doubt;
  }

  /** Returns the doubt about a mount path; null if there is none. */
  public static @Nullable String ofMount(String path) {
    return first(ANYWHERE, path);
  }

  private static @Nullable String first(List<Doubt> doubts, String path) {
    for (Doubt doubt : doubts) {
      String text = doubt.about(path);
      if (text != null) {
        return text;
      }
    }
    return null;
  }
}
