package dev.percolate.framework.path;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates a regular expression from JavaScript syntax to Java syntax.
 *
 * <p>The two differ in which characters are literal: an unmatched bracket or brace, a backslash
 * before a letter without a meaning, {@code [} and {@code &&} in a class. An optional group that
 * would match the empty text takes no part in JavaScript; in Java it captures the empty text.
 */
final class ScriptSyntax {

  private static final Pattern QUANTIFIER = Pattern.compile("\\{\\d+(,\\d*)?\\}");
  private static final Pattern HEX = Pattern.compile("x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}");

  private final String source;
  private final StringBuilder out = new StringBuilder();
  private int at;

  private ScriptSyntax(String source) {
    this.source = source;
  }

  /**
   * Returns the expression in Java syntax.
   *
   * @throws IllegalArgumentException for a quantifier after another quantifier
   */
  static String toJava(String source) {
    return new ScriptSyntax(source.replace("(.*)?", "(.+)?")).translated();
  }

  private String translated() {
    while (at < source.length()) {
      char c = source.charAt(at++);
      switch (c) {
        case '\\' -> escape(false);
        case '[' -> characterClass();
        case '$' -> out.append("\\z");
        case ']', '}' -> out.append('\\').append(c);
        case '{' -> brace();
        case '*', '+', '?' -> {
          out.append(c);
          rejectPossessive();
        }
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  private void brace() {
    Matcher quantifier = QUANTIFIER.matcher(source).region(at - 1, source.length());
    if (quantifier.lookingAt()) {
      out.append(quantifier.group());
      at = quantifier.end();
      rejectPossessive();
    } else {
      out.append("\\{");
    }
  }

  /**
   * Throws if a quantifier is followed by a plus, which Java would read as part of the quantifier.
   */
  private void rejectPossessive() {
    if (at < source.length() && source.charAt(at) == '+') {
      throw new IllegalArgumentException("nothing to repeat before the + at " + at);
    }
  }

  private void characterClass() {
    boolean negated = at < source.length() && source.charAt(at) == '^';
    at += negated ? 1 : 0;
    if (at < source.length() && source.charAt(at) == ']') {
      at++;
      out.append(negated ? "[\\s\\S]" : "(?!)");
      return;
    }
    out.append(negated ? "[^" : "[");
    while (at < source.length() && source.charAt(at) != ']') {
      char c = source.charAt(at++);
      if (c == '\\') {
        escape(true);
      } else if (c == '[' || c == '&' || c == '^') {
        out.append('\\').append(c);
      } else {
        out.append(c);
      }
    }
    if (at == source.length()) {
      throw new IllegalArgumentException("unclosed character class");
    }
    at++;
    out.append(']');
  }

  private void escape(boolean inClass) {
    if (at == source.length()) {
      throw new IllegalArgumentException("backslash at the end");
    }
    char c = source.charAt(at++);
    boolean letter = c < 0x80 && Character.isLetter(c);
    Matcher hex = HEX.matcher(source).region(at - 1, source.length());
    if (hex.lookingAt()) {
      out.append('\\').append(hex.group());
      at = hex.end();
    } else if (c == 'b' && inClass) {
      out.append("\\x08");
    } else if (c == 'v') {
      out.append("\\x0B");
    } else if (c == '0') {
      out.append("\\x00");
    } else if (!letter || (inClass ? "dDwWsSfnrt" : "dDwWsSbBfnrt").indexOf(c) >= 0) {
      out.append('\\').append(c);
    } else {
      out.append(c);
    }
  }
}
