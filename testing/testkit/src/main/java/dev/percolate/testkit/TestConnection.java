package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;

/**
 * An open call on a connection. Use it to test slow clients, and clients that disconnect.
 *
 * <p>Sent bytes are queued until the server reads them, so {@code send} does not block. Methods
 * that wait do so for at most 10 seconds, then throw an {@link AssertionError}. Its message
 * describes the response so far and, in memory, the current position in the application.
 */
public final class TestConnection implements AutoCloseable {

  private final Message message;
  private final OpenCall line;
  private boolean finished;

  /** Creates an open call whose head has been sent, and sends its body if it has one. */
  TestConnection(Message message, OpenCall line) {
    this.message = message;
    this.line = line;
    this.finished = !message.announcesBody() && !message.asksForUpgrade();
    byte[] body = message.body();
    if (body != null) {
      send(body).finish();
    }
  }

  /**
   * Sends a part of the body, or bytes of the new protocol if the call is an upgrade.
   *
   * @param piece the bytes; copied
   * @return this call
   * @throws IllegalStateException if the call has no body, or its body has ended
   */
  public TestConnection send(byte[] piece) {
    if (finished) {
      throw new IllegalStateException(message + ": the call has no body, or its body has ended");
    }
    line.send(piece.clone());
    return this;
  }

  /**
   * Sends a part of the body as text in UTF-8.
   *
   * @param piece the text
   * @return this call
   */
  public TestConnection send(String piece) {
    return send(piece.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Ends the body.
   *
   * @return this call
   */
  public TestConnection finish() {
    if (!finished) {
      finished = true;
      line.finish();
    }
    return this;
  }

  /**
   * Returns the number of bytes of the body that the server side has accepted.
   *
   * @return the number of bytes
   */
  public long accepted() {
    return line.accepted();
  }

  /**
   * Stops reading the response. Further bytes from the server fill the buffers of the connection.
   *
   * @return this call
   */
  public TestConnection pause() {
    line.pause(true);
    return this;
  }

  /**
   * Resumes reading the response.
   *
   * @return this call
   */
  public TestConnection resume() {
    line.pause(false);
    return this;
  }

  /** Closes the connection immediately. */
  public void disconnect() {
    line.disconnect();
  }

  /**
   * Waits for the status code and the headers.
   *
   * @return the response so far, with the received part of the body
   */
  public Reply head() {
    return line.answer().head();
  }

  /**
   * Waits until the body of the response contains a string.
   *
   * @param text the string
   * @return this call
   */
  public TestConnection await(String text) {
    line.answer().text(text);
    return this;
  }

  /**
   * Waits for the response to end or to be aborted.
   *
   * @return the response
   */
  public Reply reply() {
    return line.answer().whole();
  }

  /**
   * Sends another call on the same connection, without waiting for the response to this one.
   *
   * @param call the next call
   * @return the next call, open
   */
  public TestConnection then(Call call) {
    return new TestConnection(call.message(), line.then(call.message()));
  }

  /** Closes the connection, as {@link #disconnect} does. */
  @Override
  public void close() {
    disconnect();
  }

  OpenCall line() {
    return line;
  }

  /** Waits until all handlers and hooks of the call have returned, if the client can detect it. */
  void settle() {
    line.settle();
  }
}
