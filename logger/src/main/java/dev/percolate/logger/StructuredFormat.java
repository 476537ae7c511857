package dev.percolate.logger;

import dev.percolate.http.CheckReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes lines of named fields, for programs that read logs: JSON, one object a line (RFC 8259), or
 * logfmt, {@code name=value} with blanks between.
 *
 * <pre>
 *   app.use(RequestLogger.of("json"));
 *   app.use(RequestLogger.of(StructuredFormat.json().fields("method", "url", "status")));
 *   app.use(RequestLogger.of(StructuredFormat.logfmt().field("id", "req[x-request-id]")));
 * </pre>
 *
 * <p>Each field is a token, written without its colon. What is absent is left out. Status, times,
 * process id and content lengths are numbers; what a token of one's own gives keeps its type: a
 * number (zero too), {@code true} and {@code false} are written as such, NaN is absent, all else is
 * text. A {@code date} is in ISO 8601 unless it says otherwise. Whatever characters a value has, it
 * cannot leave its field, and the reader of the line gets it back.
 *
 * <p>Options, each gives a changed copy:
 *
 * <pre>
 *   fields  date remote-addr remote-user method url http-version status
 *           res[content-length] response-time referrer user-agent
 * request-id trace-id              all fields, in this order
 *   field                                                            one more, or another one
 * </pre>
 *
 * <p>The line of the end of a WebSocket has the fields {@code ws_close ws_messages_in
 * ws_messages_out ws_bytes_in ws_bytes_out total_time} besides.
 *
 * <p>A field is named like its token, or like the header that it shows, in lower case and with
 * underscores: {@code response_time}, {@code content_length}. In logfmt a {@code date} is named
 * {@code time}, as readers of logfmt expect.
 */
@CheckReturnValue
public final class StructuredFormat implements TextFormat {

  private static final String[] STANDARD = {
    "date",
    "remote-addr",
    "remote-user",
    "method",
    "url",
    "http-version",
    "status",
    "res[content-length]",
    "response-time",
    "referrer",
    "user-agent",
    "request-id",
    "trace-id"
  };

  /** What the line of the end of a connection has besides. */
  private static final List<StructuredField> CLOSING =
      Stream.of(
              "ws-close",
              "ws-messages-in",
              "ws-messages-out",
              "ws-bytes-in",
              "ws-bytes-out",
              "total-time")
          .map(token -> StructuredField.of(token, "date"))
          .toList();

  private final boolean json;
  private final List<StructuredField> fields;

  private StructuredFormat(boolean json, List<StructuredField> fields) {
    this.json = json;
    this.fields = fields;
  }

  /** Creates the format {@code json}: one object a line, its values typed. */
  public static StructuredFormat json() {
    return new StructuredFormat(true, List.of()).fields(STANDARD);
  }

  /**
   * Creates the format {@code logfmt}: values stand bare, or in quotes as in JSON where they hold
   * anything but visible ASCII without {@code "}, {@code =} and {@code \}.
   */
  public static StructuredFormat logfmt() {
    return new StructuredFormat(false, List.of()).fields(STANDARD);
  }

  /**
   * Chooses the fields.
   *
   * @param tokens such as {@code method}, {@code date[clf]}, {@code req[x-request-id]}
   * @throws IllegalArgumentException if one is no token, or two have the same name
   */
  public StructuredFormat fields(String... tokens) {
    if (tokens.length == 0) {
      throw new IllegalArgumentException("fields(): name one at least");
    }
    List<StructuredField> chosen = new ArrayList<>();
    for (String token : tokens) {
      StructuredField field = StructuredField.of(token, json ? "date" : "time");
      if (chosen.stream().anyMatch(other -> other.name().equals(field.name()))) {
        throw new IllegalArgumentException(
            "fields(" + String.join(", ", tokens) + "): two are named " + field.name());
      }
      chosen.add(field);
    }
    return new StructuredFormat(json, List.copyOf(chosen));
  }

  /**
   * Adds a field at the end, or puts another in the place of the one that has the name.
   *
   * @param name letters, digits and any of {@code _ . - @}
   * @param token such as {@code req[x-request-id]}
   * @throws IllegalArgumentException if it is no token, or no name
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

  /** Tells whether logfmt needs no quotes. What is escaped has a backslash. */
  private static boolean isBare(StringBuilder out, int from) {
    for (int i = from; i < out.length(); i++) {
      char c = out.charAt(i);
      if (c <= ' ' || c > '~' || c == '"' || c == '=' || c == '\\') {
        return false;
      }
    }
    return out.length() > from;
  }

  /** Tokens escape all else that a JSON string must not hold, but halves of pairs have no UTF-8. */
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
