package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Headers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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

  private final String method;
  private final String target;
  private final Headers headers;
  private final byte @Nullable [] body;
  private final boolean chunked;

  private Call(
      String method, String target, Headers headers, byte @Nullable [] body, boolean chunked) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
    this.chunked = chunked;
  }

  /**
   * Makes a call.
   *
   * @param method its method, sent as it is
   * @param target its target, sent as it is
   * @return the call
   */
  public static Call of(String method, String target) {
    return new Call(method, target, new Headers(), null, false);
  }

  /**
   * Makes a call with the method GET.
   *
   * @param target its target
   * @return the call
   */
  public static Call get(String target) {
    return of("GET", target);
  }

  /**
   * Makes a call with the method POST.
   *
   * @param target its target
   * @return the call
   */
  public static Call post(String target) {
    return of("POST", target);
  }

  /**
   * Makes a call with the method PUT.
   *
   * @param target its target
   * @return the call
   */
  public static Call put(String target) {
    return of("PUT", target);
  }

  /**
   * Makes a call with the method DELETE.
   *
   * @param target its target
   * @return the call
   */
  public static Call delete(String target) {
    return of("DELETE", target);
  }

  /**
   * Makes a call with the method HEAD.
   *
   * @param target its target
   * @return the call
   */
  public static Call head(String target) {
    return of("HEAD", target);
  }

  /**
   * Makes a call with the method OPTIONS.
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
    return new Call(method, target, headers.copy().addReceived(name, value), body, chunked);
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
    return new Call(method, target, headers, bytes.clone(), chunked);
  }

  /**
   * Frames the body in chunks; without a body given here, it comes by {@link Talk#send}.
   *
   * @return the changed copy
   */
  @CheckReturnValue
  public Call chunked() {
    return new Call(method, target, headers, body, true);
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
    return to(MemoryEngine.shared().client(service));
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
      if (talk instanceof MemoryTalk memory) {
        memory.settle();
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

  /** Gives method and target. */
  @Override
  public String toString() {
    return method + " " + target;
  }

  String method() {
    return method;
  }

  String target() {
    return target;
  }

  byte @Nullable [] body() {
    return body;
  }

  /** Tells whether the headers announce a body. */
  boolean announcesBody() {
    return body != null || chunked || framed();
  }

  boolean sendsChunks() {
    return chunked || headers.contains("Transfer-Encoding");
  }

  /** Gives all headers to send. */
  Headers headers(String host) {
    Headers all = new Headers();
    if (!headers.contains("Host")) {
      all.addReceived("Host", host);
    }
    headers.forEach(all::addReceived);
    if (!framed() && chunked) {
      all.addReceived("Transfer-Encoding", "chunked");
    } else if (!framed() && body != null) {
      all.addReceived("Content-Length", Integer.toString(body.length));
    }
    return all;
  }

  private boolean framed() {
    return headers.contains("Content-Length") || headers.contains("Transfer-Encoding");
  }
}
