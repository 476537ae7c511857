package dev.percolate.logger;

import dev.percolate.http.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A format string, compiled to literal text and token references.
 *
 * <p>A reference is a colon and a name of at least two letters, digits, hyphens and underscores,
 * optionally followed by an argument in brackets. All other text is literal.
 */
final class FormatText implements TextFormat {

  private static final Object[] NO_ARGS = {};
  private static final Pattern TOKEN = Pattern.compile(":([\\w-]{2,})(?:\\[([^\\]]+)\\])?");

  private final Part[] parts;
  private final boolean tellsClosing;

  private FormatText(List<Part> parts) {
    this.parts = parts.toArray(Part[]::new);
    this.tellsClosing =
        parts.stream().anyMatch(part -> part.token != null && part.text.startsWith("ws-"));
  }

  /** Literal text, or a token with its arguments. */
  static final class Part {

    final String text;
    final TokenRegistry.@Nullable Named token;
    final @Nullable Object[] args;
    final LineField field;

    private Part(
        String text,
        TokenRegistry.@Nullable Named token,
        @Nullable Object[] args,
        LineField field) {
      this.text = text;
      this.token = token;
      this.args = args;
      this.field = field;
    }

    static Part literal(String text) {
      return new Part(text, null, NO_ARGS, LineField.TEXT);
    }

    static Part token(String name, LineField.Place place, @Nullable Object... args) {
      return new Part(name, TokenRegistry.named(name), args, LineField.of(name, place));
    }
  }

  static FormatText compile(String text) {
    List<Part> parts = new ArrayList<>();
    LineField.Place place = LineField.Place.BARE;
    int literal = 0;
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      String before = text.substring(literal, token.start());
      if (!before.isEmpty()) {
        parts.add(Part.literal(before));
        place = place.after(before);
      }
      String argument = token.group(2);
      Object[] args = argument == null ? NO_ARGS : new Object[] {argument(argument)};
      parts.add(Part.token(token.group(1), place, args));
      literal = token.end();
    }
    if (literal < text.length()) {
      parts.add(Part.literal(text.substring(literal)));
    }
    return new FormatText(parts);
  }

  /** Parses a token that is written without its colon. Returns null if it is invalid. */
  static @Nullable Part token(String reference) {
    Part[] parts = compile(":" + reference).parts;
    return parts.length == 1 && parts[0].token != null ? parts[0] : null;
  }

  @Override
  public void append(Tokens tokens, StringBuilder out) {
    for (Part part : parts) {
      int from = out.length();
      if (part.token == null) {
        out.append(part.text);
      } else if (tokens.field(part.token).append(tokens, out, part.args)) {
        part.field.close(out, from);
      } else {
        out.append('-');
      }
    }
  }

  @Override
  public boolean tellsClosing() {
    return tellsClosing;
  }

  /** Escapes an argument as JSON text, the form in which tokens receive it. */
  private static String argument(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (String c : text.split("", -1)) {
      boolean plain = c.isEmpty() || (c.charAt(0) >= ' ' && !c.equals("\"") && !c.equals("\\"));
      out.append(plain ? c : LogText.escape(c));
    }
    return out.toString();
  }
}
