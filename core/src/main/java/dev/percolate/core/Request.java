package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.engine.Turn;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One request, as the steps of its way see and change it.
 *
 * <p>It belongs to one exchange and is used by its steps, one after the other. What comes from the
 * network is untrusted text; no accessor throws because of it. Step 2 of docs/flow.md.
 */
public final class Request extends RequestHead {

  /** The cookies that the client sent, as text, or as what JSON means where that is read. */
  public static final Key<Map<String, Object>> COOKIES =
      Key.of("cookies", new TypeRef<Map<String, Object>>() {});

  /**
   * The cookies whose signature was checked; {@link Boolean#FALSE} where it was wrong, or made for
   * another purpose or name.
   */
  public static final Key<Map<String, Object>> SIGNED_COOKIES =
      Key.of("signed cookies", new TypeRef<Map<String, Object>>() {});

  /** The secret that cookies are signed with. */
  public static final Key<String> SECRET = Key.of("secret", String.class);

  private final Faults faults;
  private final Response response;
  private final Dispatch dispatch;
  private final Body stream;
  private @Nullable Params params;
  private @Nullable Object route;
  private @Nullable String routePath;
  private @Nullable Scope routeScope;
  private @Nullable Object body;
  private @Nullable String bodyText;
  private @Nullable String encoding;
  private @Nullable Map<String, Object> attributes;

  /**
   * Makes the request and the response of an exchange; whoever implements {@link Service} does.
   *
   * @param exchange the exchange
   * @param scope what holds until an application is at work
   * @param faults the counters of the outermost application
   */
  public Request(Exchange exchange, Scope scope, Faults faults) {
    super(exchange, scope);
    this.faults = faults;
    this.stream = new Body(this);
    this.response = new Response(this, new Answer(exchange, faults));
    this.dispatch = new Dispatch(this);
    exchange.turn().serves(dispatch);
    if (!exchange.answerTimeout().isZero()) {
      AnswerTimeout.watch(this, exchange.answerTimeout());
    }
  }

  @Override
  public Response response() {
    return response;
  }

  /** Gives the path parameters of the route that matched last; empty where none did. */
  public Params params() {
    if (params == null) {
      params = new Params();
    }
    return params;
  }

  /**
   * Sets the path parameters; routers do.
   *
   * @param params the parameters
   */
  public void params(Params params) {
    this.params = params;
  }

  /**
   * Gives a parameter, wherever it stands: in the path, else in a body that is a map, else in the
   * query. Empty text, zero and false are values like others.
   *
   * @param name its name; for a capture without one its index
   * @return its value; null if it is absent or null everywhere
   */
  public @Nullable Object param(String name) {
    Object value = params().value(name);
    if (value == null && body instanceof Map<?, ?> map) {
      value = map.get(name);
    }
    return value == null ? query().get(name) : value;
  }

  /**
   * Gives a parameter, wherever it stands; see {@link #param(String)}.
   *
   * @param name its name; for a capture without one its index
   * @param fallback what to give if it is absent
   */
  public Object param(String name, Object fallback) {
    Object value = param(name);
    return value == null ? fallback : value;
  }

  /** Gives the route whose steps run, or null. */
  public @Nullable Object route() {
    return route;
  }

  /**
   * Sets the route whose steps run; routers do.
   *
   * @param route the route; null for none
   */
  public void route(@Nullable Object route) {
    this.route = route;
  }

  /**
   * Gives the path that the route was defined with, behind the paths that its application is
   * mounted at: {@code /users/:id}, or the text of a regular expression. Unlike {@link #path()} it
   * has few values, so that it can name a counter:
   *
   * <pre>
   *   app.use((req, res, next) -&gt; {
   *     res.onFinish(() -&gt; count(req.method(), String.valueOf(req.routePath()), res.status()));
   *     next.run();
   *   });
   * </pre>
   *
   * @return that of the route whose steps run, or have answered; in error handlers that of the
   *     route that failed; null outside of routes
   */
  public @Nullable String routePath() {
    Scope scope = routeScope;
    return routePath == null || scope == null ? null : scope.mountPath() + routePath;
  }

  /**
   * Sets the path that the route was defined with, in the application at work; routers do.
   *
   * @param path the path without that of the mount; null outside of routes
   */
  public void routePath(@Nullable String path) {
    this.routePath = path;
    this.routeScope = scope();
  }

  /** Tells whether a body was announced, be it an empty one. */
  public boolean hasBody() {
    return exchange.hasBody();
  }

  /** Gives what a parser made of the body; null if none has, and for JSON null. */
  public @Nullable Object body() {
    return body;
  }

  /**
   * Sets what the body means; parsers do.
   *
   * @param value the value
   */
  public void body(@Nullable Object value) {
    this.body = value;
  }

  /**
   * Sets what the body means, and the text it was read from.
   *
   * @param value the value
   * @param text JSON text, for {@link #body(Class)}
   */
  public void body(@Nullable Object value, String text) {
    this.body = value;
    this.bodyText = text;
  }

  /**
   * Gives a JSON body as a value of a class, read from its text, so that long numbers and decimals
   * arrive unchanged.
   *
   * <p>A constructor refuses values by an {@link IllegalArgumentException} or by {@link
   * java.util.Objects#requireNonNull}, whose message the client gets, or by an {@link HttpError} of
   * its own. Whatever else it throws is a fault of the application, as is a class that cannot be
   * made of JSON.
   *
   * @param type a record, a bean, a class of the JDK
   * @param <T> that type
   * @return the value; null for JSON null
   * @throws HttpError 400 {@code entity.parse.failed} if the text does not fit the type, 400 {@code
   *     entity.absent} if the client sent no body, 415 {@code entity.type.unsupported} if it sent
   *     something else than JSON
   * @throws IllegalStateException if it sent JSON, and no parser has read it; or if the class or
   *     its constructor is at fault
   */
  public <T> @Nullable T body(Class<T> type) {
    return type.cast(BodyType.read(this, bodyText, type));
  }

  /**
   * Gives a JSON body as a value of a type with arguments; see {@link #body(Class)}.
   *
   * @param type the type
   * @param <T> that type
   * @return the value; null for JSON null
   */
  @SuppressWarnings("unchecked") // the codec has read it as this type
  public <T> @Nullable T body(TypeRef<T> type) {
    return (T) BodyType.read(this, bodyText, type.type());
  }

  /** Tells whether nobody has begun to read the body. */
  public boolean readable() {
    return stream.readable();
  }

  /**
   * Declares the body read, or unread.
   *
   * @param readable false keeps others from reading it
   */
  public void readable(boolean readable) {
    stream.readable(readable);
  }

  /** Gives the charset by which somebody else makes text of the body, or null. */
  public @Nullable String encoding() {
    return encoding;
  }

  /**
   * Declares that somebody else makes text of the body; parsers then refuse it.
   *
   * @param charset the charset's name; null for nobody
   */
  public void encoding(@Nullable String charset) {
    this.encoding = charset;
  }

  /**
   * Reads the body piece by piece. Where threads may wait, the reader is called inside this call
   * and on the same thread; elsewhere later, on the exchange's turn.
   *
   * @param reader gets the pieces
   * @throws HttpError 500 {@code stream.not.readable} if somebody has begun to read it
   */
  public void read(ChunkReader reader) {
    stream.read(reader);
  }

  /**
   * Takes room in {@link BodyMemory} for what is kept of the body beyond what its reader has said
   * ({@link ChunkReader#keeps}), until the exchange is over.
   *
   * @param bytes how many bytes are kept in all
   * @throws HttpError 503 {@code memory.unavailable} if there is none
   */
  public void keep(long bytes) {
    stream.keep(bytes);
  }

  /**
   * Gives the body as a stream of at most {@code stream limit} bytes; see {@link
   * #inputStream(long)}.
   */
  public InputStream inputStream() {
    return inputStream(streamLimit());
  }

  /**
   * Gives the body as a stream that waits for the client. Its methods throw an {@link
   * java.io.IOException} when the client goes away, {@link HttpError} 413 beyond the limit, and an
   * {@link IllegalStateException} on an event loop, which must not wait.
   *
   * @param limit how many bytes it gives at most
   * @throws HttpError 500 {@code stream.not.readable} if somebody has begun to read the body
   */
  public InputStream inputStream(long limit) {
    return stream.stream(limit);
  }

  /** Gives the body, at most {@code stream limit} bytes, to one subscriber, on demand. */
  public Flow.Publisher<ByteBuffer> publisher() {
    return stream.publisher(streamLimit());
  }

  /**
   * Gives an attribute that a step above has set.
   *
   * @param key its key
   * @param <T> its type
   * @throws IllegalStateException if it is absent
   */
  public <T> T attr(Key<T> key) {
    T value = attrOrNull(key);
    if (value == null) {
      throw new IllegalStateException(
          "attribute \"" + key + "\" is absent: does the middleware that sets it stand above?");
    }
    return value;
  }

  /**
   * Gives an attribute.
   *
   * @param key its key
   * @param <T> its type
   * @return its value, else the key's fallback, else null
   */
  public <T> @Nullable T attrOrNull(Key<T> key) {
    Object value = attributes == null ? null : attributes.get(key.name());
    return value == null ? key.fallback() : key.cast(value);
  }

  /**
   * Sets an attribute for the steps that follow.
   *
   * @param key its key
   * @param value its value; null removes it
   * @param <T> its type
   */
  public <T> void attr(Key<T> key, @Nullable T value) {
    if (attributes == null) {
      attributes = new HashMap<>();
    }
    if (value == null) {
      attributes.remove(key.name());
    } else {
      attributes.put(key.name(), key.cast(value));
    }
  }

  /**
   * Gives the cookies.
   *
   * @throws IllegalStateException if no cookie parser stands above
   */
  public Map<String, Object> cookies() {
    return attr(COOKIES);
  }

  /**
   * Gives the cookies whose signature was checked; {@link Boolean#FALSE} where it was wrong.
   *
   * @throws IllegalStateException if no cookie parser stands above
   */
  public Map<String, Object> signedCookies() {
    return attr(SIGNED_COOKIES);
  }

  /**
   * Closes the connection without an answer as soon as somebody has read more of the body than a
   * limit; the reader gets a {@link ClientGone}. The first limit set counts.
   *
   * @param bytes how many bytes may be read
   */
  public void bodyLimit(long bytes) {
    stream.limit(bytes);
  }

  /**
   * Gives up waiting for the step that holds the request: an error goes on in its place, and its
   * {@code next} counts as used. For whoever watches requests, from any thread.
   *
   * <p>While a step runs, no error handler can, since steps never run at the same time: then the
   * answer is the default page of the error. It carries the headers set so far but for those that
   * describe a body, and none that the step sets later. The step goes on; what it answers later is
   * refused.
   *
   * @param error the error
   * @return false if there is an answer already; nothing is done then
   */
  public boolean giveUp(HttpError error) {
    if (response.answer().taken()) {
      return false;
    }
    return turn().executeIfIdle(() -> failLast(error)) || FinalHandler.end(error, response);
  }

  /** Says which request this is and where it stands: {@code GET /x in layer 7, Users.java:31}. */
  @Override
  public String toString() {
    return method() + " " + LogText.escape(originalUrl()) + " in " + exchange.turn();
  }

  Exchange exchange() {
    return exchange;
  }

  /** Tells whether the client has sent HEAD, whatever a step has made of it. */
  boolean wasHead() {
    return exchange.method().equals("HEAD");
  }

  Turn turn() {
    return exchange.turn();
  }

  Dispatch dispatch() {
    return dispatch;
  }

  Faults faults() {
    return faults;
  }

  private void failLast(HttpError error) {
    if (!response.answer().taken()) {
      response.answer().giveUp();
      dispatch.failLast(error);
    }
  }

  long streamLimit() {
    return Objects.requireNonNull(settings().get(Settings.STREAM_LIMIT));
  }
}
