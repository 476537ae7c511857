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

  /**
   * Escapes token values that could split a field of a space-separated line.
   *
   * <p>The common and combined formats write the address and the user without quotes, and the
   * target within the quotes of the request line. A space there ends the field, and a bracket
   * begins the date. Clients choose these values, so characters that would end the field are
   * escaped as in JSON: {@code \}{@code u} and four hexadecimal digits.
   */
  enum LineField {
    /** Free text: all other tokens. Formats quote them where necessary. */
    TEXT(false, ""),
    /** One word, such as the target in {@code "GET /a HTTP/1.1"}. */
    WORD(true, ""),
    /** A field without quotes, such as the user. awstats rejects users with a slash. */
    BARE(true, "[]/"),
    /** A field in brackets. */
    BRACKETED(false, "[]");

    private final boolean separates;
    private final String signs;

    LineField(boolean separates, String signs) {
      this.separates = separates;
      this.signs = signs;
    }

    /** The context of a token in a format string. */
    enum Place {
      BARE,
      QUOTED,
      BRACKETED;

      /** Returns the context after more literal text. */
      Place after(String literal) {
        Place place = this;
        for (int i = 0; i < literal.length(); i++) {
          char c = literal.charAt(i);
          if (c == '"' && place != BRACKETED) {
            place = place == QUOTED ? BARE : QUOTED;
          } else if (c == '[' && place == BARE) {
            place = BRACKETED;
          } else if (c == ']' && place == BRACKETED) {
            place = BARE;
          }
        }
        return place;
      }
    }

    static LineField of(String token, Place place) {
      return switch (token) {
        case "method", "url" -> WORD;
        case "remote-addr", "remote-user" ->
            switch (place) {
              case BARE -> BARE;
              case BRACKETED -> BRACKETED;
              case QUOTED -> TEXT;
            };
        default -> TEXT;
      };
    }

    /**
     * Escapes characters that would end the field.
     *
     * @param from the index in the line where the field begins
     */
    void close(StringBuilder line, int from) {
      if (this == TEXT) {
        return;
      }
      int first = from;
      while (first < line.length() && !ends(line.charAt(first))) {
        first++;
      }
      String rest = line.substring(first);
      line.setLength(first);
      for (int i = 0; i < rest.length(); i++) {
        char c = rest.charAt(i);
        if (ends(c)) {
          line.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
        } else {
          line.append(c);
        }
      }
    }

    private boolean ends(char c) {
      return (separates && isBlank(c)) || signs.indexOf(c) >= 0;
    }

    /**
     * Returns true for spaces, including Unicode spaces, which many log parsers treat as
     * separators.
     */
    private static boolean isBlank(char c) {
      return c == ' ' || (c > 0x7F && Character.isSpaceChar(c));
    }
  }
}
