package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.http.CheckReturnValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Describes a request and sends it, in memory or over a socket. Each method gives a changed copy.
 *
 * <pre>
 *   Reply reply = Call.post("/users").header("Accept", "text/html").body("name=x").to(app);
 * </pre>
 *
 * <p>{@code Host} is added in front unless it is given; {@code Content-Length}, or with {@link
 * #chunked} {@code Transfer-Encoding}, at the end if there is a body and neither was given.
 */
public final class Call {

  private final Message message;

  private Call(Message message) {
    this.message = message;
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
    return new Call(message.withHeader(name, value));
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
    return new Call(message.withBody(bytes));
  }

  /**
   * Frames the body in chunks; without a body given here, it comes by {@link Talk#send}.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call chunked() {
    return new Call(message.inChunks());
  }

  /**
   * Plays the call in memory, in the default thread mode of this JDK. Returns when the answer is
   * over, and so are all steps and finish hooks.
   *
   * @param service answers it
   * @return the answer
   * @throws AssertionError after 10 s without an end, telling where the request stands
   */
  public Reply to(Service service) {
    return to(new MemoryClient(MemoryThreads.shared(), service));
  }

  /**
   * Plays the call by a client, on a connection of its own.
   *
   * @param client the client, still open afterwards
   * @return the answer
   * @throws AssertionError after 10 s without an end, in memory telling where the request stands
   */
  public Reply to(Client client) {
    try (Talk talk = open(client)) {
      Reply reply = talk.reply();
      talk.settle();
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

  Message message() {
    return message;
  }
}
