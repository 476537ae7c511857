package dev.percolate.core;

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
 * Answers one request.
 *
 * <p>Of several answers, from whatever threads, the first wins; each later one throws an {@link
 * IllegalStateException}, in development naming both places. Status and headers may be changed
 * until the answer starts, and several threads may write to one that has started; everything else
 * is up to one thread at a time. Step 8 of docs/flow.md.
 */
public final class Response {

  final Request req;
  final ResponseCommit answer;
  Headers headers = new Headers();
  int status = 200;

  /** What a step may still look at that is no longer waited for; null unless there is one. */
  private @Nullable Headers left;

  private @Nullable String charset;
  private long bodyLength = -1;
  private @Nullable List<Runnable> headerHooks;
  private @Nullable FinishHooks finishHooks;
  private @Nullable List<Consumer<? super Closing>> closingHooks;
  private @Nullable UpgradedConnection upgraded;
  private @Nullable Map<String, Object> locals;

  /** The error for which the headers were cleared last. */
  private @Nullable Throwable failure;

  Response(Request req, ResponseCommit answer) {
    this.req = req;
    this.answer = answer;
  }

  /** Returns the request that this answers. */
  public Request req() {
    return req;
  }

  /** Returns the status; 200 unless another was set. */
  public int status() {
    return status;
  }

  /**
   * Sets the status. Once the answer has started, this changes only what {@link #status()} says; if
   * it was given in the place of a step that took too long, nothing.
   *
   * @param code 200 to 999; behind a status below 200 clients await a further answer (RFC 9110
   *     §15.2)
   * @return this response
   * @throws IllegalArgumentException if the code is none of an answer
   */
  public Response status(int code) {
    if (code < 200 || code > 999) {
      throw new IllegalArgumentException("status(" + code + "): not the status of an answer");
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
   * @param name its name, in any case
   * @return its first value, or null
   */
  public @Nullable String get(String name) {
    return headers().get(name);
  }

  /** Returns all headers, for reading; once the answer has started they cannot be changed. */
  public Headers headers() {
    Headers mine = left;
    return mine != null && answer.claimedElsewhere() ? mine : headers;
  }

  /**
   * Sets a header, in the place of one with this name; {@code Set-Cookie} is added instead. A
   * {@code Content-Type} without charset gets that of {@link #charset(String)}; {@code Location}
   * and {@code Content-Location} are percent-encoded.
   *
   * <p>Clients disagree about other characters than ASCII (RFC 9110 section 5.5). For text, call
   * {@link #location}, {@link #links}, {@link #attachment(String)} or {@link #cookie(String,
   * Object)}, or encode it.
   *
   * @param name its name
   * @param value its value, without line breaks; U+0080 to U+00FF are sent as one byte each
   * @return this response
   * @throws IllegalArgumentException if name or value is ill-formed; nothing is changed then
   * @throws IllegalStateException if the answer has started
   */
  public Response set(String name, String value) {
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
   * Sets a header to several values, each sent on a line of its own. Of several values for {@code
   * Set-Cookie} those are added that are not there yet.
   *
   * @param name its name
   * @param values its values, Latin-1 without line breaks; none removes the header
   * @return this response
   * @throws IllegalArgumentException if name or a value is ill-formed; nothing is changed then
   * @throws IllegalStateException if the answer has started
   */
  public Response set(String name, List<String> values) {
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
   * @param values each a collection for several lines, or what is sent as text
   * @return this response
   * @throws IllegalArgumentException if a name or a value is ill-formed, or null
   * @throws IllegalStateException if the answer has started
   */
  public Response set(Map<String, ?> values) {
    values.forEach(
        (name, value) -> {
          if (value instanceof Collection<?> items) {
            set(name, items.stream().map(PlainText::of).toList());
          } else if (value == null) {
            throw new IllegalArgumentException("header \"" + name + "\": the value is null");
          } else {
            set(name, PlainText.of(value));
          }
        });
    return this;
  }

  /**
   * Adds a header beside those with this name.
   *
   * @param name its name
   * @param value its value, Latin-1 without line breaks
   * @return this response
   * @throws IllegalArgumentException if name or value is ill-formed
   * @throws IllegalStateException if the answer has started
   */
  public Response append(String name, String value) {
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
   * @throws IllegalStateException if the answer has started
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
   * @param type a media type, or an extension such as {@code html} or {@code .png}, which also sets
   *     {@code charset=utf-8} for text
   * @return this response
   * @throws IllegalArgumentException if it is not ASCII
   */
  public Response type(String type) {
    if (type.indexOf('/') >= 0) {
      return set("Content-Type", ascii("type", type));
    }
    MimeTypes types = req.settings().mimeTypes();
    boolean own = charset != null && !charset.isEmpty();
    return set("Content-Type", own ? types.ofPath(type) : types.named(type));
  }

  /** Returns the charset for types set from now on; null where none was set. */
  public @Nullable String charset() {
    return charset;
  }

  /**
   * Sets the charset for types set from now on without one. It only names the charset: text is
   * always sent in UTF-8, and {@code send} says so.
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
   * Adds names to {@code Vary}, each once.
   *
   * @param fields names of request headers; a single one may hold several with commas
   * @return this response
   * @throws IllegalArgumentException if a name is ill-formed
   */
  public Response vary(String... fields) {
    List<String> names = fields.length == 1 ? Vary.names(fields[0]) : Arrays.asList(fields);
    String value = Vary.with(joined("Vary"), names);
    return value.isEmpty() ? this : set("Vary", value);
  }

  /**
   * Adds links to {@code Link}.
   *
   * @param links URLs by their relation, such as {@code next}
   * @return this response
   */
  public Response links(Map<String, String> links) {
    return links.isEmpty() ? this : set("Link", headerEncoding().links(joined("Link"), links));
  }

  /**
   * Sets {@code Location}, percent-encoded where a URL must be. Check where the URL leads if it
   * contains text from a client.
   *
   * @param url {@code back} for the referrer, if that is on this site, else {@code /}; a URL, or a
   *     path from the root, as it stands; with a dot in front relative to the path of the request,
   *     taken as a folder; everything else relative to the mount path of the application at work
   * @return this response
   */
  public Response location(String url) {
    String to = url.equals("back") ? back() : url;
    String resolved = Redirect.resolve(to, req.originalPath(), req.scope().mountPath());
    return set("Location", headerEncoding().location(resolved));
  }

  /**
   * Sets a cookie for the path {@code /} and the browser's session.
   *
   * @param name its name, a token
   * @param value a text, number or boolean; everything else is sent as {@code j:} and JSON
   * @return this response
   */
  public Response cookie(String name, @Nullable Object value) {
    return cookie(name, value, CookieOptions.none());
  }

  /**
   * Sets a cookie.
   *
   * @param name its name, a token
   * @param value a text, number or boolean; everything else is sent as {@code j:} and JSON
   * @param options its attributes
   * @return this response
   * @throws IllegalStateException if it is to be signed, and no cookie parser above has a secret
   */
  public Response cookie(String name, @Nullable Object value, CookieOptions options) {
    SignatureForm form = SignatureForm.of(req.settings().get(Settings.COOKIE_SIGNATURE));
    String text = cookieText(value, form);
    if (options.signed()) {
      text = form.sign(SignatureForm.COOKIE, name, text, secret(name));
    }
    return append("Set-Cookie", Cookies.serialise(name, text, options, System.currentTimeMillis()));
  }

  /**
   * Makes browsers forget a cookie of the path {@code /}.
   *
   * @param name its name
   * @return this response
   */
  public Response clearCookie(String name) {
    return clearCookie(name, CookieOptions.none());
  }

  /**
   * Makes browsers forget a cookie.
   *
   * @param name its name
   * @param options path and domain that it was set with; the life that they give it does not count
   * @return this response
   */
  public Response clearCookie(String name, CookieOptions options) {
    return cookie(name, "", options.cleared());
  }

  /** Makes the client save the answer instead of showing it. */
  public Response attachment() {
    return set("Content-Disposition", "attachment");
  }

  /**
   * Makes the client save the answer under a name, and sets the type of its extension.
   *
   * @param filename the name, or a path whose last part it is
   * @return this response
   */
  public Response attachment(String filename) {
    if (!filename.isEmpty()) {
      type(ContentDisposition.extension(filename));
    }
    return set("Content-Disposition", headerEncoding().attachment(filename));
  }

  /**
   * Registers a hook that runs right before the headers go out, and may change them. The hook
   * registered last runs first. If there will be no answer, it does not run.
   *
   * @param hook the hook; it runs on the thread that answers
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
   * Registers a hook that runs once when the exchange is over: the answer complete, or the client
   * gone. Hooks run in the order of registration, never at the same time as a step, and after the
   * step that answered has returned. They must not block: they may run on an event loop.
   *
   * @param hook the hook; {@link Response#finished} tells it whether there was an answer
   */
  public void onFinish(Runnable hook) {
    finishHooks().add(hook);
  }

  /** Returns the hooks of this response, which the exchange tells of its end from then on. */
  private FinishHooks finishHooks() {
    FinishHooks hooks;
    boolean first;
    synchronized (answer) {
      first = finishHooks == null;
      hooks = finishHooks == null ? new FinishHooks(req.turn()) : finishHooks;
      finishHooks = hooks;
    }
    if (first) {
      req.exchange().onEnd(hooks);
    }
    return hooks;
  }

  /**
   * Tells whether {@link #upgrade} can answer: the request asks for another protocol, nobody has
   * answered, and the engine hands connections over.
   */
  public boolean upgradable() {
    return !answer.taken() && req.exchange().upgradable();
  }

  /**
   * Answers {@code 101 Switching Protocols}, and hands the connection over to another protocol (RFC
   * 9110 section 7.8). With that the answer is complete: hooks of {@link #onHeaders} run before it,
   * those of {@link #onFinish} behind the step. The header {@code Upgrade} must have been set.
   *
   * @param taken gets the connection on the turn of the request, once, behind the step and the
   *     hooks of {@link #onFinish}; also if the client has gone by then. If it throws, that is
   *     logged and the connection is closed
   * @throws IllegalStateException if there is an answer already, or the request is not {@linkplain
   *     #upgradable upgradable}
   */
  public void upgrade(Consumer<? super UpgradedConnection> taken) {
    if (!req.exchange().upgradable()) {
      throw new IllegalStateException(req.method() + " " + req.originalUrl() + ": no upgrade");
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
    FinishHooks hooks;
    boolean first;
    synchronized (answer) {
      first = finishHooks == null;
      hooks = finishHooks == null ? new FinishHooks(req.turn()) : finishHooks;
      finishHooks = hooks;
    }
    hooks.handOver();
    UpgradedConnection connection = new UpgradedConnection(req.exchange(), this::closed, hooks);
    synchronized (answer) {
      upgraded = connection;
    }
    answer.upgrade(headers, () -> take(connection, taken));
    if (first) {
      req.exchange().onEnd(hooks);
    }
  }

  /**
   * Registers a hook that runs once when a connection has ended that this answer has {@linkplain
   * #upgrade handed over}; other answers never call it. Hooks run in the order of registration, on
   * any thread, and must not block. One that is registered later runs at once. If a hook throws,
   * that is logged and other hooks still run.
   *
   * @param hook the hook
   */
  public void onClosing(Consumer<? super Closing> hook) {
    Closing known;
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
   * Tells how a conversation stands whose connection this answer has {@linkplain #upgrade handed
   * over}. Any thread may ask.
   *
   * @return while it goes on what has come and was sent so far, with the code 0; then how it has
   *     ended; null for other answers, and for protocols that do not count
   */
  public @Nullable Closing conversation() {
    UpgradedConnection connection;
    synchronized (answer) {
      connection = upgraded;
    }
    return connection == null ? null : connection.standing();
  }

  /**
   * Tells hooks of {@link #onHeaders} how long the body is, if all of it was given at once.
   *
   * @return bytes; -1 for a body in pieces, and before hooks run
   */
  public long bodyLength() {
    return bodyLength;
  }

  /**
   * Changes the body of this answer on its way out; to be called by hooks of {@link #onHeaders},
   * which also see to the headers: a filter that changes the length removes {@code Content-Length}.
   * Without that header the answer goes out in pieces. The filter added first gets the bytes first.
   *
   * @param filter used for this answer only
   * @return this response
   * @throws IllegalStateException outside of these hooks
   */
  public Response filter(BodyFilter filter) {
    answer.filter(filter);
    onFinish(filter::close);
    return this;
  }

  /** Returns the values that templates see, for this request only; to be filled by its steps. */
  public Map<String, Object> locals() {
    if (locals == null) {
      locals = new LinkedHashMap<>();
    }
    return locals;
  }

  /**
   * Adds values that templates see, in the place of those with the same names.
   *
   * @param values the values by name
   * @return this response
   */
  public Response locals(Map<String, ?> values) {
    locals().putAll(values);
    return this;
  }

  /** Tells whether status and headers have gone out, so that nothing can be changed any more. */
  public boolean headersSent() {
    return answer.started();
  }

  /**
   * Returns the status code that the client got. It differs from {@link #status} if that was
   * changed after the response had started, if the engine replaced it, and if the client was gone
   * before the head of the response went out. It is final in hooks of {@link #onFinish}.
   *
   * @return a status code; 0 if no response has left the server
   */
  public int sentStatus() {
    return answer.sentStatus(status);
  }

  /**
   * Returns the length of the body that the client was told by {@code Content-Length}, whether that
   * header was set or the server added it.
   *
   * @return the length in bytes; -1 for a body that is sent in pieces, for a response without a
   *     body or a length, and if no response has left the server
   */
  public long sentLength() {
    if (sentStatus() == 0) {
      return -1;
    }
    String set = get("Content-Length");
    return set == null ? answer.addedLength() : ContentLength.parse(set);
  }

  /** Tells whether the whole answer has been given. */
  public boolean finished() {
    return answer.ended();
  }

  /**
   * Answers with a body by its kind: text as HTML unless a type was set, bytes and streams as
   * {@code application/octet-stream}, a {@link Path} as a file, everything else as JSON; null as an
   * empty text, {@link JsonCodec#ABSENT} as no body. A stream is read to its end and closed.
   *
   * @param body the body
   * @return this response
   * @throws IllegalArgumentException for a lone number, which could mean a status or a value
   * @throws IllegalStateException if there is an answer already
   */
  public Response send(@Nullable Object body) {
    if (body == null) {
      return sendText("", null);
    }
    if (body instanceof CharSequence text) {
      return sendText(text.toString(), "text/html");
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
          "send(" + number + "): say sendStatus(" + number + ") or json(" + number + ")");
    }
    return json(body);
  }

  /**
   * Answers with a status and a body.
   *
   * @param code the status
   * @param body the body; here a number is sent as JSON
   * @return this response
   */
  public Response send(int code, @Nullable Object body) {
    status(code);
    return body instanceof Number ? json(body) : send(body);
  }

  /**
   * Answers with a status and its phrase as plain text.
   *
   * @param code the status
   * @return this response
   */
  public Response sendStatus(int code) {
    String phrase = Status.phrase(code);
    return status(code).sendText(phrase.isEmpty() ? String.valueOf(code) : phrase, "text/plain");
  }

  /**
   * Answers with a value as JSON, by the settings {@code json replacer} and {@code json spaces}.
   *
   * @param value any value that JSON can hold, a record or a bean; {@link JsonCodec#ABSENT} for no
   *     body
   * @return this response
   */
  public Response json(@Nullable Object value) {
    Settings settings = req.settings();
    if (settings.enabled(Settings.JSON_ESCAPE.name())
        || settings.get("etag") instanceof ETagFunction) {
      String text = jsonText(value);
      return text.isEmpty() ? noJson() : sendText(text, "application/json");
    }
    byte[] bytes = settings.jsonCodec().writeBytes(value, settings.jsonStyle());
    if (bytes.length == 0) {
      return noJson();
    }
    BodySender.bytes(this, bytes, bytes, withUtf8("application/json"));
    return this;
  }

  /**
   * Answers with a status and a value as JSON.
   *
   * @param code the status
   * @param value the value
   * @return this response
   */
  public Response json(int code, @Nullable Object value) {
    return status(code).json(value);
  }

  /**
   * Answers with a view of the application at work; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   */
  public void render(String name) {
    render(name, Map.of());
  }

  /**
   * Answers with a view of the application at work, as {@link #send} does with text.
   *
   * <p>If there is no such view, or its template fails, the error goes to the error handlers of the
   * application, past its routes, and the {@code next} of the calling step counts as used. A
   * relative name is sought below the setting {@code views}; a name may also be absolute or leave
   * that directory by {@code ..}, so it must never be made of text from outside.
   *
   * @param name the name of the view, with or without extension
   * @param locals values for the template, which win over {@link #locals()} and those of the
   *     application
   * @throws IllegalStateException if no application is at work, or if neither the name nor the
   *     setting {@code view engine} leads to a template engine
   */
  public void render(String name, Map<String, ?> locals) {
    req.scope().render(name, locals, null);
  }

  /**
   * Renders a view without answering; see {@link #render(String, Map)}.
   *
   * @param name the name of the view
   * @param locals values for the template
   * @param callback gets the error, or null and the text
   * @throws IllegalStateException as without a callback, which then is not called
   */
  public void render(
      String name,
      Map<String, ?> locals,
      BiConsumer<@Nullable Throwable, @Nullable String> callback) {
    req.scope().render(name, locals, callback);
  }

  /**
   * Answers with a value as JSON or, if the query names a function by the setting {@code jsonp
   * callback name}, as a script that calls it. The name is cleared of all but {@code
   * A-Za-z0-9_$.[]}; one longer than 128 characters counts as none.
   *
   * @param value any value that JSON can hold, a record or a bean
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
      return sendText(json, "application/json");
    }
    set("X-Content-Type-Options", "nosniff").set("Content-Type", "text/javascript");
    return sendText(Jsonp.call(callback, json), null);
  }

  /**
   * Answers with a status and a value as JSON, or as a script; see {@link #jsonp(Object)}.
   *
   * @param code the status
   * @param value the value
   * @return this response
   */
  public Response jsonp(int code, @Nullable Object value) {
    return status(code).jsonp(value);
  }

  /**
   * Answers with 302 and a short body that names the new place.
   *
   * @param url the new place, as in {@link #location}
   * @return this response
   */
  public Response redirect(String url) {
    return redirect(302, url);
  }

  /**
   * Answers with a redirect and a short body that names the new place.
   *
   * @param code the status, such as 303 after a form
   * @param url the new place, as in {@link #location}
   * @return this response
   */
  public Response redirect(int code, String url) {
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
   * Answers in the format that the client likes best: sets {@code Content-Type} and {@code Vary},
   * and calls the handler of that format.
   *
   * @param offers handlers by media type or extension, in the order of the server's liking; {@code
   *     default} is called if there is none to the client's liking
   * @return this response
   * @throws HttpError 406 with the field {@code types}, if there is neither
   * @throws Exception what the handler throws
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
   * Answers with the content of a file, typed by its extension unless a type was set; by ranges and
   * conditions where the client asks so.
   *
   * @param file the file; it is the caller who decides that this client may read it
   * @return this response
   * @throws HttpError 404 if there is no such regular file, 416 if it lacks the range asked for
   */
  public Response sendFile(Path file) {
    return sendFile(file, FileOptions.none());
  }

  /**
   * Answers with the content of a file; see {@link #sendFile(Path)}. Below a root, if there is one,
   * where names with a dot in front are subject to the options; neither index nor extensions are
   * tried.
   *
   * @param file the file
   * @param options how it is sent
   * @return this response
   * @throws HttpError 403 if it lies outside of the root, 404, 416
   */
  public Response sendFile(Path file, FileOptions options) {
    FileSender.send(file, options, new OfFile());
    return this;
  }

  /**
   * Answers with the content of a file that text from outside names, or passes on. It is decoded
   * from percent escapes, once; separators are slashes. Without a root, it may be absolute, and two
   * dots are refused. A path that ends with a slash means the directory's index.
   *
   * <p>Unless {@link Settings#AMBIGUOUS_TARGETS} is {@code pass}, an escape of a slash, or of a
   * character that needs none, names no file: {@link Request#path()} has none of the latter, and
   * what was decoded before, such as a parameter, must not bring a path to light that no guard has
   * seen. Behind a directory it is a 400 of type {@code path.ambiguous}, elsewhere a 404.
   *
   * @param path the path, such as a request's
   * @param options where it is looked for, and how it is sent
   * @param next is run for a directory whose path has no slash at its end, or that has no index by
   *     the options; is called with errors: an {@link HttpError} 400, 403, 404 (with the field
   *     {@code code} where the file system says why), 416 or 500
   */
  public void sendFile(String path, FileOptions options, Next next) {
    FileSender.send(path, options, new OfFile(), next);
  }

  /**
   * Answers with the content of a file, for the client to keep under its own name; see {@link
   * #sendFile(Path)}.
   *
   * @param file the file
   * @return this response
   */
  public Response download(Path file) {
    return download(file, file.toString());
  }

  /**
   * Answers with the content of a file, for the client to keep; see {@link #sendFile(Path)}.
   *
   * @param file the file; the type is by its extension
   * @param filename the name to keep it under
   * @return this response
   */
  public Response download(Path file, String filename) {
    return set("Content-Disposition", headerEncoding().attachment(filename)).sendFile(file);
  }

  /**
   * Answers with the content of a file that text from outside names, for the client to keep; see
   * {@link #sendFile(String, FileOptions, Next)}.
   *
   * @param path the path
   * @param filename the name to keep it under; null for the last part of the path
   * @param options where it is looked for, and how it is sent
   * @param next is run for a directory, and called with errors
   */
  public void download(String path, @Nullable String filename, FileOptions options, Next next) {
    String name = filename == null ? path : filename;
    set("Content-Disposition", headerEncoding().attachment(name));
    sendFile(path, options, next);
  }

  /**
   * Writes a piece of text; the first starts the answer. Waits while the client reads slowly; where
   * waiting is not allowed, writes up to 1 MiB ahead.
   *
   * <p>Once the answer has started, {@link #flushHead} does that too, several threads may write at
   * the same time, as those do that tell many clients of one event: each piece goes out whole, in
   * any order, and each thread waits on its own.
   *
   * @param text the piece, sent in UTF-8
   * @return this response
   * @throws IOException if the client has gone, or reads too slowly where waiting is not allowed
   */
  public Response write(String text) throws IOException {
    return write(Utf8.bytes(text));
  }

  /**
   * Writes a piece of the body; see {@link #write(String)}.
   *
   * @param bytes the piece, not to be changed afterwards
   * @return this response
   * @throws IOException if the client has gone, or reads too slowly where waiting is not allowed
   */
  public Response write(byte[] bytes) throws IOException {
    boolean ignored = begin(bytes.length);
    answer.write(ByteBuffer.wrap(bytes));
    return this;
  }

  /**
   * Writes a piece of an answer that has started and has a body, without waiting for the client:
   * for those who write to many clients, and see to it by the callback that not too much waits for
   * one. In engines that give each request a thread, writing waits all the same.
   *
   * @param bytes the piece, not to be changed afterwards; several answers may share it
   * @param callback is called once, by any thread, when the client has taken it, or never will. If
   *     it throws, that is logged and the response is cut off
   * @throws IOException if the client has gone; the callback is not called then
   */
  public void offer(byte[] bytes, Exchange.OnWritten callback) throws IOException {
    answer.offer(ByteBuffer.wrap(bytes), callback);
  }

  /** Starts the answer now, if it has not started: status and headers go out before any body. */
  public void flushHead() {
    if (begin(0)) {
      answer.flush();
    }
  }

  /**
   * Sends what was written so far, also what a {@link BodyFilter} such as a compression holds back;
   * starts the answer, if it has not started.
   *
   * @return this response
   * @throws IOException if the client has gone
   */
  public Response flush() throws IOException {
    flushHead();
    answer.flushFiltered();
    return this;
  }

  /** Ends the answer; one that has not started gets an empty body. */
  public void end() {
    end(new byte[0]);
  }

  /**
   * Ends the answer by a last piece of text, in UTF-8. No type is set.
   *
   * @param text the last or only piece
   */
  public void end(String text) {
    end(Utf8.bytes(text));
  }

  /**
   * Ends the answer by a last piece.
   *
   * @param bytes the last or only piece, not to be changed afterwards
   */
  public void end(byte[] bytes) {
    if (!answer.started()) {
      answer.claim();
      start(bytes.length);
    }
    answer.end(ByteBuffer.wrap(bytes));
  }

  /**
   * Returns the body as a stream: each write goes out as {@link #write(byte[])} does, closing it
   * ends the answer. Wrap it in a {@link java.io.BufferedOutputStream} for small pieces.
   */
  public OutputStream outputStream() {
    return new Writing();
  }

  /** Tells whether the exchange is over; from any thread. */
  boolean isOver() {
    return finishHooks().areOver();
  }

  ResponseCommit answer() {
    return answer;
  }

  /** Tells whether an answer with the status as it is now has a body. */
  boolean hasBody() {
    return Status.hasBody(status) && !req.method().equals("HEAD") && !req.wasHead();
  }

  /**
   * Runs the hooks and starts the answer, which the calling thread has claimed.
   *
   * @param length how long the body is, whose end follows at once; -1 if it comes in pieces
   */
  void start(long length) {
    start(length, 0);
  }

  /**
   * Runs the hooks and starts the answer in pieces, which the calling thread has claimed.
   *
   * @param first the length of the first piece; if it exceeds {@code Content-Length}, nothing is
   *     sent
   */
  void startPieces(int first) {
    start(-1, first);
  }

  private void start(long length, int first) {
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
   * Says that nothing follows, where the client would await a body by what the head says. A request
   * that a step has made HEAD gets the length of the body, as any HEAD is, if its connection ends
   * here anyway; else the client would take the next answer for this body.
   */
  private void describeNoBody(long length) {
    boolean said = ContentLength.parse(headers.get("Content-Length")) >= 0;
    if (said && length > 0) { // 0: the body was not made
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

  /** Returns whether this is a 304 whose headers are reduced after the hooks have run. */
  boolean reducesNotModified() {
    return status == 304 && req.settings().conditionalRequests() == ConditionalRequests.STANDARD;
  }

  /** Tells whether the connection ends with this answer. */
  private boolean isLast() {
    return !req.httpVersion().equals("2.0")
        && (ConnectionOptions.close(req.headers()) || ConnectionOptions.close(headers));
  }

  /**
   * Removes what describes a body that has not been sent, and lets caches keep it, before an error
   * handler responds; once for each error, but for length and encoding. The type stays for bodies
   * that set none.
   *
   * @param error the error
   */
  void forgetBody(Throwable error) {
    if (error == failure) {
      forget("Content-Length", "Content-Encoding");
    } else {
      failure = error;
      forgetBody(FinalHandler.statusOf(error, this));
    }
  }

  /**
   * Removes what describes a body that has not been sent, and lets caches keep it.
   *
   * @param code the status of the error that is sent instead
   */
  void forgetBody(int code) {
    forget("Content-Length", "Content-Encoding");
    if (req.settings().conditionalRequests() == ConditionalRequests.EXPRESS) {
      return;
    }
    synchronized (answer) {
      if (!answer.started() && code == 416) { // which says how long it is (RFC 9110 15.5.17)
        Representation.removeFrom(headers, "Content-Type", "Content-Range");
      } else if (!answer.started()) {
        Representation.removeFrom(headers, "Content-Type");
      }
    }
  }

  /** Starts an answer in pieces, unless it has been started; tells whether this call did. */
  private boolean begin(int first) {
    boolean begins = !answer.started();
    if (begins) {
      answer.claim();
      startPieces(first);
    }
    return begins;
  }

  /** Returns the JSON of a value; empty for none. */
  private String jsonText(@Nullable Object value) {
    String text = req.settings().jsonCodec().write(value, req.settings().jsonStyle());
    return req.settings().enabled(Settings.JSON_ESCAPE.name()) ? Html.escapeJson(text) : text;
  }

  private Response noJson() {
    String type = withCharset("application/json");
    BodySender.nothing(this, ContentType.hasCharset(type) ? type : type + "; charset=utf-8");
    return this;
  }

  private Response sendText(String text, @Nullable String fallbackType) {
    BodySender.bytes(this, Utf8.bytes(text), text, withUtf8(fallbackType));
    return this;
  }

  /** Returns the type that was set, or another, with the charset of what is sent. */
  private @Nullable String withUtf8(@Nullable String fallbackType) {
    String set = get("Content-Type");
    String type = set == null ? fallbackType : set;
    return type == null ? null : ContentType.withUtf8(type);
  }

  /** Sets type and Vary by what the client likes best; returns that offer, or null. */
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
    return "j:" + req.settings().jsonCodec().write(value, JsonCodec.Style.COMPACT);
  }

  private String secret(String cookie) {
    String secret = req.attrOrNull(Request.SECRET);
    if (secret == null || secret.isEmpty()) {
      throw new IllegalStateException(
          "cookie(\""
              + cookie
              + "\", …): no secret to sign it; does a CookieParser with one stand above?");
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

  /** Runs the hooks of {@link #onClosing}. */
  void closed(Closing how) {
    List<Consumer<? super Closing>> hooks;
    synchronized (answer) {
      if (upgraded == null || upgraded.ending() != null) {
        return;
      }
      upgraded.ending(how);
      hooks = closingHooks == null ? List.of() : closingHooks;
      closingHooks = null;
    }
    for (Consumer<? super Closing> hook : hooks) {
      tell(hook, how);
    }
  }

  private void tell(Consumer<? super Closing> hook, Closing how) {
    try {
      hook.accept(how);
    } catch (Throwable e) { // the other hooks still run
      req.late(e);
    }
  }

  /** Notes that the engine has answered itself. */
  void alreadyStarted(int code, Headers sent) {
    status = code;
    headers = sent;
    answer.alreadyEnded();
  }

  /**
   * Ends an answer that has been started and cannot be completed: with 500 as long as nothing of it
   * has gone out, as that of HEAD, else by closing the connection.
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

  /** Runs the hooks of {@link #onHeaders}, each at most once: an error page goes out without. */
  void runHeaderHooks(long length) {
    bodyLength = length;
    // What was registered before the claim is seen without the monitor, too: the claim took it.
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

  /** Takes headers back, unless they have gone out. */
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
   * Gives the answer, which the calling thread has claimed, headers of its own: the step in whose
   * place it is given may still run, and look at those that it has set. What describes the body
   * that it meant to send stays there.
   */
  void startAfresh() {
    answer.giveUp();
    left = headers;
    headers = Representation.undescribed(headers);
  }

  /** Gives the claimed answer up; where it was given in the place of a step, that may still try. */
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

  /** Returns a content type with the charset set here, unless it names one. */
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
        throw new IOException("the stream is closed");
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

  /** This response, as the sending of a file sees it. */
  private final class OfFile implements FileResponse {

    @Override
    public Settings settings() {
      return req.settings();
    }

    @Override
    public String method() {
      return req.method();
    }

    @Override
    public Headers received() {
      return req.headers();
    }

    @Override
    public boolean normalised() {
      return req.normalised();
    }

    @Override
    public int status() {
      return status;
    }

    @Override
    public void status(int code) {
      Response.this.status(code);
    }

    @Override
    public Headers headers() {
      return Response.this.headers();
    }

    @Override
    public @Nullable String charset() {
      return charset;
    }

    @Override
    public void vary(String field) {
      Response.this.vary(field);
    }

    @Override
    public void claim() {
      answer.claim();
    }

    @Override
    public void reopen() {
      answer.release();
    }

    @Override
    public void release() {
      Response.this.release();
    }

    @Override
    public void forgetBody(int status) {
      Response.this.forgetBody(status);
    }

    @Override
    public void forget(String... names) {
      Response.this.forget(names);
    }

    @Override
    public void start(long length) {
      Response.this.start(length);
    }

    @Override
    public boolean hasBody() {
      return Response.this.hasBody();
    }

    @Override
    public void send(FileContent file, FileRange part) {
      answer.send(file, part);
    }

    @Override
    public void end() {
      answer.end(ByteBuffer.allocate(0));
    }
  }
}
