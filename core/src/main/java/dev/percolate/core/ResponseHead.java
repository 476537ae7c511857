package dev.percolate.core;

import dev.percolate.http.ContentDisposition;
import dev.percolate.http.ContentType;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.LinkHeader;
import dev.percolate.http.MimeTypes;
import dev.percolate.http.Representation;
import dev.percolate.http.Vary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a response that goes before its body: status and headers, hooks and locals. Status,
 * headers and hooks are changed inside the monitor of the answer, which claiming takes, too: so
 * what another thread changes is refused, or has been changed before the claim.
 */
abstract sealed class ResponseHead permits Response {

  final Request req;
  final Answer answer;
  Headers headers = new Headers();
  int status = 200;

  /** What a step may still look at that is no longer waited for; null unless there is one. */
  private @Nullable Headers left;

  private @Nullable String charset;
  private long bodyLength = -1;
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
    return self();
  }

  /**
   * Gives a header of this response.
   *
   * @param name its name, in any case
   * @return its first value, or null
   */
  public @Nullable String get(String name) {
    return headers().get(name);
  }

  /** Gives all headers, for reading; once the answer has started they cannot be changed. */
  public Headers headers() {
    Headers mine = left;
    return mine != null && answer.claimedElsewhere() ? mine : headers;
  }

  /**
   * Sets a header, in the place of one with this name; {@code Set-Cookie} is added instead. A
   * {@code Content-Type} without charset gets that of {@link #charset(String)}.
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
    String whole = name.equalsIgnoreCase("Content-Type") ? withCharset(value) : value;
    synchronized (answer) {
      changeable().set(name, whole);
    }
    return self();
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
    return self();
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
            set(name, PlainText.all(items));
          } else if (value == null) {
            throw new IllegalArgumentException("header \"" + name + "\": the value is null");
          } else {
            set(name, PlainText.of(value));
          }
        });
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
    synchronized (answer) {
      changeable().add(name, value);
    }
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
    synchronized (answer) {
      changeable().remove(name);
    }
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

  /** Gives the charset for types set from now on; null where none was set. */
  public @Nullable String charset() {
    return charset;
  }

  /**
   * Sets the charset for types set from now on without one. It only names the charset: text is
   * always sent in UTF-8, and {@code send} says so.
   *
   * @param charset its name; null or empty for none
   * @return this response
   */
  public Response charset(@Nullable String charset) {
    this.charset = charset;
    return self();
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
    return value.isEmpty() ? self() : set("Vary", value);
  }

  /**
   * Adds links to {@code Link}.
   *
   * @param links URLs by their relation, such as {@code next}
   * @return this response
   */
  public Response links(Map<String, String> links) {
    return links.isEmpty() ? self() : set("Link", LinkHeader.with(joined("Link"), links));
  }

  /**
   * Sets {@code Location}. Whoever puts text from outside into the URL must know where it leads.
   *
   * @param url {@code back} for the referrer, if that is on this site, else {@code /}; a URL, or a
   *     path from the root, as it stands; with a dot in front relative to the path of the request,
   *     taken as a folder; everything else relative to the mount path of the application at work
   * @return this response
   */
  public Response location(String url) {
    return set("Location", Location.of(req, url));
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
    return append("Set-Cookie", SetCookie.of(req, name, value, options));
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
    return set("Content-Disposition", ContentDisposition.attachment(filename));
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
    FinishHooks hooks;
    boolean first;
    synchronized (answer) {
      first = finishHooks == null;
      hooks = finishHooks == null ? new FinishHooks(req.turn()) : finishHooks;
      finishHooks = hooks;
    }
    hooks.add(hook);
    if (first) {
      req.exchange().onEnd(hooks);
    }
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
    return self();
  }

  /** Gives the values that templates see, for this request only; to be filled by its steps. */
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
    return self();
  }

  /** Tells whether status and headers have gone out, so that nothing can be changed any more. */
  public boolean headersSent() {
    return answer.started();
  }

  /** Tells whether the whole answer has been given. */
  public boolean finished() {
    return answer.ended();
  }

  /** Notes that the engine has answered itself. */
  void alreadyStarted(int code, Headers sent) {
    status = code;
    headers = sent;
    answer.alreadyEnded();
  }

  /** Runs the hooks of {@link #onHeaders}, each at most once: an error page goes out without. */
  void runHeaderHooks(long length) {
    bodyLength = length;
    List<Runnable> hooks;
    synchronized (answer) {
      hooks = headerHooks;
      headerHooks = null;
    }
    if (hooks != null) {
      for (int i = hooks.size() - 1; i >= 0; i--) {
        hooks.get(i).run();
      }
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

  /** Gives a content type with the charset set here, unless it names one. */
  String withCharset(String type) {
    String name = charset;
    return name == null || name.isEmpty() || ContentType.hasCharset(type)
        ? type
        : ContentType.withCharset(type, name);
  }

  private String joined(String name) {
    return String.join(", ", headers().all(name));
  }

  private Response self() {
    return (Response) this;
  }
}
