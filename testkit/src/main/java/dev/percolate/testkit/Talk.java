package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;

/**
 * Goes on with a call that is open: for slow clients, and for those that break off.
 *
 * <p>What is sent waits at the client's side until the server takes it, so no method blocks but
 * those that say they wait. These wait 10 s at most, and then throw an {@link AssertionError} that
 * says what has arrived and, in memory, where the request stands.
 */
public interface Talk extends AutoCloseable {

  /**
   * Sends a piece of the body.
   *
   * @param piece the piece, copied
   * @return this talk
   * @throws IllegalStateException if the call announced no body, or it is finished
   */
  Talk send(byte[] piece);

  /**
   * Sends a piece of the body as text in UTF-8.
   *
   * @param piece the piece
   * @return this talk
   */
  default Talk send(String piece) {
    return send(piece.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Ends the body.
   *
   * @return this talk
   */
  Talk finish();

  /**
   * Gives how many bytes of the body the server's side has taken.
   *
   * @return how many bytes
   */
  long accepted();

  /**
   * Stops reading the answer: what the server sends from now on fills the connection's buffers.
   *
   * @return this talk
   */
  Talk pause();

  /**
   * Reads on.
   *
   * @return this talk
   */
  Talk resume();

  /** Closes the connection at once, whatever stands open. */
  void hangUp();

  /**
   * Waits for status and headers, and gives them with as much of the body as is there.
   *
   * @return the answer so far
   */
  Reply head();

  /**
   * Waits until the body of the answer contains a text.
   *
   * @param text the text
   * @return this talk
   */
  Talk await(String text);

  /**
   * Waits for the end of the answer, be it complete or broken off, and gives it.
   *
   * @return the answer
   */
  Reply reply();

  /**
   * Sends another call on the same connection, without waiting for the answer to this one.
   *
   * @param call the next call
   * @return what goes on with that call
   */
  Talk then(Call call);

  /** Hangs up; the same as {@link #hangUp}. */
  @Override
  default void close() {
    hangUp();
  }
}
