package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;

/**
 * Goes on with a call that is open: for slow clients, and for those that break off.
 *
 * <p>What is sent waits at the client's side until the server takes it, so no method blocks but
 * those that say they wait. These wait 10 s at most, and then throw an {@link AssertionError} that
 * says what has arrived and, in memory, where the request stands.
 */
public final class Talk implements AutoCloseable {

  private final Message message;
  private final Line line;
  private boolean finished;

  /** Creates the talk of a call whose head is on its way; if it has a body, that follows. */
  Talk(Message message, Line line) {
    this.message = message;
    this.line = line;
    this.finished = !message.announcesBody() && !message.asksForUpgrade();
    byte[] body = message.body();
    if (body != null) {
      send(body).finish();
    }
  }

  /**
   * Sends a piece of the body; of what follows the head, if the call asks for another protocol.
   *
   * @param piece the piece, copied
   * @return this talk
   * @throws IllegalStateException if the call announced no body, or it is finished
   */
  public Talk send(byte[] piece) {
    if (finished) {
      throw new IllegalStateException(message + ": there is no body to send, or it is finished");
    }
    line.send(piece.clone());
    return this;
  }

  /**
   * Sends a piece of the body as text in UTF-8.
   *
   * @param piece the piece
   * @return this talk
   */
  public Talk send(String piece) {
    return send(piece.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Ends the body.
   *
   * @return this talk
   */
  public Talk finish() {
    if (!finished) {
      finished = true;
      line.finish();
    }
    return this;
  }

  /**
   * Returns how many bytes of the body the server's side has taken.
   *
   * @return how many bytes
   */
  public long accepted() {
    return line.accepted();
  }

  /**
   * Stops reading the answer: what the server sends from now on fills the connection's buffers.
   *
   * @return this talk
   */
  public Talk pause() {
    line.pause(true);
    return this;
  }

  /**
   * Reads on.
   *
   * @return this talk
   */
  public Talk resume() {
    line.pause(false);
    return this;
  }

  /** Closes the connection at once, whatever stands open. */
  public void hangUp() {
    line.hangUp();
  }

  /**
   * Waits for status and headers, and gives them with as much of the body as is there.
   *
   * @return the answer so far
   */
  public Reply head() {
    return line.answer().head();
  }

  /**
   * Waits until the body of the answer contains a text.
   *
   * @param text the text
   * @return this talk
   */
  public Talk await(String text) {
    line.answer().text(text);
    return this;
  }

  /**
   * Waits for the end of the answer, complete or broken off, and returns it.
   *
   * @return the answer
   */
  public Reply reply() {
    return line.answer().whole();
  }

  /**
   * Sends another call on the same connection, without waiting for the answer to this one.
   *
   * @param call the next call
   * @return what goes on with that call
   */
  public Talk then(Call call) {
    return new Talk(call.message(), line.then(call.message()));
  }

  /** Hangs up; the same as {@link #hangUp}. */
  @Override
  public void close() {
    hangUp();
  }

  Line line() {
    return line;
  }

  /** Waits until no step and no hook of the call is left to run, where that can be known. */
  void settle() {
    line.settle();
  }
}
