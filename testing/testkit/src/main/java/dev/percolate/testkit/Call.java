package dev.percolate.testkit;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.Service;
import dev.percolate.http.CheckReturnValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request that can be sent in memory or over a socket. Immutable; each option returns a changed
 * copy.
 *
 * <pre>
 *   Reply reply = Call.post("/users").header("Accept", "text/html").body("name=x").to(app);
 *   Reply made = Call.post("/users").json(new User("ann")).to(app);
 *   Call.post("/photos").form("title", "Sea").file("photo", "a.png", "image/png", png).to(app);
 * </pre>
 *
 * <p>{@code Host} is added as the first header unless it is set. If there is a body, {@code
 * Content-Length}, or {@code Transfer-Encoding} with {@link #chunked}, is added as the last header
 * unless one of them is set.
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
   * @param method the method, sent unchanged
   * @param target the request target, sent unchanged
   * @return the call
   */
  public static Call of(String method, String target) {
    return new Call(new Message(method, target));
  }

  /**
   * Creates a call with the method GET.
   *
   * @param target the request target
   * @return the call
   */
  public static Call get(String target) {
    return of("GET", target);
  }

  /**
   * Creates a call with the method POST.
   *
   * @param target the request target
   * @return the call
   */
  public static Call post(String target) {
    return of("POST", target);
  }

  /**
   * Creates a call with the method PUT.
   *
   * @param target the request target
   * @return the call
   */
  public static Call put(String target) {
    return of("PUT", target);
  }

  /**
   * Creates a call with the method PATCH.
   *
   * @param target the request target
   * @return the call
   */
  public static Call patch(String target) {
    return of("PATCH", target);
  }

  /**
   * Creates a call with the method DELETE.
   *
   * @param target the request target
   * @return the call
   */
  public static Call delete(String target) {
    return of("DELETE", target);
  }

  /**
   * Creates a call with the method HEAD.
   *
   * @param target the request target
   * @return the call
   */
  public static Call head(String target) {
    return of("HEAD", target);
  }

  /**
   * Creates a call with the method OPTIONS.
   *
   * @param target the request target
   * @return the call
   */
  public static Call options(String target) {
    return of("OPTIONS", target);
  }

  /**
   * Adds a header. Neither the name nor the value is validated.
   *
   * @param name the name
   * @param value the value
   * @return the changed copy
   */
  @CheckReturnValue
  public Call header(String name, String value) {
    return with(message.withHeader(name, value));
  }

  /**
   * Sets the body to text, encoded in UTF-8.
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
   * @param bytes the body; copied
   * @return the changed copy
   */
  @CheckReturnValue
  public Call body(byte[] bytes) {
    return with(message.withBody(bytes));
  }

  /**
   * Sets the body to a value as JSON. {@code Content-Type} is set to {@code application/json}
   * unless it is present. The value is written by the JSON codec on the class path, such as the one
   * of {@code percolate-json}.
   *
   * @param value a map, list, string, number, boolean, null, record or bean
   * @return the changed copy
   */
  @CheckReturnValue
  public Call json(@Nullable Object value) {
    String text = JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT);
    Message typed =
        message.header("Content-Type") == null
            ? message.withHeader("Content-Type", "application/json")
            : message;
    return with(typed.withBody(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Adds a form field to the body, and sets {@code Content-Type}.
   *
   * @param name the name of the field
   * @param value the value of the field
   * @return the changed copy
   */
  @CheckReturnValue
  public Call form(String name, String value) {
    return with(form.with(name, value));
  }

  /**
   * Adds a file upload to the body, and sets {@code Content-Type} to {@code multipart/form-data}.
   *
   * @param name the name of the field
   * @param fileName the file name that the client sends
   * @param type the media type of the file
   * @param content the content of the file; copied
   * @return the changed copy
   */
  @CheckReturnValue
  public Call file(String name, String fileName, String type, byte[] content) {
    return with(form.with(name, fileName, type, content));
  }

  /**
   * Sends the cookies of a jar, in addition to those of a {@code Cookie} header, and stores the
   * cookies that the response sets. Applies to {@code to}, not to {@link #open}. WebSockets and
   * event streams of a {@link Client} send cookies, but store none.
   *
   * @param cookies the jar; updated by each response
   * @return the changed copy
   */
  @CheckReturnValue
  public Call with(CookieJar cookies) {
    return new Call(message, form, cookies, follows);
  }

  /**
   * Follows redirects as browsers do, and returns the last response. A redirect to another scheme,
   * host or port is returned, not followed. Applies to {@code to}, not to {@link #open}.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call followRedirects() {
    return new Call(message, form, jar, true);
  }

  /**
   * Sends the body in chunks. If the call has no body, send it with {@link TestConnection#send}.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call chunked() {
    return with(message.inChunks());
  }

  /**
   * Sends the call in memory, in the default thread mode of this JDK. Waits until the response has
   * ended and all handlers and finish hooks have run.
   *
   * @param service the application
   * @return the response
   * @throws AssertionError if the response does not end within 10 seconds, with the current
   *     position in the application; or if the application reports an error with {@link
   *     dev.percolate.core.RequestControl#warn}
   */
  public Reply to(Service service) {
    return to(new MemoryClient(MemoryThreads.shared(), service));
  }

  /**
   * Sends the call through a client, on a new connection. Each redirect uses another new
   * connection.
   *
   * @param client the client; remains open
   * @return the response
   * @throws AssertionError if the response does not end within 10 seconds, or after 20 redirects;
   *     for a call in memory, the message contains the current position in the application
   */
  public Reply to(Client client) {
    Message next = message;
    for (int sent = 0; sent <= Redirects.MOST; sent++) {
      Reply reply = once(client, next);
      Message further = follows ? Redirects.after(next, reply, client.origin()) : null;
      if (further == null) {
        return reply;
      }
      next = further;
    }
    throw new AssertionError(
        message + ": more than " + Redirects.MOST + " redirects, the last one to " + next.target());
  }

  private Reply once(Client client, Message sent) {
    try (TestConnection connection = client.open(with(sent).withCookies())) {
      Reply reply = connection.reply();
      connection.settle();
      if (jar != null) {
        jar.take(sent.target(), reply);
      }
      return reply;
    }
  }

  /**
   * Sends the call over a loopback socket in HTTP/1.1.
   *
   * @param uri the address of the server
   * @return the response
   * @throws AssertionError if the response does not end within 10 seconds
   */
  public Reply to(URI uri) {
    try (Client client = Client.of(uri)) {
      return to(client);
    }
  }

  /**
   * Opens a connection and starts the call. The body of the call, if any, is sent completely. If
   * the call has no body but is {@link #chunked} or has a {@code Content-Length}, send the body
   * with {@link TestConnection#send}.
   *
   * @param client the client
   * @return the open call
   */
  public TestConnection open(Client client) {
    return client.open(this);
  }

  /** Returns the method and the target. */
  @Override
  public String toString() {
    return message.toString();
  }

  /** Adds the cookies of the jar to the header {@code Cookie}. */
  Call withCookies() {
    String cookies = jar == null ? null : jar.header(message.target());
    String own = message.header("Cookie");
    return cookies == null
        ? this
        : with(message.withOnly("Cookie", own == null ? cookies : own + "; " + cookies));
  }

  /** Adds the headers of a WebSocket handshake (RFC 6455 section 4.1) unless they are present. */
  Call asWebSocket() {
    return withCookies()
        .headerUnlessGiven("Upgrade", "websocket")
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
