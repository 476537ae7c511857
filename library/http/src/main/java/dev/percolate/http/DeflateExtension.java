package dev.percolate.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Negotiates the compression of WebSocket messages: {@code permessage-deflate}, without context
 * takeover, so that each message is compressed on its own (RFC 7692 section 7.1).
 */
public final class DeflateExtension {

  /** The value of {@code Sec-WebSocket-Extensions} in a response that accepts the extension. */
  public static final String AGREED =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  private static final String NAME = "permessage-deflate";
  private static final String SERVER_BITS = "server_max_window_bits";
  private static final String MOST_BITS = "15";
  private static final String BLANKS = " \t";

  private DeflateExtension() {}

  /** An extension that a client offers. */
  private record Offer(String name, List<Param> params) {}

  /** A parameter of an extension; its value may be absent. */
  private record Param(String name, @Nullable String value) {}

  /**
   * Selects one of the extensions that a client offers. Offers with unknown or unsupported
   * parameters are ignored.
   *
   * @param lines the values of {@code Sec-WebSocket-Extensions}
   * @return the value of the header in the response; empty for no extension; null if the request
   *     header is malformed
   */
  public static @Nullable String choose(List<String> lines) {
    String chosen = "";
    for (String line : lines) {
      List<Offer> offers = new Reading(line).offers();
      if (offers == null) {
        return null;
      }
      for (Offer offer : offers) {
        String response = offer.name.equals(NAME) ? answer(offer.params) : "";
        chosen = chosen.isEmpty() ? response : chosen;
      }
    }
    return chosen;
  }

  private static String answer(List<Param> params) {
    Set<String> seen = new HashSet<>();
    boolean bits = false;
    for (Param param : params) {
      if (!seen.add(param.name) || !isKept(param)) {
        return "";
      }
      bits |= param.name.equals(SERVER_BITS);
    }
    return bits ? AGREED + "; " + SERVER_BITS + "=" + MOST_BITS : AGREED;
  }

  /** Returns true if a parameter is supported: the JDK's compressor has one window size only. */
  private static boolean isKept(Param param) {
    String value = param.value;
    return switch (param.name) {
      case "server_no_context_takeover", "client_no_context_takeover" -> value == null;
      case SERVER_BITS -> MOST_BITS.equals(value);
      case "client_max_window_bits" -> value == null || isBits(value);
      default -> false;
    };
  }

  private static boolean isBits(String value) {
    return Set.of("8", "9", "10", "11", "12", "13", "14", MOST_BITS).contains(value);
  }

  /** Parses one header value (RFC 6455 section 9.1). */
  private static final class Reading extends TextScanner {

    Reading(String line) {
      super(line, 0);
    }

    /** Returns the extensions; null if the line is malformed. */
    @Nullable List<Offer> offers() {
      List<Offer> offers = new ArrayList<>();
      do {
        String name = token();
        if (name.isEmpty() && (isAtEnd() || isNext(','))) {
          continue; // an empty element (RFC 9110 section 5.6.1.2)
        }
        List<Param> params = name.isEmpty() ? null : params();
        if (params == null) {
          return null;
        }
        offers.add(new Offer(name, params));
      } while (takes(','));
      return isAtEnd() ? offers : null;
    }

    private @Nullable List<Param> params() {
      List<Param> params = new ArrayList<>();
      while (takes(';')) {
        String name = token();
        String value = null;
        if (!name.isEmpty() && takes('=')) {
          value = isNext('"') ? quoted() : token();
          name = value.isEmpty() ? "" : name;
        }
        if (name.isEmpty()) {
          return null;
        }
        params.add(new Param(name, value));
      }
      return params;
    }

    private String token() {
      skipAll(BLANKS);
      String token = take(HeaderText::isTokenChar);
      skipAll(BLANKS);
      return token;
    }

    /** Returns the text between quotes; empty if it is not a token. */
    private String quoted() {
      StringBuilder value = new StringBuilder();
      at++;
      while (!isAtEnd() && !isNext('"')) {
        boolean ignored = skip('\\');
        if (!isAtEnd()) {
          value.append(text.charAt(at++));
        }
      }
      boolean closed = skip('"');
      skipAll(BLANKS);
      return closed && HeaderText.isToken(value.toString()) ? value.toString() : "";
    }

    private boolean takes(char c) {
      boolean there = skip(c);
      if (there) {
        skipAll(BLANKS);
      }
      return there;
    }
  }
}
