package dev.percolate.logger;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.engine.Callbacks;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.PlainText;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one log line for each request, when its response is complete or the client has
 * disconnected.
 *
 * <p>A format defines the line: a predefined format, a format string such as {@code ":method :url
 * :status"}, or a function. Token values are escaped, so clients cannot forge log lines. Mounted at
 * the root of an application, the logger also logs requests that the server itself rejects. See
 * step 4 of docs/flow.md.
 *
 * <p>In your own format string, put quotes around text from clients: {@code ":req[x-tenant]"}.
 * Without quotes, a header with spaces looks like several fields.
 *
 * <pre>
 *   app.use(RequestLogger.of("combined").skip((req, res) -&gt; res.status() &lt; 400));
 * </pre>
 *
 * <p>Options; each returns a changed copy:
 *
 * <pre>
 *   skip       never            which requests get no log line
 *   immediate  false            whether to write the line when the request arrives
 *   to         standard output  the destination of the lines
 *   with       none             tokens for this logger only
 * </pre>
 *
 * <p>Formats: {@code combined}, {@code common}, {@code default}, {@code short}, {@code tiny},
 * {@code dev}, {@code json}, {@code logfmt} (see {@link StructuredFormat}). Tokens: {@code
 * :date[clf|iso|web]}, {@code :http-version}, {@code :method}, {@code :pid}, {@code :referrer},
 * {@code :remote-addr}, {@code :remote-user}, {@code :req[header]}, {@code :res[header]}, {@code
 * :response-time[digits]}, {@code :status}, {@code :total-time[digits]}, {@code :url}, {@code
 * :user-agent}, {@code :request-id}, {@code :trace-id}. An absent value is written as {@code -}.
 *
 * <p>A WebSocket gets a second line when it closes, with the tokens {@code :ws-close} (the close
 * code), {@code :ws-messages-in}, {@code :ws-messages-out}, {@code :ws-bytes-in} and {@code
 * :ws-bytes-out}. In this line {@code :total-time} is the duration of the connection. If a format
 * string uses none of the {@code ws} tokens, they are appended to its line.
 *
 * <p>If a format, a token or {@code skip} throws, that line is lost. Lost lines are counted and
 * reported at most once a minute by the system logger {@code dev.percolate.logger}. With {@code
 * immediate}, the exception goes to the error handlers instead.
 */
@CheckReturnValue
public final class RequestLogger extends Copyable<RequestLogger>
    implements Middleware, RejectionListener, TraitsProvider {

  /** The maximum initial capacity of a line. Longer lines are rare and may need a copy. */
  private static final int LONG_LINE = 512;

  /** The text that is appended to the second line of an upgraded connection. */
  private static final TextFormat CLOSING =
      FormatText.compile(
          " closed :ws-close, in :ws-messages-in/:ws-bytes-in, out :ws-messages-out/:ws-bytes-out,"
              + " :total-time[0] ms");

  private final LineFormat format;
  private final LossCounter lossCounter = new LossCounter();
  private @Nullable BiPredicate<? super Request, ? super Response> skip;
  private boolean immediate;
  private LogSink sink = LogSink.stdout();
  private Map<String, TokenWriter> own = Map.of();
  private LogClock clock = LogClock.SYSTEM;

  // The length of recent lines. Not volatile: a thread with an old value only copies a line once.
  private int expected = 128;

  private RequestLogger(LineFormat format) {
    this.format = format;
  }

  /**
   * Creates a logger that writes to standard output. The format is looked up or compiled now. A
   * single word that is not a format name is a format string. Since it may be misspelled, a warning
   * names the closest format.
   *
   * @param nameOrText the name of a format or a format string; null or empty for {@code default}
   * @return the logger
   */
  public static RequestLogger of(@Nullable String nameOrText) {
    return of(Formats.find(nameOrText));
  }

  /**
   * Creates a logger that writes to standard output, with a format function.
   *
   * @param format creates the lines
   * @return the logger
   */
  public static RequestLogger of(LineFormat format) {
    return new RequestLogger(Objects.requireNonNull(format, "RequestLogger.of(null)"));
  }

  /**
   * Compiles a format string.
   *
   * @param text the format string, never the name of a format
   * @return a format that never omits a line
   */
  public static LineFormat compile(String text) {
    return FormatText.compile(text);
  }

  /**
   * Defines or replaces a format, for loggers created afterwards.
   *
   * @param name the name of the format
   * @param text a format string
   */
  public static void format(String name, String text) {
    Formats.define(name, FormatText.compile(text));
  }

  /**
   * Defines or replaces a format, for loggers created afterwards.
   *
   * @param name the name of the format
   * @param format creates the lines
   */
  public static void format(String name, LineFormat format) {
    Formats.define(name, Objects.requireNonNull(format, "format(…, null)"));
  }

  /**
   * Defines or replaces a token in all formats, including those in use.
   *
   * @param name the name; in format strings at least two letters, digits, hyphens or underscores
   * @param token returns the value
   */
  public static void token(String name, Token token) {
    TokenRegistry.define(name, new UserToken(Objects.requireNonNull(token, "token(…, null)")));
  }

  /**
   * Defines a token without arguments. See {@link #token(String, Token)}.
   *
   * @param name the name
   * @param token returns the value, or null
   */
  public static void token(
      String name,
      BiFunction<? super Request, ? super Response, ? extends @Nullable Object> token) {
    Objects.requireNonNull(token, "token(…, null)");
    TokenRegistry.define(name, new UserToken((req, res, args) -> token.apply(req, res)));
  }

  /**
   * Resets all formats and tokens to the predefined ones. For tests, because definitions apply to
   * the whole process.
   */
  public static void reset() {
    Formats.reset();
    TokenRegistry.reset();
  }

  /**
   * Skips the log lines of some requests. Called once for each request, when its line is due.
   *
   * @param skip returns true to write no line
   */
  public RequestLogger skip(BiPredicate<? super Request, ? super Response> skip) {
    Objects.requireNonNull(skip, "skip(null)");
    return with(copy -> copy.skip = skip);
  }

  /**
   * Sets when the line is written. An immediate line reaches its destination before the next
   * handler runs, so it survives a crash there. Each request waits for that, for at most one
   * second. Do not use it in event-loop mode, where handlers must not wait. Default: false.
   *
   * @param immediate true to write when the request arrives, false to write when it is over
   */
  public RequestLogger immediate(boolean immediate) {
    return with(copy -> copy.immediate = immediate);
  }

  /**
   * Defines a token for this logger only. It overrides a shared token of the same name.
   *
   * @param name the name; in format strings at least two letters, digits, hyphens or underscores
   * @param token returns the value
   */
  public RequestLogger with(String name, Token token) {
    Map<String, TokenWriter> more = new HashMap<>(own);
    more.put(name, new UserToken(Objects.requireNonNull(token, "with(…, null)")));
    return with(copy -> copy.own = Map.copyOf(more));
  }

  /**
   * Sets the destination of the lines. Default: standard output.
   *
   * @param sink writes the lines
   */
  public RequestLogger to(LogSink sink) {
    Objects.requireNonNull(sink, "to(null)");
    return with(copy -> copy.sink = sink);
  }

  /**
   * Calls a consumer with each line, including its line feed. Calls do not overlap, and are made on
   * the thread that ends the request, so the consumer must not block. If it may block, use {@link
   * LogSink#of(Consumer)}.
   *
   * @param consumer receives the lines
   */
  public RequestLogger to(Consumer<? super String> consumer) {
    return to(LogSink.direct(consumer));
  }

  /**
   * Writes the lines to a stream, in UTF-8. See {@link LogSink#of(OutputStream)}.
   *
   * @param stream receives the lines
   */
  public RequestLogger to(OutputStream stream) {
    return to(LogSink.of(stream));
  }

  /**
   * Writes the lines to a print stream, in UTF-8. See {@link LogSink#of(OutputStream)}.
   *
   * @param stream receives the lines
   */
  public RequestLogger to(PrintStream stream) {
    return to(LogSink.of(stream));
  }

  /**
   * Writes the lines to a writer or another appendable. See {@link LogSink#of(Appendable)}.
   *
   * @param text receives the lines
   */
  public RequestLogger to(Appendable text) {
    return to(LogSink.of(text));
  }

  /**
   * Returns the number of lines that were lost because the format, a token or {@code skip} threw.
   *
   * @return the number of lost lines
   */
  public long failedLines() {
    return lossCounter.lost();
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("logger").beforeRoutes();
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    Tokens tokens = new Tokens(clock, own, req, res);
    if (immediate) {
      CharSequence line = line(tokens);
      if (line != null) {
        sink.writeThrough(line);
      }
    } else {
      res.onHeaders(tokens::headersOut);
      res.onFinish(() -> over(tokens));
    }
    next.run();
  }

  @Override
  public void onRejected(Request req, Response res) {
    log(new Tokens(clock, own, req, res));
  }

  RequestLogger clock(LogClock clock) {
    return with(copy -> copy.clock = clock);
  }

  /** Writes the line of a request, and a second line when an upgraded connection has closed. */
  private void over(Tokens tokens) {
    boolean upgraded = tokens.checkUpgrade();
    log(tokens);
    if (upgraded) {
      tokens.res.onConnectionClose(
          closing -> {
            tokens.closing(closing);
            log(tokens);
          });
    }
  }

  /** Writes a line. A failure is counted and reported. */
  void log(Tokens tokens) {
    try {
      CharSequence line = line(tokens);
      if (line != null) {
        RequestTrace trace = RequestControl.trace(tokens.req);
        if (trace != null) {
          Callbacks.run("a request trace", () -> trace.onLog(line));
        }
        sink.take(line);
      }
    } catch (Throwable e) {
      lossCounter.raise(1, "formatting a log line failed", e);
    }
  }

  @Nullable CharSequence line(Tokens tokens) {
    if (skip != null && skip.test(tokens.req, tokens.res)) {
      return null;
    }
    if (format instanceof TextFormat text) {
      StringBuilder out = new StringBuilder(expected);
      text.append(tokens, out);
      if (tokens.closing() != null && !text.tellsClosing()) {
        CLOSING.append(tokens, out);
      }
      out.append('\n');
      if (out.length() > expected && expected < LONG_LINE) {
        expected = Math.min(out.length(), LONG_LINE);
      }
      return out;
    }
    Object line = format.line(tokens, tokens.req, tokens.res);
    return line == null ? null : PlainText.of(line).concat("\n");
  }
}
