package dev.percolate.testkit;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.Service;
import dev.percolate.http.CheckReturnValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Describes a request and sends it, in memory or over a socket. Each method gives a changed copy.
 *
 * <pre>
 *   Reply reply = Call.post("/users").header("Accept", "text/html").body("name=x").to(app);
 *   Reply made = Call.post("/users").json(new User("ann")).to(app);
 *   Call.post("/photos").form("title", "Sea").file("photo", "a.png", "image/png", png).to(app);
 * </pre>
 *
 * <p>{@code Host} is added in front unless it is given; {@code Content-Length}, or with {@link
 * #chunked} {@code Transfer-Encoding}, at the end if there is a body and neither was given.
 */
public final class Call {

  private final Message message;
  private final FormBody form;
  private final @Nullable CookieJar jar;
  private final boolean follows;

  private Call(Message message) {
    this(message, FormBody.EMPTY, null, false);
  }

  private Call(Message message, FormBody form, @Nullable CookieJar jar, boolean follows) {
    this.message = message;
    this.form = form;
    this.jar = jar;
    this.follows = follows;
  }

  /**
   * Creates a call.
   *
   * @param method its method, sent as it is
   * @param target its target, sent as it is
   * @return the call
   */
  public static Call of(String method, String target) {
    return new Call(new Message(method, target));
  }

  /**
   * Creates a call with the method GET.
   *
   * @param target its target
   * @return the call
   */
  public static Call get(String target) {
    return of("GET", target);
  }

  /**
   * Creates a call with the method POST.
   *
   * @param target its target
   * @return the call
   */
  public static Call post(String target) {
    return of("POST", target);
  }

  /**
   * Creates a call with the method PUT.
   *
   * @param target its target
   * @return the call
   */
  public static Call put(String target) {
    return of("PUT", target);
  }

  /**
   * Creates a call with the method PATCH.
   *
   * @param target its target
   * @return the call
   */
  public static Call patch(String target) {
    return of("PATCH", target);
  }

  /**
   * Creates a call with the method DELETE.
   *
   * @param target its target
   * @return the call
   */
  public static Call delete(String target) {
    return of("DELETE", target);
  }

  /**
   * Creates a call with the method HEAD.
   *
   * @param target its target
   * @return the call
   */
  public static Call head(String target) {
    return of("HEAD", target);
  }

  /**
   * Creates a call with the method OPTIONS.
   *
   * @param target its target
   * @return the call
   */
  public static Call options(String target) {
    return of("OPTIONS", target);
  }

  /**
   * Adds a header line; neither name nor value is checked.
   *
   * @param name its name
   * @param value its value
   * @return the changed copy
   */
  @CheckReturnValue
  public Call header(String name, String value) {
    return with(message.withHeader(name, value));
  }

  /**
   * Sets the body to a text in UTF-8.
   *
   * @param text the text
   * @return the changed copy
   */
  @CheckReturnValue
  public Call body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets the body.
   *
   * @param bytes the body, copied
   * @return the changed copy
   */
  @CheckReturnValue
  public Call body(byte[] bytes) {
    return with(message.withBody(bytes));
  }

  /**
   * Sets the body to a value as JSON, with its {@code Content-Type} unless one is given. The value
   * is written by the codec on the class path, such as that of {@code percolate-json}.
   *
   * @param value a map, list, text, number, boolean, null, record or bean
   * @return the changed copy
   */
  @CheckReturnValue
  public Call json(@Nullable Object value) {
    String text = JsonCodec.find().write(value, JsonCodec.Style.COMPACT);
    Message typed =
        message.header("Content-Type") == null
            ? message.withHeader("Content-Type", "application/json")
            : message;
    return with(typed.withBody(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Adds a field to the form that is sent, and sets {@code Content-Type}.
   *
   * @param name its name
   * @param value its value
   * @return the changed copy
   */
  @CheckReturnValue
  public Call form(String name, String value) {
    return with(form.with(name, value));
  }

  /**
   * Adds a file to the form that is sent, which is {@code multipart/form-data} then.
   *
   * @param name the name of the field
   * @param fileName the name of the file, as the client tells it
   * @param type the type of its content
   * @param content its content, copied
   * @return the changed copy
   */
  @CheckReturnValue
  public Call file(String name, String fileName, String type, byte[] content) {
    return with(form.with(name, fileName, type, content));
  }

  /**
   * Sends the cookies of a jar, beside those given by header, and puts what is set in there; with
   * {@code to}, not with {@link #open}.
   *
   * @param cookies the jar, changed by each answer
   * @return the changed copy
   */
  @CheckReturnValue
  public Call with(CookieJar cookies) {
    return new Call(message, form, cookies, follows);
  }

  /**
   * Follows redirects as browsers do, and returns the last answer; with {@code to}, not with {@link
   * #open}. A redirect to another host is returned as it is.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call followRedirects() {
    return new Call(message, form, jar, true);
  }

  /**
   * Frames the body in chunks; without a body given here, it comes by {@link Talk#send}.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call chunked() {
    return with(message.inChunks());
  }

  /**
   * Plays the call in memory, in the default thread mode of this JDK. Returns when the answer is
   * over, and so are all steps and finish hooks.
   *
   * @param service answers it
   * @return the answer
   * @throws AssertionError after 10 s without an end, telling where the request stands; and if the
   *     application has complained of itself, see {@link dev.percolate.core.Request#complain}
   */
  public Reply to(Service service) {
    return to(new MemoryClient(MemoryThreads.shared(), service));
  }

  /**
   * Plays the call by a client, on a connection of its own; each redirect on a further one.
   *
   * @param client the client, still open afterwards
   * @return the answer
   * @throws AssertionError after 10 s without an end, in memory telling where the request stands;
   *     and after 20 redirects
   */
  public Reply to(Client client) {
    Message next = message;
    for (int sent = 0; sent <= Redirects.MOST; sent++) {
      Reply reply = once(client, next);
      Message further = follows ? Redirects.after(next, reply) : null;
      if (further == null) {
        return reply;
      }
      next = further;
    }
    throw new AssertionError(
        message + ": more than " + Redirects.MOST + " redirects, the last one to " + next.target());
  }

  private Reply once(Client client, Message sent) {
    String cookies = jar == null ? null : jar.header(sent.target());
    String own = sent.header("Cookie");
    Message whole =
        cookies == null
            ? sent
            : sent.withOnly("Cookie", own == null ? cookies : own + "; " + cookies);
    try (Talk talk = client.open(with(whole))) {
      Reply reply = talk.reply();
      talk.settle();
      if (jar != null) {
        jar.take(sent.target(), reply);
      }
      return reply;
    }
  }

  /**
   * Plays the call over a loopback socket in HTTP/1.1.
   *
   * @param uri where the server listens
   * @return the answer
   * @throws AssertionError after 10 s without an end
   */
  public Reply to(URI uri) {
    try (Client client = Client.of(uri)) {
      return to(client);
    }
  }

  /**
   * Opens the call and leaves it open. If it has a body it is sent and finished; if it has none but
   * is {@link #chunked} or has a {@code Content-Length}, {@link Talk#send} sends it.
   *
   * @param client the client
   * @return what goes on with the call
   */
  public Talk open(Client client) {
    return client.open(this);
  }

  /** Returns method and target. */
  @Override
  public String toString() {
    return message.toString();
  }

  /** Adds the headers that begin a WebSocket (RFC 6455 section 4.1), unless they are given. */
  Call asWebSocket() {
    return headerUnlessGiven("Upgrade", "websocket")
        .headerUnlessGiven("Connection", "Upgrade")
        .headerUnlessGiven("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        .headerUnlessGiven("Sec-WebSocket-Version", "13");
  }

  private Call headerUnlessGiven(String name, String value) {
    return message.header(name) == null ? header(name, value) : this;
  }

  Message message() {
    return message;
  }

  private Call with(Message changed) {
    return new Call(changed, form, jar, follows);
  }

  private Call with(FormBody changed) {
    Message typed = message.withOnly("Content-Type", changed.type());
    return new Call(typed.withBody(changed.bytes()), changed, jar, follows);
  }
}
