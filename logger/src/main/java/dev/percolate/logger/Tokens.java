package dev.percolate.logger;

import dev.percolate.core.Closing;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds, for a format function, the values of tokens for one request, as one logger saw it.
 *
 * <p>Two loggers in the path of a request have one each, and so their own times.
 */
public final class Tokens {

  final Request req;
  final Response res;
  final LogClock clock;

  /** Tokens of this logger alone. */
  private final Map<String, TokenWriter> own;

  /** Kept from the start, since a connection that is gone may not know it any more. */
  final String address;

  private final long start;
  private long headersAt;
  private boolean headersSeen;

  /** How the connection has ended, in the second line of one that was handed over. */
  private @Nullable Closing closing;

  Tokens(LogClock clock, Map<String, TokenWriter> own, Request req, Response res) {
    this.clock = clock;
    this.own = own;
    this.req = req;
    this.res = res;
    this.address = req.ip();
    this.start = clock.nanos();
  }

  /**
   * Returns the value of a token, escaped.
   *
   * @param name the token's name, such as {@code method}; letter case counts
   * @param args what the token is asked for, such as {@code "iso"} for {@code date}
   * @return its text; null if there is no value
   * @throws IllegalArgumentException if there is no such token
   */
  public @Nullable String get(String name, @Nullable Object... args) {
    TokenWriter field = own.get(name);
    return (field == null ? TokenRegistry.find(name) : field).text(this, args);
  }

  /** Returns what a name means to this logger now. */
  TokenWriter field(TokenRegistry.Named token) {
    TokenWriter field = own.isEmpty() ? null : own.get(token.name());
    return field == null ? token.field() : field;
  }

  /** Notes that the headers go out now. */
  void headersOut() {
    if (!headersSeen) {
      headersSeen = true;
      headersAt = clock.nanos();
    }
  }

  /** Makes the next line that of the end of a connection. */
  void closing(Closing how) {
    closing = how;
  }

  /** Returns how the connection has ended; null in the line of the request. */
  @Nullable Closing closing() {
    return closing;
  }

  /** Returns true if there are times: the head has gone out, and after this logger. */
  boolean timed() {
    return headersSeen && res.sentStatus() != 0;
  }

  /** Returns the status code to show; 0 if no response has left the server. */
  int status() {
    int sent = res.sentStatus();
    return sent == 0 || sent == res.status() || showsSent() ? sent : res.status();
  }

  /** Returns the length that the server has added to the response; -1 if there is none to show. */
  long addedLength() {
    long length = res.sentLength();
    return length < 0 || showsSent() ? length : -1;
  }

  private boolean showsSent() {
    return !"set".equals(req.settings().get(Settings.LOGGED_RESPONSE));
  }

  long nanosToHeaders() {
    return headersAt - start;
  }

  long nanosToNow() {
    return clock.nanos() - start;
  }
}
