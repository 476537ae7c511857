package dev.percolate.core;

import dev.percolate.http.Headers;
import dev.percolate.http.MimeTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a response that goes before its body: status and headers, hooks and locals. */
abstract sealed class ResponseHead permits Response {

  final Request req;
  final Answer answer;
  Headers headers = new Headers();
  int status = 200;
  private @Nullable String charset;
  private @Nullable List<Runnable> headerHooks;
  private @Nullable FinishHooks finishHooks;
  private @Nullable Map<String, Object> locals;

  ResponseHead(Request req, Answer answer) {
    this.req = req;
    this.answer = answer;
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
    return self();
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
    return self();
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
    return self();
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
    return self();
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

  /** Gives the charset that types without one get, or null. */
  public @Nullable String charset() {
    return charset;
  }

  /**
   * Sets the charset that types without one get.
   *
   * @param charset its name; null for none
   * @return this response
   */
  public Response charset(@Nullable String charset) {
    this.charset = charset;
    return self();
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
   * @param hook the hook; {@link Response#finished} tells it whether there was an answer
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

  /** Runs the hooks of {@link #onHeaders}, each at most once: an error page goes out without. */
  void runHeaderHooks() {
    List<Runnable> hooks = headerHooks;
    headerHooks = null;
    for (int i = hooks == null ? -1 : hooks.size() - 1; i >= 0; i--) {
      hooks.get(i).run();
    }
  }

  Headers changeable() {
    if (answer.started()) {
      throw new IllegalStateException("the headers have been sent");
    }
    return headers;
  }

  private Response self() {
    return (Response) this;
  }
}
