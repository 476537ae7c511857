package dev.percolate.logger;

import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The token values of one request, for a format function.
 *
 * <p>Each logger that a request passes has its own, with its own times.
 */
public final class Tokens {

  private static final int SWITCHED = 101;

  final Request req;
  final Response res;
  final LogClock clock;

  /** Tokens of this logger only. */
  private final Map<String, TokenWriter> own;

  /** Read at the start, since a closed connection may no longer know it. */
  final String address;

  private final long start;
  private long headersAt;
  private boolean headersSeen;

  /** Whether the connection was upgraded. Both lines then have this status. */
  private boolean upgraded;

  /** How an upgraded connection ended; null in the line of the request. */
  private @Nullable ConnectionSummary closing;

  Tokens(LogClock clock, Map<String, TokenWriter> own, Request req, Response res) {
    this.clock = clock;
    this.own = own;
    this.req = req;
    this.res = res;
    this.address = req.ip();
    this.start = clock.nanos();
  }

  /**
   * Returns the escaped value of a token.
   *
   * @param name the name of the token, such as {@code method}; case-sensitive
   * @param args the arguments, such as {@code "iso"} for {@code date}
   * @return the value, or null if it is absent
   * @throws IllegalArgumentException if the token is unknown
   */
  public @Nullable String get(String name, @Nullable Object... args) {
    TokenWriter field = own.get(name);
    return (field == null ? TokenRegistry.find(name) : field).text(this, args);
  }

  /** Returns the current token of a name for this logger. */
  TokenWriter field(TokenRegistry.Named token) {
    TokenWriter field = own.isEmpty() ? null : own.get(token.name());
    return field == null ? token.field() : field;
  }

  /** Records that the headers are being sent. */
  void headersOut() {
    if (!headersSeen) {
      headersSeen = true;
      headersAt = clock.nanos();
    }
  }

  /** Determines whether the connection is upgraded, so that it has a second line. */
  boolean checkUpgrade() {
    upgraded = status() == SWITCHED;
    return upgraded;
  }

  /** Sets how the connection ended, for the second line. */
  void closing(ConnectionSummary how) {
    closing = how;
  }

  /** Returns how the connection ended; null in the line of the request. */
  @Nullable ConnectionSummary closing() {
    return closing;
  }

  /** Returns true if response times are known: the head was sent, after this logger ran. */
  boolean timed() {
    return headersSeen && (upgraded || res.sentStatus() != 0);
  }

  /** Returns the status code to show; 0 if no response has left the server. */
  int status() {
    if (upgraded) {
      return SWITCHED; // even if it turns out that the client has left before
    }
    int sent = res.sentStatus();
    return sent == 0 || sent == res.status() || showsSent() ? sent : res.status();
  }

  /** Returns the content length that the server added to the response; -1 for none. */
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
