package dev.percolate.logger;

import java.util.Locale;

/**
 * Escapes token values that could split a field of a space-separated line.
 *
 * <p>The common and combined formats write the address and the user without quotes, and the target
 * within the quotes of the request line. A space there ends the field, and a bracket begins the
 * date. Clients choose these values, so characters that would end the field are escaped as in JSON:
 * {@code \}{@code u} and four hexadecimal digits.
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
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
  }

  private boolean ends(char c) {
    return (separates && isBlank(c)) || signs.indexOf(c) >= 0;
  }

  /**
   * Returns true for spaces, including Unicode spaces, which many log parsers treat as separators.
   */
  private static boolean isBlank(char c) {
    return c == ' ' || (c > 0x7F && Character.isSpaceChar(c));
  }
}
