package dev.percolate.framework.path;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the path of a route and translates it to a regular expression.
 *
 * @param pieces the parts of the path
 * @param strict whether a trailing slash matters
 */
record PathTranslation(List<Piece> pieces, boolean strict) {

  private static final Pattern PARAMETER =
      Pattern.compile("(/)?(\\.)?:(\\w+)(?:(\\(.*?\\)))?(\\?)?(\\*)?");
  private static final Pattern OPERATOR = Pattern.compile("[\\\\^$|?+*()\\[\\]{}./]");

  /** A part of a path. */
  sealed interface Piece {}

  /** Text between parameters; operators of regular expressions keep their meaning. */
  record Text(String text) implements Piece {}

  /** Literal text between parameters. */
  record Literal(String text) implements Piece {}

  /** A parameter with its modifiers. */
  record Parameter(
      boolean slash,
      boolean dot,
      String name,
      @Nullable String capture,
      boolean optional,
      boolean star)
      implements Piece {}

  PathTranslation(String path, boolean strict) {
    this(new ArrayList<>(), strict);
    boolean drops = !strict && path.length() > 1 && path.endsWith("/");
    String text = drops ? path.substring(0, path.length() - 1) : path;
    split(text.replace("/(", "(?:/"));
  }

  /** Returns a translation with other pieces. */
  PathTranslation with(List<Piece> others) {
    return new PathTranslation(others, strict);
  }

  /** Returns the parameters, from left to right. */
  List<Parameter> parameters() {
    return pieces.stream().filter(Parameter.class::isInstance).map(Parameter.class::cast).toList();
  }

  /** Returns the regular expression in JavaScript syntax. */
  String source() {
    StringBuilder out = new StringBuilder();
    for (Piece piece : pieces) {
      if (piece instanceof Text text) {
        out.append(escaped(text.text));
      } else if (piece instanceof Literal literal) {
        out.append(OPERATOR.matcher(literal.text).replaceAll("\\\\$0"));
      } else {
        StringBuilder expanded = new StringBuilder();
        expand((Parameter) piece, expanded);
        out.append(escaped(expanded.toString()));
      }
    }
    return "^" + out + (strict ? "" : "\\/?") + "$";
  }

  private static String escaped(String text) {
    return text.replace("/", "\\/").replace(".", "\\.").replace("*", "(.*)");
  }

  private void split(String path) {
    Matcher matcher = PARAMETER.matcher(path);
    int end = 0;
    while (matcher.find()) {
      if (matcher.start() > end) {
        pieces.add(new Text(path.substring(end, matcher.start())));
      }
      pieces.add(
          new Parameter(
              matcher.group(1) != null,
              matcher.group(2) != null,
              matcher.group(3),
              matcher.group(4),
              matcher.group(5) != null,
              matcher.group(6) != null));
      end = matcher.end();
    }
    if (end < path.length()) {
      pieces.add(new Text(path.substring(end)));
    }
  }

  private static void expand(Parameter parameter, StringBuilder out) {
    String slash = parameter.slash ? "/" : "";
    String anything = parameter.dot ? "([^/.]+?)" : "([^/]+?)";
    out.append(parameter.optional ? "" : slash)
        .append("(?:")
        .append(parameter.optional ? slash : "")
        .append(parameter.dot ? "." : "")
        .append(parameter.capture == null ? anything : parameter.capture)
        .append(')')
        .append(parameter.optional ? "?" : "")
        .append(parameter.star ? "(/*)?" : "");
  }
}
