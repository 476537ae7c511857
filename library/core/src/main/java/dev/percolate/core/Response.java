package dev.percolate.core;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.ContentDisposition;
import dev.percolate.http.ContentLength;
import dev.percolate.http.ContentType;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieText;
import dev.percolate.http.Cookies;
import dev.percolate.http.HeaderEncoding;
import dev.percolate.http.Headers;
import dev.percolate.http.Html;
import dev.percolate.http.HttpError;
import dev.percolate.http.Jsonp;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Percent;
import dev.percolate.http.PlainText;
import dev.percolate.http.Redirect;
import dev.percolate.http.Referrer;
import dev.percolate.http.Representation;
import dev.percolate.http.SignatureForm;
import dev.percolate.http.Status;
import dev.percolate.http.Utf8;
import dev.percolate.http.Vary;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The response to a request.
 *
 * <p>The first response wins, on any thread. Each later one throws an {@link
 * IllegalStateException}, which names both places in development. Status and headers may change
 * until the response starts. After that, several threads may write chunks. All other methods are
 * for one thread at a time. Step 8 of docs/flow.md.
 */
public final class Response {

  private static final String JSON = "application/json; charset=utf-8";

  final Request req;
  final ResponseCommit answer;
  Headers headers = new Headers();
  int status = 200;

  /** The headers that a handler that was given up may still read; else null. */
  private @Nullable Headers left;

  private @Nullable String charset;
  private long bodyLength = -1;
  private @Nullable List<Runnable> headerHooks;
  private @Nullable FinishHooks finishHooks;
  private @Nullable List<Consumer<? super ConnectionSummary>> closingHooks;
  private @Nullable UpgradedConnection upgraded;
  private @Nullable Map<String, Object> locals;

  /** The error for which the headers were cleared last. */
  private @Nullable Throwable failure;

  Response(Request req, ResponseCommit answer) {
    this.req = req;
    this.answer = answer;
  }

  /** Returns the request. */
  public Request req() {
    return req;
  }

  /** Returns the status code. Default: 200. */
  public int status() {
    return status;
  }

  /**
   * Sets the status code. After the response has started, this only changes the result of {@link
   * #status()}. If the response was sent because of a timeout, this has no effect.
   *
   * @param code 200 to 999; clients wait for another response after a status code below 200 (RFC
   *     9110 section 15.2)
   * @return this response
   * @throws IllegalArgumentException if the code is not 200 to 999
   */
  public Response status(int code) {
    if (code < 200 || code > 999) {
      throw new IllegalArgumentException("status(" + code + "): must be 200 to 999");
    }
    synchronized (answer) {
      if (!(answer.givenUp() ? answer.started() : answer.claimedElsewhere())) {
        status = code;
      }
    }
    return this;
  }

  /**
   * Returns a header of this response.
   *
   * @param name its name, case-insensitive
   * @return its first value, or null
   */
  public @Nullable String get(String name) {
    return headers().get(name);
  }

  /** Returns all headers, for reading. After the response has started, they cannot be changed. */
  public Headers headers() {
    Headers mine = left;
    return mine != null && answer.claimedElsewhere() ? mine : headers;
  }

  /**
   * Sets a header and replaces its values; {@code Set-Cookie} is added instead. A {@code
   * Content-Type} without a charset gets that of {@link #charset(String)}. {@code Location} and
   * {@code Content-Location} are percent-encoded.
   *
   * <p>Clients decode characters other than ASCII differently (RFC 9110 section 5.5). For text,
   * call {@link #location}, {@link #links}, {@link #attachment(String)} or {@link #cookie(String,
   * Object)}, or encode it.
   *
   * @param name its name
   * @param value its value, without line breaks; U+0080 to U+00FF are sent as one byte each
   * @return this response
   * @throws IllegalArgumentException if the name or value is malformed; then nothing changes
   * @throws IllegalStateException if the response has started
   */
  public Response set(String name, String value) {
    if (value == null) {
      throw absent("set(\"" + name + "\", null)", "value");
    }
    if (name.equalsIgnoreCase("Set-Cookie")) {
      return append(name, value);
    }
    String whole =
        name.equalsIgnoreCase("Content-Type") ? withCharset(value) : encoded(name, value);
    synchronized (answer) {
      changeable().set(name, whole);
    }
    return this;
  }

  /**
   * Sets a header to several values, each sent in a header line of its own. For {@code Set-Cookie},
   * several values are added to those that exist, without duplicates.
   *
   * @param name its name
   * @param values its values, Latin-1 without line breaks; an empty list removes the header
   * @return this response
   * @throws IllegalArgumentException if the name or a value is malformed; then nothing changes
   * @throws IllegalStateException if the response has started
   */
  public Response set(String name, List<String> values) {
    if (values.stream().anyMatch(Objects::isNull)) {
      throw absent("set(\"" + name + "\", [null])", "value");
    }
    if (values.size() == 1) {
      return set(name, values.get(0));
    }
    List<String> all = values;
    if (name.equalsIgnoreCase("Set-Cookie")) {
      List<String> known = headers().all(name);
      all = new ArrayList<>(known);
      all.addAll(values.stream().filter(value -> !known.contains(value)).toList());
    }
    synchronized (answer) {
      changeable().set(name, all);
    }
    return this;
  }

  /**
   * Sets several headers, in the order of the map.
   *
   * @param values the values by name: a collection for several lines, or a value that is sent as a
   *     string
   * @return this response
   * @throws IllegalArgumentException if a name or a value is malformed or null
   * @throws IllegalStateException if the response has started
   */
  public Response set(Map<String, ?> values) {
    values.forEach(
        (name, value) -> {
          if (value instanceof Collection<?> items) {
            set(name, items.stream().map(item -> text(name, item)).toList());
          } else {
            set(name, text(name, value));
          }
        });
    return this;
  }

  /**
   * Adds a header and keeps existing values.
   *
   * @param name its name
   * @param value its value, Latin-1 without line breaks
   * @return this response
   * @throws IllegalArgumentException if the name or value is malformed
   * @throws IllegalStateException if the response has started
   */
  public Response append(String name, String value) {
    if (value == null) {
      throw absent("append(\"" + name + "\", null)", "value");
    }
    String encoded = encoded(name, value);
    synchronized (answer) {
      changeable().add(name, encoded);
    }
    return this;
  }

  /**
   * Removes a header; does nothing if it is absent.
   *
   * @param name its name
   * @return this response
   * @throws IllegalStateException if the response has started
   */
  public Response remove(String name) {
    synchronized (answer) {
      changeable().remove(name);
    }
    return this;
  }

  /**
   * Sets the content type.
   *
   * @param type a media type; or a file extension such as {@code html} or {@code .png}, which adds
   *     {@code charset=utf-8} for text
   * @return this response
   * @throws IllegalArgumentException if it is not ASCII
   */
  public Response type(String type) {
    if (type == null) {
      throw absent("type(null)", "type");
    }
    if (type.indexOf('/') >= 0) {
      return set("Content-Type", ascii("type", type));
    }
    MimeTypes types = req.settings().mimeTypes();
    boolean own = charset != null && !charset.isEmpty();
    return set("Content-Type", own ? types.ofPath(type) : types.named(type));
  }

  /** Returns the charset for content types that are set later; null if none was set. */
  public @Nullable String charset() {
    return charset;
  }

  /**
   * Sets the charset for content types that are set later without one. It is only a name: text is
   * always sent in UTF-8, and {@code send} sets this charset.
   *
   * @param charset its name; null or empty for none
   * @return this response
   * @throws IllegalArgumentException if it is not ASCII
   */
  public Response charset(@Nullable String charset) {
    this.charset = charset == null ? null : ascii("charset", charset);
    return this;
  }

  /**
   * Adds names to the {@code Vary} header, without duplicates.
   *
   * @param fields names of request headers; a single string may contain several names, separated by
   *     commas
   * @return this response
   * @throws IllegalArgumentException if a name is malformed
   */
  public Response vary(String... fields) {
    List<String> names = fields.length == 1 ? Vary.names(fields[0]) : Arrays.asList(fields);
    String value = Vary.with(joined("Vary"), names);
    return value.isEmpty() ? this : set("Vary", value);
  }

  /**
   * Adds links to the {@code Link} header.
   *
   * @param links URLs by relation, such as {@code next}
   * @return this response
   */
  public Response links(Map<String, String> links) {
    return links.isEmpty() ? this : set("Link", headerEncoding().links(joined("Link"), links));
  }

  /**
   * Sets the {@code Location} header, percent-encoded where needed. If the URL contains input from
   * a client, check its target to prevent open redirects.
   *
   * @param url a URL, or a path from the root, which is not changed; a path that starts with a dot,
   *     relative to the path of the request as a directory; any other path, relative to the mount
   *     path of the current application; or {@code back} for the referrer if it is on this site,
   *     else {@code /}
   * @return this response
   */
  public Response location(String url) {
    if (url == null) {
      throw absent("location(null)", "URL");
    }
    String to = url.equals("back") ? back() : url;
    String resolved = Redirect.resolve(to, req.originalPath(), req.context.mountPath());
    return set("Location", headerEncoding().location(resolved));
  }

  /**
   * Sets a cookie for the path {@code /} that lasts for the browser session.
   *
   * @param name its name, a token
   * @param value a string, number or boolean; other values are sent as {@code j:} and JSON
   * @return this response
   */
  public Response cookie(String name, @Nullable Object value) {
    return cookie(name, value, CookieOptions.none());
  }

  /**
   * Sets a cookie.
   *
   * @param name its name, a token
   * @param value a string, number or boolean; other values are sent as {@code j:} and JSON
   * @param options its attributes
   * @return this response
   * @throws IllegalStateException if the options require a signature, but no cookie parser before
   *     this handler has a secret
   */
  public Response cookie(String name, @Nullable Object value, CookieOptions options) {
    if (name == null) {
      throw absent("cookie(null, …)", "name");
    }
    SignatureForm form = SignatureForm.of(req.settings().get(Settings.COOKIE_SIGNATURE));
    String text = cookieText(value, form);
    if (options.signed()) {
      text = form.sign(SignatureForm.COOKIE, name, text, secret(name));
    }
    return append("Set-Cookie", Cookies.serialise(name, text, options, System.currentTimeMillis()));
  }

  /**
   * Deletes a cookie of the path {@code /} in the browser.
   *
   * @param name its name
   * @return this response
   */
  public Response clearCookie(String name) {
    return clearCookie(name, CookieOptions.none());
  }

  /**
   * Deletes a cookie in the browser.
   *
   * @param name its name
   * @param options the path and domain of the cookie; the lifetime is ignored
   * @return this response
   */
  public Response clearCookie(String name, CookieOptions options) {
    return cookie(name, "", options.cleared());
  }

  /** Tells the client to save the response as a file ({@code Content-Disposition}). */
  public Response attachment() {
    return set("Content-Disposition", "attachment");
  }

  /**
   * Tells the client to save the response as a file with a name. Also sets the content type for its
   * extension.
   *
   * @param filename the name, or a path that ends with it
   * @return this response
   */
  public Response attachment(String filename) {
    if (filename == null) {
      throw absent("attachment(null)", "file name");
    }
    if (!filename.isEmpty()) {
      type(ContentDisposition.extension(filename));
    }
    return set("Content-Disposition", headerEncoding().attachment(filename));
  }

  /**
   * Registers a hook that runs directly before the headers are sent and may change them. The hook
   * that was registered last runs first. Hooks do not run if no response is sent.
   *
   * @param hook the hook; it runs on the thread that sends the response
   */
  public void onHeaders(Runnable hook) {
    synchronized (answer) {
      if (headerHooks == null) {
        headerHooks = new ArrayList<>(2);
      }
      headerHooks.add(hook);
    }
  }

  /**
   * Registers a hook that runs once when the exchange has ended: the response is complete, or the
   * client has disconnected. Hooks run in the order of registration, never at the same time as a
   * handler, and after the handler that responded has returned. They must not block, since they may
   * run on an event loop.
   *
   * @param hook the hook; it can call {@link Response#finished} to check whether the response is
   *     complete
   */
  public void onFinish(Runnable hook) {
    finishHooks().add(hook);
  }

  /** Returns the finish hooks. The first call creates them and registers them with the exchange. */
  FinishHooks finishHooks() {
    FinishHooks hooks;
    boolean first;
    synchronized (answer) {
      first = finishHooks == null;
      hooks = finishHooks == null ? new FinishHooks(req.exchange().executor()) : finishHooks;
      finishHooks = hooks;
    }
    if (first) {
      req.exchange().onEnd(hooks);
    }
    return hooks;
  }

  /**
   * Returns true if {@link #upgrade} may be called: the request asks for another protocol, there is
   * no response yet, and the engine supports upgrades.
   */
  public boolean upgradable() {
    return !answer.taken() && req.exchange().upgradable();
  }

  /**
   * Sends {@code 101 Switching Protocols} and upgrades the connection to another protocol (RFC 9110
   * section 7.8). The response is then complete: hooks of {@link #onHeaders} run before it, those
   * of {@link #onFinish} after the handler. Set the {@code Upgrade} header first.
   *
   * @param taken receives the connection, once, on the serial executor of the request, after the
   *     handler and the hooks of {@link #onFinish}, even if the client has disconnected. If it
   *     throws, the exception is logged and the connection is closed
   * @throws IllegalStateException if there is a response already, or the request is not {@linkplain
   *     #upgradable upgradable}
   */
  public void upgrade(Consumer<? super UpgradedConnection> taken) {
    if (!req.exchange().upgradable()) {
      throw new IllegalStateException(
          req.method() + " " + req.originalUrl() + ": request cannot be upgraded");
    }
    answer.claim();
    int before = status;
    status = 101;
    try {
      runHeaderHooks(0);
      answer.endFilters();
    } catch (Throwable e) {
      status = before;
      release();
      throw e;
    }
    FinishHooks hooks = finishHooks();
    hooks.handOver();
    UpgradedConnection connection = new UpgradedConnection(req.exchange(), this::closed, hooks);
    synchronized (answer) {
      upgraded = connection;
    }
    answer.upgrade(headers, () -> take(connection, taken));
  }

  /**
   * Registers a hook that runs once when the {@linkplain #upgrade upgraded} connection has ended.
   * It never runs for other responses. Hooks run in the order of registration, on any thread, and
   * must not block. A hook that is registered after the end runs immediately. If a hook throws, the
   * exception is logged and the other hooks run.
   *
   * @param hook the hook
   */
  public void onConnectionClose(Consumer<? super ConnectionSummary> hook) {
    ConnectionSummary known;
    synchronized (answer) {
      known = upgraded == null ? null : upgraded.ending();
      if (known == null) {
        closingHooks = closingHooks == null ? new ArrayList<>(1) : closingHooks;
        closingHooks.add(hook);
      }
    }
    if (known != null) {
      tell(hook, known);
    }
  }

  /**
   * Returns the state of the {@linkplain #upgrade upgraded} connection. Thread-safe.
   *
   * @return the messages and bytes so far, with code 0, while the connection is open; then how it
   *     ended; null for other responses, and for protocols without counts
   */
  public @Nullable ConnectionSummary connectionSummary() {
    UpgradedConnection connection;
    synchronized (answer) {
      connection = upgraded;
    }
    return connection == null ? null : connection.standing();
  }

  /**
   * Returns the length of the body, for hooks of {@link #onHeaders}.
   *
   * @return the length in bytes; -1 for a body in chunks, and before hooks run
   */
  public long bodyLength() {
    return bodyLength;
  }

  /**
   * Adds a filter that changes the body of this response. Call it in hooks of {@link #onHeaders},
   * which also adapt the headers: a filter that changes the length removes {@code Content-Length}.
   * Without this header, the body is sent in chunks. The filter that was added first gets the bytes
   * first.
   *
   * @param filter used for this response only
   * @return this response
   * @throws IllegalStateException outside of these hooks, or if it is not {@link #filterable}
   */
  public Response filter(BodyFilter filter) {
    answer.filter(filter);
    onFinish(filter::close);
    return this;
  }

  /**
   * Returns true if hooks of {@link #onHeaders} can {@linkplain #filter filter} the body. Responses
   * that other code sends, such as a servlet after a filter, cannot be filtered.
   */
  public boolean filterable() {
    return answer.filterable();
  }

  /** Returns the mutable map of template variables for this request. */
  public Map<String, Object> locals() {
    if (locals == null) {
      locals = new LinkedHashMap<>();
    }
    return locals;
  }

  /**
   * Adds template variables and replaces those with the same names.
   *
   * @param values the values by name
   * @return this response
   */
  public Response locals(Map<String, ?> values) {
    locals().putAll(values);
    return this;
  }

  /** Returns true if the status and headers have been sent, so that they cannot change. */
  public boolean headersSent() {
    return answer.started();
  }

  /**
   * Returns the status code that the client got. It differs from {@link #status} if that was
   * changed after the response had started, if the engine replaced it, or if the client
   * disconnected before the head of the response was sent. It is final in hooks of {@link
   * #onFinish}.
   *
   * @return a status code; 0 if no response has left the server
   */
  public int sentStatus() {
    return answer.sentStatus(status);
  }

  /**
   * Returns the {@code Content-Length} that the client got, whether it was set or the server added
   * it.
   *
   * @return the length in bytes; -1 for a body that is sent in chunks, for a response without a
   *     body or a length, and if no response has left the server
   */
  public long sentLength() {
    if (sentStatus() == 0) {
      return -1;
    }
    String set = get("Content-Length");
    return set == null ? answer.addedLength() : ContentLength.parse(set);
  }

  /** Returns true if the response is complete. */
  public boolean finished() {
    return answer.ended();
  }

  /**
   * Sends a body according to its type: a string as HTML unless a content type was set, bytes and
   * streams as {@code application/octet-stream}, a {@link Path} as a file, {@link JsonCodec#ABSENT}
   * as no body, null as an empty string, and other values as JSON. A stream is read to its end and
   * closed.
   *
   * @param body the body
   * @return this response
   * @throws IllegalArgumentException for a number, which could be a status code or a value
   * @throws IllegalStateException if there is a response already
   */
  public Response send(@Nullable Object body) {
    if (body == null) {
      return sendText("", null);
    }
    if (body instanceof CharSequence text) {
      return sendText(text.toString(), "text/html; charset=utf-8");
    }
    if (body instanceof byte[] bytes) {
      BodySender.bytes(this, bytes, bytes, null);
      return this;
    }
    if (body == JsonCodec.ABSENT) {
      BodySender.nothing(this, null);
      return this;
    }
    if (body instanceof InputStream stream) {
      BodySender.stream(this, stream);
      return this;
    }
    if (body instanceof Path file) {
      return sendFile(file);
    }
    if (body instanceof Number number) {
      throw new IllegalArgumentException(
          "send(" + number + "): use sendStatus(" + number + ") or json(" + number + ")");
    }
    return json(body);
  }

  /**
   * Sends a body with a status code; see {@link #send(Object)}.
   *
   * @param code the status code
   * @param body the body; a number is sent as JSON
   * @return this response
   */
  public Response send(int code, @Nullable Object body) {
    status(code);
    return body instanceof Number ? json(body) : send(body);
  }

  /**
   * Sends a status code with its reason phrase as plain text.
   *
   * @param code the status code
   * @return this response
   */
  public Response sendStatus(int code) {
    String phrase = Status.phrase(code);
    return status(code)
        .sendText(phrase.isEmpty() ? String.valueOf(code) : phrase, "text/plain; charset=utf-8");
  }

  /**
   * Sends a value as JSON. The settings {@code json replacer} and {@code json spaces} apply.
   *
   * @param value any value that JSON can represent, a record or a bean; {@link JsonCodec#ABSENT}
   *     for no body
   * @return this response
   */
  public Response json(@Nullable Object value) {
    Settings settings = req.settings();
    if (settings.enabled(Settings.JSON_ESCAPE.name())
        || settings.get("etag") instanceof ETagFunction) {
      String text = jsonText(value);
      return text.isEmpty() ? noJson() : sendText(text, JSON);
    }
    byte[] bytes = settings.jsonCodec().writeBytes(value, settings.jsonStyle());
    if (bytes.length == 0) {
      return noJson();
    }
    BodySender.bytes(this, bytes, bytes, withUtf8(JSON));
    return this;
  }

  /**
   * Sends a value as JSON with a status code.
   *
   * @param code the status code
   * @param value the value
   * @return this response
   */
  public Response json(int code, @Nullable Object value) {
    return status(code).json(value);
  }

  /**
   * Renders a view and sends it; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   */
  public void render(String name) {
    render(name, Map.of());
  }

  /**
   * Renders a view of the current application and sends it, as {@link #send} sends a string.
   *
   * <p>If the view does not exist or its template fails, the error goes to the error handlers of
   * the application, not through its routes, and {@code next} of the calling handler counts as
   * called. A relative name is resolved against the setting {@code views}. An absolute name or
   * {@code ..} can leave that directory, so never build the name from client input.
   *
   * @param name the name of the view, with or without extension
   * @param locals variables for the template, which override {@link #locals()} and those of the
   *     application
   * @throws IllegalStateException if no application handles the request, or if neither the name nor
   *     the setting {@code view engine} selects a template engine
   */
  public void render(String name, Map<String, ?> locals) {
    if (name == null) {
      throw absent("render(null)", "name");
    }
    req.context.render(name, locals, null);
  }

  /**
   * Renders a view without sending it; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @param locals variables for the template
   * @param callback receives the error, or null and the text
   * @throws IllegalStateException as without a callback, which is then not called
   */
  public void render(
      String name,
      Map<String, ?> locals,
      BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    req.context.render(name, locals, callback);
  }

  /**
   * Sends a value as JSON or, if the query names a callback function, as a script that calls it
   * (JSONP). The setting {@code jsonp callback name} is the name of the query parameter. Characters
   * other than {@code A-Za-z0-9_$.[]} are removed from the function name, and a name longer than
   * 128 characters is ignored.
   *
   * @param value any value that JSON can represent, a record or a bean
   * @return this response
   */
  public Response jsonp(@Nullable Object value) {
    String json = jsonText(value);
    if (json.isEmpty()) {
      json = "null";
    }
    String parameter = Objects.requireNonNull(req.settings().get(Settings.JSONP_CALLBACK_NAME));
    String callback = Jsonp.callback(req.query(parameter));
    if (callback == null) {
      if (get("Content-Type") == null) {
        set("X-Content-Type-Options", "nosniff");
      }
      return sendText(json, JSON);
    }
    set("X-Content-Type-Options", "nosniff").set("Content-Type", "text/javascript");
    return sendText(Jsonp.call(callback, json), null);
  }

  /**
   * Sends a value as JSON or JSONP with a status code; see {@link #jsonp(Object)}.
   *
   * @param code the status code
   * @param value the value
   * @return this response
   */
  public Response jsonp(int code, @Nullable Object value) {
    return status(code).jsonp(value);
  }

  /**
   * Redirects the client with status code 302 and a short body.
   *
   * @param url the target, as in {@link #location}
   * @return this response
   */
  public Response redirect(String url) {
    return redirect(302, url);
  }

  /**
   * Redirects the client with a status code and a short body.
   *
   * @param code the status code, such as 303 after a form
   * @param url the target, as in {@link #location}
   * @return this response
   */
  public Response redirect(int code, String url) {
    if (url == null) {
      throw absent("redirect(null)", "URL");
    }
    status(code).location(url);
    String offer = choose(List.of("text", "html"));
    String body = "";
    if (offer != null) {
      String location = Objects.requireNonNullElse(headers.get("Location"), "");
      body = Redirect.body(offer.equals("html"), code, location);
    }
    byte[] bytes = Utf8.bytes(body);
    set("Content-Length", Integer.toString(bytes.length)).end(bytes);
    return this;
  }

  /**
   * Calls the handler of the format that the client prefers (content negotiation). Sets {@code
   * Content-Type} and {@code Vary} first.
   *
   * @param offers handlers by media type or file extension, in the order of the server's
   *     preference; {@code default} is called if the client accepts none of the others
   * @return this response
   * @throws HttpError 406 with the field {@code types}, if the client accepts none and there is no
   *     {@code default}
   * @throws Exception thrown by the handler
   */
  public Response format(Map<String, Handler> offers) throws Exception {
    List<String> names = new ArrayList<>(offers.keySet());
    names.remove("default");
    String best = choose(names);
    Handler handler = offers.get(best == null ? "default" : best);
    if (handler == null) {
      throw new HttpError(406).with("types", names.stream().map(this::mediaType).toList());
    }
    handler.handle(req, this);
    return this;
  }

  /**
   * Sends a file. Its extension sets the content type unless one was set. Supports range and
   * conditional requests.
   *
   * @param file the file; the caller must check that the client may read it
   * @return this response
   * @throws HttpError 404 if no such regular file exists, 416 if the requested range is not
   *     satisfiable
   */
  public Response sendFile(Path file) {
    return sendFile(file, FileOptions.none());
  }

  /**
   * Sends a file; see {@link #sendFile(Path)}. If the options have a root, the file must be inside
   * it, and the options apply to names that start with a dot. Index files and default extensions
   * are not tried.
   *
   * @param file the file
   * @param options the options
   * @return this response
   * @throws HttpError 403 if the file is outside of the root, 404, 416
   */
  public Response sendFile(Path file, FileOptions options) {
    if (file == null) {
      throw absent("sendFile(null)", "file");
    }
    BodySender.file(this, file, options);
    return this;
  }

  /**
   * Sends a file that a client names, or passes the request on. The path is percent-decoded once;
   * its separators are slashes. Without a root, it may be absolute, and {@code ..} is rejected. A
   * path that ends with a slash means the index file of the directory.
   *
   * <p>Unless {@link Settings#AMBIGUOUS_TARGETS} is {@code pass}, the path must not contain an
   * escaped slash, or an escape that is not needed. {@link Request#path()} has no unneeded escapes,
   * so such a path may have been decoded before, and may lead to a file that access checks have not
   * seen. The error is a 400 of type {@code path.ambiguous} if the part before the escape is a
   * directory, else a 404.
   *
   * @param path the path, such as that of a request
   * @param options the options, such as the root
   * @param next called for a directory if the path has no slash at its end or the directory has no
   *     index file; also called with errors: an {@link HttpError} 400, 403, 404 (with the field
   *     {@code code} if the file system gives a reason), 416 or 500
   */
  public void sendFile(String path, FileOptions options, Next next) {
    BodySender.file(this, path, options, next);
  }

  /**
   * Sends a file as a download with its own name; see {@link #sendFile(Path)}.
   *
   * @param file the file
   * @return this response
   */
  public Response download(Path file) {
    if (file == null) {
      throw absent("download(null)", "file");
    }
    return download(file, String.valueOf(file.getFileName())); // toString() may have backslashes
  }

  /**
   * Sends a file as a download; see {@link #sendFile(Path)}.
   *
   * @param file the file, whose extension sets the content type
   * @param filename the name for the client
   * @return this response
   */
  public Response download(Path file, String filename) {
    return set("Content-Disposition", headerEncoding().attachment(filename)).sendFile(file);
  }

  /**
   * Sends a file that a client names as a download; see {@link #sendFile(String, FileOptions,
   * Next)}.
   *
   * @param path the path
   * @param filename the name for the client; null for the last part of the decoded path
   * @param options the options, such as the root
   * @param next called for a directory, and with errors
   */
  public void download(String path, @Nullable String filename, FileOptions options, Next next) {
    String name = filename == null ? Percent.decode(path) : filename;
    set("Content-Disposition", headerEncoding().attachment(name == null ? path : name));
    sendFile(path, options, next);
  }

  /**
   * Writes a chunk of text. The first chunk starts the response. Blocks while the client reads
   * slowly. On an event loop, which must not block, up to 1 MiB is buffered.
   *
   * <p>After the response has started (see {@link #flushHeaders}), several threads may write at the
   * same time, for example to broadcast events. Each chunk is sent whole, in any order, and each
   * thread waits on its own.
   *
   * @param text the chunk, sent in UTF-8
   * @return this response
   * @throws IOException if the client has disconnected, or reads too slowly for a thread that must
   *     not block
   */
  public Response write(String text) throws IOException {
    if (text == null) {
      throw absent("write(null)", "text");
    }
    return write(Utf8.bytes(text));
  }

  /**
   * Writes a chunk of the body; see {@link #write(String)}.
   *
   * @param bytes the chunk, which must not change afterwards
   * @return this response
   * @throws IOException if the client has disconnected, or reads too slowly for a thread that must
   *     not block
   */
  public Response write(byte[] bytes) throws IOException {
    boolean ignored = begin(bytes.length);
    answer.write(ByteBuffer.wrap(bytes));
    if (!hasBody() && finishHooks().areOver()) { // no bytes reach the connection, which would fail
      throw new ClientDisconnectedException(null);
    }
    return this;
  }

  /**
   * Writes a chunk without waiting for the client. The response must have started. If it has no
   * body, as for HEAD, the chunk is dropped. Use it to write to many clients, and use the callback
   * to limit what is buffered for each. It still blocks in engines with one thread for each
   * request.
   *
   * @param bytes the chunk, which must not change afterwards; several responses may share it
   * @param callback called once, on any thread, when the chunk was sent or cannot be sent. If it
   *     throws, the exception is logged and the response is cut off
   * @throws IOException if the client has disconnected; the callback is then not called
   */
  public void offer(byte[] bytes, Exchange.OnWritten callback) throws IOException {
    answer.offer(ByteBuffer.wrap(bytes), callback);
  }

  /** Starts the response if it has not started: sends status and headers before any body. */
  public void flushHeaders() {
    if (begin(0)) {
      answer.flush();
    }
  }

  /**
   * Sends buffered bytes, including those held back by a {@link BodyFilter} such as compression.
   * Starts the response if it has not started.
   *
   * @return this response
   * @throws IOException if the client has disconnected
   */
  public Response flush() throws IOException {
    flushHeaders();
    answer.flushFiltered();
    return this;
  }

  /** Ends the response. If it has not started, its body is empty. */
  public void end() {
    end(new byte[0]);
  }

  /**
   * Ends the response with a last chunk of text, in UTF-8. Does not set a content type.
   *
   * @param text the last or only chunk
   */
  public void end(String text) {
    if (text == null) {
      throw absent("end(null)", "text");
    }
    end(Utf8.bytes(text));
  }

  /**
   * Ends the response with a last chunk.
   *
   * @param bytes the last or only chunk, which must not change afterwards
   */
  public void end(byte[] bytes) {
    if (!answer.started()) {
      answer.claim();
      start(bytes.length);
    }
    answer.end(ByteBuffer.wrap(bytes));
  }

  /**
   * Returns the body as a stream. Each write sends a chunk, as {@link #write(byte[])} does; closing
   * the stream ends the response. Wrap it in a {@link java.io.BufferedOutputStream} for small
   * writes.
   */
  public OutputStream outputStream() {
    return new Writing();
  }

  ResponseCommit answer() {
    return answer;
  }

  /** Returns true if a response with the current status has a body. */
  boolean hasBody() {
    return Status.hasBody(status) && !req.method().equals("HEAD") && !req.wasHead();
  }

  /**
   * Runs the hooks and starts the response. The calling thread must have claimed it.
   *
   * @param length the length of the body, if the response ends immediately; -1 for a body in chunks
   */
  void start(long length) {
    start(length, 0);
  }

  /**
   * Runs the hooks and starts the response; see {@link #start(long)}.
   *
   * @param first the length of the first chunk; if it exceeds {@code Content-Length}, nothing is
   *     sent
   */
  void start(long length, int first) {
    try {
      runHeaderHooks(length);
      boolean body = hasBody();
      if (!body) {
        describeNoBody(length);
      }
      answer.start(status, headers, body, length >= 0, first);
    } catch (Throwable e) {
      release();
      throw e;
    }
  }

  /**
   * Adapts the headers of a response without a body, so that the client does not wait for one. If
   * middleware changed the method to HEAD, the response keeps its {@code Content-Length}, like any
   * response to HEAD, but only if the connection ends after it. Otherwise the client would read the
   * next response as this body.
   */
  private void describeNoBody(long length) {
    boolean said = ContentLength.parse(headers.get("Content-Length")) >= 0;
    if (said && length > 0) { // 0: the body was not created
      headers.setUnchecked("Content-Length", Long.toString(length));
    }
    boolean reset = status == 205; // RFC 9110 section 15.3.6
    boolean overridden = Status.hasBody(status) && !req.wasHead();
    if (overridden && headers.contains("Content-Length") && isLast()) {
      headers.setUnchecked("Connection", "close");
    } else if (reset || overridden) {
      headers.setUnchecked("Content-Length", "0").remove("Transfer-Encoding");
    } else if (!Status.hasBody(status)) {
      headers.remove("Content-Length").remove("Transfer-Encoding"); // RFC 9110 section 8.6
    }
    if (reducesNotModified()) {
      Representation.removeFromNotModified(headers);
    }
  }

  /** Returns true if this is a 304 whose headers are reduced after the hooks have run. */
  boolean reducesNotModified() {
    return status == 304 && req.settings().conditionalRequests() == ConditionalRequests.STANDARD;
  }

  /** Returns true if the connection ends with this response. */
  private boolean isLast() {
    return !req.httpVersion().equals("2.0")
        && (ConnectionOptions.close(req.headers()) || ConnectionOptions.close(headers));
  }

  /**
   * Removes headers that describe a body that was not sent, or allow caching, before an error
   * handler responds. Later calls for the same error only remove the length and encoding. The
   * content type remains for bodies that set none.
   *
   * @param error the error
   */
  void forgetBody(Throwable error) {
    if (error == failure) {
      forget("Content-Length", "Content-Encoding");
    } else {
      failure = error;
      forgetBody(ErrorResponse.statusOf(error, this));
    }
  }

  /**
   * Removes headers that describe a body that was not sent, or allow caching.
   *
   * @param code the status code of the error that is sent instead
   */
  void forgetBody(int code) {
    forget("Content-Length", "Content-Encoding");
    if (req.settings().conditionalRequests() == ConditionalRequests.EXPRESS) {
      return;
    }
    synchronized (answer) {
      if (!answer.started() && code == 416) { // Content-Range has the length (RFC 9110 15.5.17)
        Representation.removeFrom(headers, "Content-Type", "Content-Range");
      } else if (!answer.started()) {
        Representation.removeFrom(headers, "Content-Type");
      }
    }
  }

  /** Starts a response in chunks if it has not started; returns true if this call started it. */
  private boolean begin(int first) {
    boolean begins = !answer.started();
    if (begins) {
      answer.claim();
      start(-1, first);
    }
    return begins;
  }

  /** Returns the JSON of a value; empty if there is none. */
  private String jsonText(@Nullable Object value) {
    String text = req.settings().jsonCodec().write(value, req.settings().jsonStyle());
    return req.settings().enabled(Settings.JSON_ESCAPE.name()) ? Html.escapeJson(text) : text;
  }

  private Response noJson() {
    String type = withCharset("application/json");
    BodySender.nothing(this, ContentType.hasCharset(type) ? type : type + "; charset=utf-8");
    return this;
  }

  /** Sends text as UTF-8. The fallback is the content type with its charset; null for none. */
  private Response sendText(String text, @Nullable String fallbackType) {
    BodySender.bytes(this, Utf8.bytes(text), text, withUtf8(fallbackType));
    return this;
  }

  /** Returns the content type that was set, with the charset UTF-8, or a fallback. */
  private @Nullable String withUtf8(@Nullable String fallbackType) {
    String set = get("Content-Type");
    return set == null ? fallbackType : ContentType.withUtf8(set);
  }

  /** Sets the content type and Vary for the preferred offer; returns the offer, or null. */
  private @Nullable String choose(List<String> offers) {
    MimeTypes types = req.settings().mimeTypes();
    String best = req.settings().negotiation().best(req.get("Accept"), offers, types);
    vary("Accept");
    if (best != null) {
      set("Content-Type", types.withCharset(mediaType(best)));
    }
    return best;
  }

  private String mediaType(String offer) {
    if (offer.indexOf('/') < 0) {
      return req.settings().mimeTypes().ofPath(offer);
    }
    int semicolon = offer.indexOf(';');
    return semicolon < 0 ? offer : offer.substring(0, semicolon).stripTrailing();
  }

  private String back() {
    String referrer = req.get("Referrer");
    return referrer != null && Referrer.isSameSite(referrer, req.protocol(), req.authority())
        ? headerEncoding().received(referrer)
        : "/";
  }

  private static String text(String header, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException("header \"" + header + "\": value must not be null");
    }
    return PlainText.of(value);
  }

  private static IllegalArgumentException absent(String call, String what) {
    return new IllegalArgumentException(call + ": " + what + " must not be null");
  }

  private static String ascii(String setter, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > '~') {
        throw new IllegalArgumentException(setter + "(\"" + text + "\"): must be ASCII");
      }
    }
    return text;
  }

  private HeaderEncoding headerEncoding() {
    return req.settings().headerEncoding();
  }

  /** Returns the value of a header, encoded if it is a URI reference. */
  private String encoded(String name, String value) {
    return name.equalsIgnoreCase("Location") || name.equalsIgnoreCase("Content-Location")
        ? headerEncoding().received(value)
        : value;
  }

  private String cookieText(@Nullable Object value, SignatureForm form) {
    if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
      String text = PlainText.of(value);
      return form == SignatureForm.EXPRESS ? text : CookieText.escape(text);
    }
    return "j:" + req.settings().jsonCodec().write(value, JsonCodec.WriteOptions.COMPACT);
  }

  private String secret(String cookie) {
    String secret = req.attrOrNull(Request.SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new IllegalStateException(
          "cookie(\""
              + cookie
              + "\", …): no secret to sign it; add CookieParser.of(secret) before this handler");
    }
    return secret;
  }

  /** Passes an upgraded connection to its consumer; closes it if the consumer throws. */
  private void take(UpgradedConnection connection, Consumer<? super UpgradedConnection> taken) {
    try {
      taken.accept(connection);
    } catch (Throwable e) {
      req.late(e);
      connection.abort();
    }
  }

  /** Runs the hooks of {@link #onConnectionClose}. */
  void closed(ConnectionSummary how) {
    List<Consumer<? super ConnectionSummary>> hooks;
    synchronized (answer) {
      if (upgraded == null || upgraded.ending() != null) {
        return;
      }
      upgraded.ending(how);
      hooks = closingHooks == null ? List.of() : closingHooks;
      closingHooks = null;
    }
    for (Consumer<? super ConnectionSummary> hook : hooks) {
      tell(hook, how);
    }
  }

  private void tell(Consumer<? super ConnectionSummary> hook, ConnectionSummary how) {
    try {
      hook.accept(how);
    } catch (Throwable e) { // the other hooks still run
      req.late(e);
    }
  }

  /** Sets the status and headers of a response that the engine has sent itself. */
  void alreadyStarted(int code, Headers sent) {
    status = code;
    headers = sent;
    answer.alreadyEnded();
  }

  /**
   * Ends a response that has started and cannot be completed. Sends 500 if nothing has been sent
   * yet, not even the head; else closes the connection.
   */
  void cut() {
    Headers unsent = answer.takeUnsent();
    if (unsent == null) {
      answer.cut();
      return;
    }
    Headers sent = Representation.undescribed(unsent).setUnchecked("Content-Length", "0");
    status = 500;
    headers = sent;
    answer.endInstead(500, sent);
  }

  /**
   * Runs the hooks of {@link #onHeaders}, each at most once: an error page is sent without them.
   */
  void runHeaderHooks(long length) {
    bodyLength = length;
    // Hooks registered before the claim are visible without the monitor, since the claim acquired
    // it.
    List<Runnable> hooks = headerHooks == null ? List.of() : takeHeaderHooks();
    for (int i = hooks.size() - 1; i >= 0; i--) {
      hooks.get(i).run();
    }
  }

  private List<Runnable> takeHeaderHooks() {
    synchronized (answer) {
      List<Runnable> hooks = headerHooks;
      headerHooks = null;
      return hooks == null ? List.of() : hooks;
    }
  }

  private Headers changeable() {
    if (answer.started()) {
      throw new IllegalStateException("the headers have been sent");
    }
    return headers;
  }

  /** Removes headers, unless they have been sent. */
  void forget(String... names) {
    synchronized (answer) {
      if (!answer.started()) {
        for (String name : names) {
          headers.remove(name);
        }
      }
    }
  }

  /**
   * Gives the claimed response its own headers, since the handler that was given up may still run
   * and read the headers that it set. Headers that describe its body are not copied.
   */
  void startAfresh() {
    answer.giveUp();
    left = headers;
    headers = Representation.undescribed(headers);
  }

  /** Releases the claimed response. A handler that was given up may then still try to respond. */
  void release() {
    Headers mine = left;
    if (mine != null) {
      headers = mine;
      left = null;
    }
    forget("Content-Length", "Content-Encoding", "ETag");
    status = status == 304 ? 200 : status;
    answer.release();
  }

  /** Returns a content type with the charset of this response, unless it has a charset. */
  String withCharset(String type) {
    String name = charset;
    return name == null || name.isEmpty() || ContentType.hasCharset(type)
        ? type
        : ContentType.withCharset(type, name);
  }

  private String joined(String name) {
    return String.join(", ", headers().all(name));
  }

  /** The body as a stream. */
  private final class Writing extends OutputStream {

    private boolean closed;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (closed) {
        throw new IOException("stream is closed");
      }
      if (length > 0) {
        Response.this.write(Arrays.copyOfRange(bytes, offset, offset + length));
      }
    }

    @Override
    public void flush() throws IOException {
      if (!closed) {
        Response.this.flush();
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        end();
      }
    }
  }
}
