package dev.percolate.logger;

import dev.percolate.http.CheckReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes lines of named fields for log processors: JSON, one object per line (RFC 8259), or logfmt,
 * {@code name=value} pairs separated by spaces.
 *
 * <pre>
 *   app.use(RequestLogger.of("json"));
 *   app.use(RequestLogger.of(StructuredFormat.json().fields("method", "url", "status")));
 *   app.use(RequestLogger.of(StructuredFormat.logfmt().field("id", "req[x-request-id]")));
 * </pre>
 *
 * <p>Each field shows a token, written without its colon. Absent values are omitted. Status, times,
 * process ID and content lengths are numbers. Values of custom tokens keep their type: numbers
 * (including zero), {@code true} and {@code false} are written as such, NaN is absent, and all
 * other values are strings. A {@code date} is in ISO 8601 unless its argument says otherwise.
 * Values are escaped, so a value cannot end its field, and parsers restore the original value.
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   fields  date remote-addr remote-user method url http-version status
 *           res[content-length] response-time referrer user-agent
 *           request-id trace-id                                      all fields, in this order
 *   field                                                            adds or replaces one field
 * </pre>
 *
 * <p>The line for the end of a WebSocket also has the fields {@code ws_close ws_messages_in
 * ws_messages_out ws_bytes_in ws_bytes_out total_time}.
 *
 * <p>A field is named like its token, or like the header that it shows, in lowercase and with
 * underscores: {@code response_time}, {@code content_length}. In logfmt, a {@code date} is named
 * {@code time}, as logfmt parsers expect.
 */
@CheckReturnValue
public final class StructuredFormat implements TextFormat {

  private static final String[] STANDARD =
      ("date remote-addr remote-user method url http-version status res[content-length]"
              + " response-time referrer user-agent request-id trace-id")
          .split(" ", -1);

  /** The additional fields of the line for the end of a connection. */
  private static final List<StructuredField> CLOSING =
      Stream.of(
              "ws-close ws-messages-in ws-messages-out ws-bytes-in ws-bytes-out total-time"
                  .split(" "))
          .map(token -> StructuredField.of(token, "date"))
          .toList();

  private final boolean json;
  private final List<StructuredField> fields;

  private StructuredFormat(boolean json, List<StructuredField> fields) {
    this.json = json;
    this.fields = fields;
  }

  /** Creates the format {@code json}: one object per line with typed values. */
  public static StructuredFormat json() {
    return new StructuredFormat(true, List.of()).fields(STANDARD);
  }

  /**
   * Creates the format {@code logfmt}. Values are quoted as in JSON if they contain a space, {@code
   * "}, {@code =}, {@code \} or anything but visible ASCII.
   */
  public static StructuredFormat logfmt() {
    return new StructuredFormat(false, List.of()).fields(STANDARD);
  }

  /**
   * Sets the fields.
   *
   * @param tokens tokens such as {@code method}, {@code date[clf]}, {@code req[x-request-id]}
   * @throws IllegalArgumentException if a token is invalid, or two fields have the same name
   */
  public StructuredFormat fields(String... tokens) {
    if (tokens.length == 0) {
      throw new IllegalArgumentException("fields must have at least one token");
    }
    List<StructuredField> chosen = new ArrayList<>();
    for (String token : tokens) {
      StructuredField field = StructuredField.of(token, json ? "date" : "time");
      if (chosen.stream().anyMatch(other -> other.name().equals(field.name()))) {
        throw new IllegalArgumentException(
            "fields(" + String.join(", ", tokens) + ") has more than one field " + field.name());
      }
      chosen.add(field);
    }
    return new StructuredFormat(json, List.copyOf(chosen));
  }

  /**
   * Adds a field at the end, or replaces the field of that name.
   *
   * @param name letters, digits and any of {@code _ . - @}
   * @param token a token such as {@code req[x-request-id]}
   * @throws IllegalArgumentException if the token or the name is invalid
   */
  public StructuredFormat field(String name, String token) {
    StructuredField field = StructuredField.named(name, token);
    List<StructuredField> changed = new ArrayList<>(fields);
    changed.replaceAll(other -> other.name().equals(name) ? field : other);
    if (!changed.contains(field)) {
      changed.add(field);
    }
    return new StructuredFormat(json, List.copyOf(changed));
  }

  @Override
  public void append(Tokens tokens, StringBuilder out) {
    int begin = out.append(json ? "{" : "").length();
    for (StructuredField field : fields) {
      append(field, tokens, out, begin);
    }
    if (tokens.closing() != null) {
      for (StructuredField field : CLOSING) {
        if (fields.stream().noneMatch(other -> other.name().equals(field.name()))) {
          append(field, tokens, out, begin);
        }
      }
    }
    out.append(json ? "}" : "");
  }

  @Override
  public boolean tellsClosing() {
    return true;
  }

  private void append(StructuredField field, Tokens tokens, StringBuilder out, int begin) {
    int start = out.length();
    String between = start == begin ? "" : json ? "," : " ";
    String quote = json ? "\"" : "";
    out.append(between).append(quote).append(field.name()).append(quote).append(json ? ':' : '=');
    int value = out.length();
    StructuredField.Kind kind = field.append(tokens, out);
    if (kind == StructuredField.Kind.ABSENT) {
      out.setLength(start);
    } else if (kind == StructuredField.Kind.TEXT && (json || !isBare(out, value))) {
      escapeLoneSurrogates(out, value);
      out.insert(value, '"').append('"');
    }
  }

  /** Returns true if logfmt needs no quotes. Escaped text contains a backslash. */
  private static boolean isBare(StringBuilder out, int from) {
    for (int i = from; i < out.length(); i++) {
      char c = out.charAt(i);
      if (c <= ' ' || c > '~' || c == '"' || c == '=' || c == '\\') {
        return false;
      }
    }
    return out.length() > from;
  }

  /**
   * Escapes unpaired surrogates, which UTF-8 cannot represent. Tokens have already escaped other
   * characters.
   */
  private static void escapeLoneSurrogates(StringBuilder out, int from) {
    String text = null;
    for (int i = from; i < out.length(); i++) {
      if (Character.isSurrogate(out.charAt(i))) {
        text = out.substring(from);
        out.setLength(from);
      }
    }
    if (text != null) {
      text.codePoints()
          .forEach(
              c -> {
                if (c <= Character.MAX_VALUE && Character.isSurrogate((char) c)) {
                  out.append("\\u").append(Integer.toHexString(c));
                } else {
                  out.appendCodePoint(c);
                }
              });
    }
  }
}
