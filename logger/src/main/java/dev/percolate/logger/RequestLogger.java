package dev.percolate.logger;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RefusalListener;
import dev.percolate.core.Request;
import dev.percolate.core.RequestTrace;
import dev.percolate.core.Response;
import dev.percolate.core.StepKind;
import dev.percolate.core.StepTraits;
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
 * Writes one line for each request that passes, when its answer is complete or its client has gone.
 *
 * <p>The line is made by a format: a predefined one, a format string such as {@code ":method :url
 * :status"}, or a function. All text that tokens give is escaped, so a client cannot forge a line.
 * Mounted at the root of an application, it also logs the requests that the server itself refuses.
 * Step 4 of docs/flow.md.
 *
 * <pre>
 *   app.use(RequestLogger.of("combined").skip((req, res) -&gt; res.status() &lt; 400));
 * </pre>
 *
 * <p>Options, each gives a changed copy:
 *
 * <pre>
 *   skip       never            tells, when the line is due, whether there is to be none
 *   immediate  false            writes the line before the next step, knowing no answer
 *   to         standard output  where the lines go
 *   with       none             tokens of this logger alone
 * </pre>
 *
 * <p>Formats: {@code combined}, {@code common}, {@code default}, {@code short}, {@code tiny},
 * {@code dev}, {@code json}, {@code logfmt} (see {@link StructuredFormat}). Tokens: {@code
 * :date[clf|iso|web]}, {@code :http-version}, {@code :method}, {@code :pid}, {@code :referrer},
 * {@code :remote-addr}, {@code :remote-user}, {@code :req[header]}, {@code :res[header]}, {@code
 * :response-time[digits]}, {@code :status}, {@code :total-time[digits]}, {@code :url}, {@code
 * :user-agent}. A value that is absent is written as {@code -}.
 *
 * <p>A WebSocket has a second line when it has ended, in which {@code :ws-close} is the code it was
 * closed by, {@code :ws-messages-in}, {@code :ws-messages-out}, {@code :ws-bytes-in} and {@code
 * :ws-bytes-out} what has come and was sent, and {@code :total-time} how long it lasted. Where a
 * format string names none of these, they stand behind its line.
 *
 * <p>An error in a format, a token or {@code skip} loses that one line, which is counted and
 * reported by the platform logger {@code dev.percolate.logger}, once a minute at most. With {@code
 * immediate} it goes to the error handlers instead.
 */
@CheckReturnValue
public final class RequestLogger extends Copyable<RequestLogger>
    implements Middleware, RefusalListener, StepKind {

  /** Longer lines are few, and may cost a copy. */
  private static final int LONG_LINE = 512;

  /** The status behind which a connection goes on with another protocol. */
  private static final int SWITCHED = 101;

  /** What the second line of such a connection has besides. */
  private static final TextFormat CLOSING =
      FormatText.compile(
          " closed :ws-close, in :ws-messages-in/:ws-bytes-in, out :ws-messages-out/:ws-bytes-out,"
              + " :total-time[0] ms");

  private final LineFormat format;
  private final LossCounter alarm = new LossCounter();
  private @Nullable BiPredicate<? super Request, ? super Response> skip;
  private boolean immediate;
  private LogSink sink = LogSink.stdout();
  private Map<String, TokenWriter> own = Map.of();
  private LogClock clock = LogClock.SYSTEM;

  // How long lines are, as far as seen. Not volatile: a thread that sees less copies a line once.
  private int expected = 128;

  private RequestLogger(LineFormat format) {
    this.format = format;
  }

  /**
   * Creates a logger with a format that is looked up, or compiled, now. A single word that is no
   * name is a format string too, the text of each line. As it may be misspelled, a warning names
   * the nearest format.
   *
   * @param nameOrText the name of a format, else a format string; null or empty for {@code default}
   * @return a logger to the standard output
   */
  public static RequestLogger of(@Nullable String nameOrText) {
    return of(Formats.find(nameOrText));
  }

  /**
   * Creates a logger with a format function.
   *
   * @param format makes the lines
   * @return a logger to the standard output
   */
  public static RequestLogger of(LineFormat format) {
    return new RequestLogger(Objects.requireNonNull(format, "RequestLogger.of(null)"));
  }

  /**
   * Compiles a format string.
   *
   * @param text the format string; here it is never a name
   * @return a function that always gives a line
   */
  public static LineFormat compile(String text) {
    return FormatText.compile(text);
  }

  /**
   * Defines a format, or replaces it, for loggers made from now on.
   *
   * @param name its name
   * @param text a format string
   */
  public static void format(String name, String text) {
    Formats.define(name, FormatText.compile(text));
  }

  /**
   * Defines a format, or replaces it, for loggers made from now on.
   *
   * @param name its name
   * @param format makes the lines
   */
  public static void format(String name, LineFormat format) {
    Formats.define(name, Objects.requireNonNull(format, "format(…, null)"));
  }

  /**
   * Defines a token, or replaces it, in all formats at once.
   *
   * @param name its name; in format strings two or more letters, digits, hyphens and underscores
   * @param token gives its value
   */
  public static void token(String name, Token token) {
    TokenRegistry.define(name, new UserToken(Objects.requireNonNull(token, "token(…, null)")));
  }

  /**
   * Defines a token that takes no arguments; see {@link #token(String, Token)}.
   *
   * @param name its name
   * @param token gives its value, or null
   */
  public static void token(
      String name,
      BiFunction<? super Request, ? super Response, ? extends @Nullable Object> token) {
    Objects.requireNonNull(token, "token(…, null)");
    TokenRegistry.define(name, new UserToken((req, res, args) -> token.apply(req, res)));
  }

  /**
   * Forgets all formats and tokens that were defined, and gives the predefined ones back: for tests
   * that define some, since both belong to the whole process.
   */
  public static void reset() {
    Formats.reset();
    TokenRegistry.reset();
  }

  /**
   * Says for which requests no line is written. It is asked once for each, when its line is due.
   *
   * @param skip tells whether there is to be none
   */
  public RequestLogger skip(BiPredicate<? super Request, ? super Response> skip) {
    Objects.requireNonNull(skip, "skip(null)");
    return with(copy -> copy.skip = skip);
  }

  /**
   * Returns when the line is written. An immediate one is in the target before the next step runs,
   * so it outlives a crash there; each request waits for that, for a second at most.
   *
   * @param immediate true for at once, when the request comes; false for when it is over
   */
  public RequestLogger immediate(boolean immediate) {
    return with(copy -> copy.immediate = immediate);
  }

  /**
   * Defines a token for this logger alone; it goes before one of the same name that all share.
   *
   * @param name its name; in format strings two or more letters, digits, hyphens and underscores
   * @param token gives its value
   */
  public RequestLogger with(String name, Token token) {
    Map<String, TokenWriter> more = new HashMap<>(own);
    more.put(name, new UserToken(Objects.requireNonNull(token, "with(…, null)")));
    return with(copy -> copy.own = Map.copyOf(more));
  }

  /**
   * Returns where the lines go.
   *
   * @param sink takes them
   */
  public RequestLogger to(LogSink sink) {
    Objects.requireNonNull(sink, "to(null)");
    return with(copy -> copy.sink = sink);
  }

  /**
   * Has a consumer called with each line, its line feed included, one call at a time, on the thread
   * that ends the exchange; so it must not block. See {@link LogSink#of(Consumer)} for one that
   * may.
   *
   * @param consumer takes the lines
   */
  public RequestLogger to(Consumer<? super String> consumer) {
    return to(LogSink.direct(consumer));
  }

  /**
   * Writes the lines to a stream, in UTF-8; see {@link LogSink#of(OutputStream)}.
   *
   * @param stream takes them
   */
  public RequestLogger to(OutputStream stream) {
    return to(LogSink.of(stream));
  }

  /**
   * Writes the lines to a print stream, in UTF-8; see {@link LogSink#of(OutputStream)}.
   *
   * @param stream takes them
   */
  public RequestLogger to(PrintStream stream) {
    return to(LogSink.of(stream));
  }

  /**
   * Writes the lines to a writer or other appendable; see {@link LogSink#of(Appendable)}.
   *
   * @param text takes them
   */
  public RequestLogger to(Appendable text) {
    return to(LogSink.of(text));
  }

  /**
   * Returns how many lines were lost by errors of the format, a token or {@code skip}.
   *
   * @return how many
   */
  public long failed() {
    return alarm.lost();
  }

  @Override
  public StepTraits traits() {
    return StepTraits.of("logger").aboveRoutes();
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
  public void refused(Request req, Response res) {
    log(new Tokens(clock, own, req, res));
  }

  RequestLogger clock(LogClock clock) {
    return with(copy -> copy.clock = clock);
  }

  /** Writes the line of an answer; that of its connection follows if it was handed over. */
  private void over(Tokens tokens) {
    log(tokens);
    if (tokens.res.status() == SWITCHED) {
      tokens.res.onClosing(
          closing -> {
            tokens.closing(closing);
            log(tokens);
          });
    }
  }

  /** Writes the line of an exchange, unless its making fails. */
  void log(Tokens tokens) {
    try {
      CharSequence line = line(tokens);
      if (line != null) {
        RequestTrace trace = tokens.req.trace();
        if (trace != null) {
          trace.logged(line);
        }
        sink.take(line);
      }
    } catch (Throwable e) {
      alarm.raise(1, "making a log line failed", e);
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
