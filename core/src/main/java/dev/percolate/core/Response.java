package dev.percolate.core;

import dev.percolate.http.ContentType;
import dev.percolate.http.Headers;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers one request.
 *
 * <p>Of several answers, from whatever threads, the first wins; each later one throws an {@link
 * IllegalStateException}, in development naming both places. Status and headers may be changed
 * until the answer starts; everything else is up to one thread at a time. Step 8 of docs/flow.md.
 */
public final class Response {

  private final Request req;
  private final Answer answer;
  private Headers headers = new Headers();
  private int status = 200;
  private @Nullable List<Runnable> headerHooks;
  private @Nullable FinishHooks finishHooks;
  private @Nullable Map<String, Object> locals;

  Response(Request req, Answer answer) {
    this.req = req;
    this.answer = answer;
  }

  /** Gives the request that this answers. */
  public Request req() {
    return req;
  }

  /** Gives the status; 200 unless another was set. */
  public int status() {
    return status;
  }

  /**
   * Sets the status. Once the answer has started, this changes only what {@link #status()} says.
   *
   * @param code 100 to 999
   * @return this response
   * @throws IllegalArgumentException if the code is none
   */
  public Response status(int code) {
    if (code < 100 || code > 999) {
      throw new IllegalArgumentException("status(" + code + "): not a status code");
    }
    if (!answer.claimedElsewhere()) {
      status = code;
    }
    return this;
  }

  /**
   * Gives a header of this response.
   *
   * @param name its name, in any case
   * @return its first value, or null
   */
  public @Nullable String get(String name) {
    return headers.get(name);
  }

  /** Gives all headers, for reading; once the answer has started they do not change any more. */
  public Headers headers() {
    return headers;
  }

  /**
   * Sets a header, in the place of one with this name; {@code Set-Cookie} is added instead.
   *
   * @param name its name
   * @param value its value, Latin-1 without line breaks
   * @return this response
   * @throws IllegalArgumentException if name or value is ill-formed; nothing is changed then
   * @throws IllegalStateException if the answer has started
   */
  public Response set(String name, String value) {
    if (name.equalsIgnoreCase("Set-Cookie")) {
      return append(name, value);
    }
    changeable().set(name, value);
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
    changeable().add(name, value);
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
    changeable().remove(name);
    return this;
  }

  /**
   * Sets the content type.
   *
   * @param type a media type, or an extension such as {@code html} or {@code .png}
   * @return this response
   */
  public Response type(String type) {
    return set("Content-Type", type.indexOf('/') >= 0 ? type : MimeTypes.ofPath(type));
  }

  /**
   * Answers with a body by its kind: text as HTML unless a type was set, bytes as {@code
   * application/octet-stream}, a {@link Path} as a file, everything else as JSON; null as an empty
   * body.
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
    if (body instanceof String text) {
      return sendText(text, "text/html");
    }
    if (body instanceof byte[] bytes) {
      Sending.bytes(this, bytes, bytes, null, "application/octet-stream");
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
   * @param value any value that JSON can hold, a record or a bean
   * @return this response
   */
  public Response json(@Nullable Object value) {
    Settings settings = req.settings();
    String text = JsonCodec.find().write(value, JsonCodec.Style.of(settings));
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
   * Answers with the content of a file, typed by its extension unless a type was set.
   *
   * @param file the file; it is the caller who decides that this client may read it
   * @return this response
   * @throws HttpError 404 if there is no such regular file
   */
  public Response sendFile(Path file) {
    FileSender.send(file, req, this);
    return this;
  }

  /**
   * Writes a piece of text; the first starts the answer. Waits while the client reads slowly; where
   * waiting is not allowed, writes up to 1 MiB ahead.
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
      start(true);
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

  /** Tells whether status and headers have gone out, so that nothing can be changed any more. */
  public boolean headersSent() {
    return answer.started();
  }

  /** Tells whether the whole answer has been given. */
  public boolean finished() {
    return answer.ended();
  }

  /**
   * Registers a hook that runs right before the headers go out, and may change them. The hook
   * registered last runs first. If there will be no answer, it does not run.
   *
   * @param hook the hook; it runs on the thread that answers
   */
  public void onHeaders(Runnable hook) {
    if (headerHooks == null) {
      headerHooks = new ArrayList<>(2);
    }
    headerHooks.add(hook);
  }

  /**
   * Registers a hook that runs once when the exchange is over: the answer complete, or the client
   * gone. Hooks run in the order of registration, never at the same time as a step, and after the
   * step that answered has returned. They must not block: they may run on an event loop.
   *
   * @param hook the hook; {@link #finished} tells it whether there was an answer
   */
  public void onFinish(Runnable hook) {
    if (finishHooks == null) {
      finishHooks = new FinishHooks(req.turn());
      finishHooks.add(hook);
      req.exchange().onEnd(finishHooks);
    } else {
      finishHooks.add(hook);
    }
  }

  /** Gives the values that templates see, for this request only; to be filled by its steps. */
  public Map<String, Object> locals() {
    if (locals == null) {
      locals = new LinkedHashMap<>();
    }
    return locals;
  }

  Answer answer() {
    return answer;
  }

  /** Tells whether an answer with the status as it is now has a body. */
  boolean hasBody() {
    return Status.hasBody(status) && !req.method().equals("HEAD");
  }

  /**
   * Runs the hooks and starts the answer, which the calling thread has claimed.
   *
   * @param whole whether its end follows at once
   */
  void start(boolean whole) {
    try {
      List<Runnable> hooks = headerHooks;
      headerHooks = null; // an error page after a failed hook goes out without them
      for (int i = hooks == null ? -1 : hooks.size() - 1; i >= 0; i--) {
        hooks.get(i).run();
      }
      answer.start(status, headers, hasBody(), whole);
    } catch (Throwable e) {
      release();
      throw e;
    }
  }

  /** Gives up a claimed answer that could not be made, with what describes its body alone. */
  void release() {
    headers.remove("Content-Length").remove("ETag");
    status = status == 304 ? 200 : status;
    answer.release();
  }

  /** Sends a default page as the answer, which the calling thread has claimed. */
  void sendDefault(int code, String page) {
    byte[] body = Utf8.bytes(page);
    try {
      startDefault(code, body.length);
    } catch (Throwable e) {
      req.faults().late(e, req);
      if (!answer.tryClaim()) {
        return;
      }
      startDefault(code, body.length);
    }
    answer.end(ByteBuffer.wrap(body));
  }

  /** Notes that the engine has answered itself. */
  void alreadyStarted(int code, Headers sent) {
    status = code;
    headers = sent;
    answer.alreadyEnded();
  }

  private void startDefault(int code, int length) {
    status = code;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.set("Content-Length", Integer.toString(length));
    start(true);
  }

  /** Starts an answer in pieces, unless it has been started; tells whether this call did. */
  private boolean begin() {
    boolean first = !answer.started();
    if (first) {
      answer.claim();
      start(false);
    }
    return first;
  }

  private Response sendText(String text, @Nullable String fallbackType) {
    String type = headers.get("Content-Type");
    String utf8 = null;
    if (type != null) {
      utf8 = ContentType.withCharset(type, "utf-8");
    } else if (fallbackType != null) {
      utf8 = fallbackType + "; charset=utf-8";
    }
    Sending.bytes(this, Utf8.bytes(text), text, utf8, null);
    return this;
  }

  Headers changeable() {
    if (answer.started()) {
      throw new IllegalStateException("the headers have been sent");
    }
    return headers;
  }
}
