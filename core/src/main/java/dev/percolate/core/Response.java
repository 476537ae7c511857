package dev.percolate.core;

import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.ContentDisposition;
import dev.percolate.http.ContentType;
import dev.percolate.http.Html;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers one request.
 *
 * <p>Of several answers, from whatever threads, the first wins; each later one throws an {@link
 * IllegalStateException}, in development naming both places. Status and headers may be changed
 * until the answer starts, and several threads may write to one that has started; everything else
 * is up to one thread at a time. Step 8 of docs/flow.md.
 */
public final class Response extends ResponseHead {

  Response(Request req, Answer answer) {
    super(req, answer);
  }

  /** Gives the request that this answers. */
  public Request req() {
    return req;
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
      Sending.bytes(this, bytes, bytes, null);
      return this;
    }
    if (body == JsonCodec.ABSENT) {
      Sending.nothing(this, null);
      return this;
    }
    if (body instanceof InputStream stream) {
      Sending.stream(this, stream);
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
    String text = jsonText(value);
    if (text.isEmpty()) {
      String type = withCharset("application/json");
      Sending.nothing(this, ContentType.hasCharset(type) ? type : type + "; charset=utf-8");
      return this;
    }
    return sendText(text, "application/json");
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
    String callback = Jsonp.callback(req);
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
    Redirect.send(this, code, url);
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
    Formats.answer(this, offers);
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
    FileSender.send(file, options, this);
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
   *     the options; told of errors: an {@link HttpError} 400, 403, 404 (with the field {@code
   *     code} where the file system says why), 416 or 500
   */
  public void sendFile(String path, FileOptions options, Next next) {
    FileSender.send(path, options, this, next);
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
    return set("Content-Disposition", ContentDisposition.attachment(filename)).sendFile(file);
  }

  /**
   * Answers with the content of a file that text from outside names, for the client to keep; see
   * {@link #sendFile(String, FileOptions, Next)}.
   *
   * @param path the path
   * @param filename the name to keep it under; null for the last part of the path
   * @param options where it is looked for, and how it is sent
   * @param next is run for a directory, told of errors
   */
  public void download(String path, @Nullable String filename, FileOptions options, Next next) {
    String name = filename == null ? path : filename;
    set("Content-Disposition", ContentDisposition.attachment(name));
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
    begin();
    answer.write(ByteBuffer.wrap(bytes));
    return this;
  }

  /** Starts the answer now, if it has not started: status and headers go out before any body. */
  public void flushHead() {
    if (begin()) {
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
   * Gives the body as a stream: each write goes out as {@link #write(byte[])} does, closing it ends
   * the answer. Wrap it in a {@link java.io.BufferedOutputStream} for small pieces.
   */
  public OutputStream outputStream() {
    return new ResponseStream(this);
  }

  Answer answer() {
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
    try {
      runHeaderHooks(length);
      boolean body = hasBody();
      if (!body) {
        describeNoBody();
      }
      answer.start(status, headers, body, length >= 0);
    } catch (Throwable e) {
      release();
      throw e;
    }
  }

  /**
   * Says that nothing follows, where the client would await a body by what the head says. A request
   * that a step has made HEAD is told the length of the body, as any HEAD is, if its connection
   * ends here anyway; else the client would take the next answer for this body.
   */
  private void describeNoBody() {
    boolean reset = status == 205; // RFC 9110 section 15.3.6
    boolean overridden = Status.hasBody(status) && !req.wasHead();
    if (overridden && headers.contains("Content-Length") && isLast()) {
      headers.setUnchecked("Connection", "close");
    } else if (reset || overridden) {
      headers.setUnchecked("Content-Length", "0").remove("Transfer-Encoding");
    }
  }

  /** Tells whether the connection ends with this answer. */
  private boolean isLast() {
    return !req.httpVersion().equals("2.0")
        && (ConnectionOptions.close(req.headers()) || ConnectionOptions.close(headers));
  }

  /** Takes back what was said of a body that has not been sent, and for which another will come. */
  void forgetBody() {
    forget("Content-Length", "Content-Encoding");
  }

  /** Starts an answer in pieces, unless it has been started; tells whether this call did. */
  private boolean begin() {
    boolean first = !answer.started();
    if (first) {
      answer.claim();
      start(-1);
    }
    return first;
  }

  /** Gives the JSON of a value; empty for none. */
  private String jsonText(@Nullable Object value) {
    String text = JsonCodec.find().write(value, JsonCodec.Style.of(req.settings()));
    return req.settings().enabled(Settings.JSON_ESCAPE.name()) ? Html.escapeJson(text) : text;
  }

  private Response sendText(String text, @Nullable String fallbackType) {
    String set = get("Content-Type");
    String type = set == null ? fallbackType : set;
    String utf8 = type == null ? null : ContentType.withUtf8(type);
    Sending.bytes(this, Utf8.bytes(text), text, utf8);
    return this;
  }
}
