package dev.percolate.engine;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What an engine supplies for one request and its answer.
 *
 * <p>An engine makes one for each request and hands it to {@link Service#serve}. Every method may
 * be called from any thread; the engine brings it to where its own objects live. Callbacks come
 * once, from any thread, also from within the call itself. {@code EngineContract} in the module
 * {@code testkit} checks all of this. Step 1 of docs/flow.md.
 *
 * <p>The order of calls on the answer is {@link #start}, any number of {@link #write}, then {@link
 * #end} or {@link #sendFile}; the caller keeps to it ({@code core} does).
 */
public interface Exchange extends RequestHead {

  /** Returns the turn on which all steps of this exchange run. */
  Turn turn();

  /**
   * Returns the certificates by which the client has shown who it is, its own first; none if it has
   * shown none, or if the engine asks for none.
   */
  List<X509Certificate> clientCertificates();

  /** Tells whether the calling thread may wait; an event loop may not. */
  boolean mayBlock();

  /**
   * Waits for the client on the calling thread, which may wait: for a piece of the body, or until
   * enough of the answer has been taken. As a rule the thread just {@linkplain #park parks}; an
   * engine whose threads are few may let another take its place meanwhile.
   *
   * @param over tells whether the wait is over; the one who ends it unparks the thread
   */
  void await(BooleanSupplier over);

  /**
   * Parks the calling thread; what interrupts it shows when the wait is over.
   *
   * @param over tells whether the wait is over
   */
  static void park(BooleanSupplier over) {
    boolean interrupted = false;
    while (!over.getAsBoolean()) {
      LockSupport.park(over);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // for those who look for it later
    }
  }

  /**
   * Returns the time that the answer may take to start; zero for no limit. The one who serves the
   * exchange keeps it.
   */
  Duration answerTimeout();

  /**
   * Returns the time that a client may take from one piece of a body to the next, and that a body
   * waits for room in memory.
   */
  Duration bodyTimeout();

  /**
   * Returns the room that the body takes in memory; that of the process, unless the engine has
   * another budget, or connections with several exchanges. Asked for once at most. Who asked gives
   * it back when the exchange is over; an engine may do so, too.
   */
  BodyMemory.Room room();

  /**
   * Tells whether the request has a body, even an empty one: HTTP/1.1 says so by its headers,
   * HTTP/2 by its frames.
   */
  boolean hasBody();

  /**
   * Reads the next piece of the body. One reading at a time; nothing is read ahead of it beyond a
   * bounded buffer.
   *
   * @param callback gets the piece, the end, or the failure
   */
  void read(OnRead callback);

  /**
   * Starts the answer; nothing needs to be sent before the first {@link #write} or {@link #end}.
   *
   * @param status its status
   * @param headers its headers, not to be changed afterwards. Without {@code Content-Length} the
   *     engine frames the body itself, and adds that header where the first piece is the last
   */
  void start(int status, Headers headers);

  /**
   * Writes a piece of the answer's body; an empty one sends the head, if that has not gone out yet.
   *
   * @param bytes the piece; not to be changed before the callback
   * @param callback is called when the connection has taken it
   */
  void write(ByteBuffer bytes, OnWritten callback);

  /**
   * Ends the answer.
   *
   * @param last the last (or only) piece of the body, perhaps empty; not to be changed afterwards
   */
  void end(ByteBuffer last);

  /**
   * Ends the answer by a part of a file, without copying it through the heap where that can be
   * done.
   *
   * @param file the open file; the engine closes it, whatever happens
   * @param offset where the part begins
   * @param length how many bytes it has; if the file turns out shorter, the connection is closed
   */
  void sendFile(FileChannel file, long offset, long length);

  /**
   * Tells whether {@link #upgrade} may be called: the request asks for another protocol (RFC 9110
   * section 7.8), has no body, and the engine can hand its connection over.
   */
  boolean upgradable();

  /**
   * Answers {@code 101 Switching Protocols} and hands the connection over; called instead of {@link
   * #start}. From then on {@link #read} gives what the client sends, beginning with what has come
   * behind the head, {@link #write} sends bytes as they are, and {@link #end} closes the connection
   * behind its last ones. The end of the input is no end of the exchange. No time-out but that of
   * writing holds any more, and nothing is read while nobody asks for it, but for a few bytes.
   *
   * @param headers those of the answer, {@code Upgrade} among them; the engine adds {@code
   *     Connection}
   * @param taken runs on the {@linkplain #turn turn}, once, behind the step that runs now: reading
   *     and writing begin there. It runs as well if the client has gone by then
   * @throws IllegalStateException if the exchange is not {@linkplain #upgradable upgradable}
   */
  void upgrade(Headers headers, Runnable taken);

  /**
   * Tells whether {@link #write} and {@link #end} wait on the calling thread while the client is
   * slow, as they do in engines that give each request a thread.
   */
  default boolean blocksWriters() {
    return false;
  }

  /** Closes the connection at once; what was written before may reach the client. */
  void abort();

  /**
   * Returns the status code that the client got. That is the one given to {@link #start}, unless
   * the engine had to replace it, or the exchange ended before the head of the response was handed
   * to the connection. It is final when the exchange is over. An engine that cannot know returns
   * what was started.
   *
   * @param started the status code given to {@link #start}
   * @return a status code; 0 if no head was handed over
   */
  default int sentStatus(int started) {
    return started;
  }

  /**
   * Registers what is called when the exchange is over: the answer handed over to the connection
   * completely, or the connection gone. Called once at most; if it is over already, it is called at
   * once.
   *
   * @param callback is called
   */
  void onEnd(OnEnd callback);

  /** Is called with the outcome of {@link #read}. */
  @FunctionalInterface
  interface OnRead {

    /**
     * Takes a piece of the body.
     *
     * @param chunk the piece, owned by the callback from now on; null at the end of the body and on
     *     failure
     * @param failure why the body cannot be read further: {@link ClientGone} if the client went
     *     away, an {@link HttpError} if it is malformed; null if there is none
     */
    void read(@Nullable ByteBuffer chunk, @Nullable Throwable failure);
  }

  /** Is called with the outcome of {@link #write}. */
  @FunctionalInterface
  interface OnWritten {

    /**
     * Takes note.
     *
     * @param failure why the connection did not take the piece; null if it did
     */
    void written(@Nullable Throwable failure);
  }

  /** Is called when the exchange is over. */
  @FunctionalInterface
  interface OnEnd {

    /**
     * Takes note.
     *
     * @param failure why the answer is not complete; null if it is
     */
    void ended(@Nullable Throwable failure);
  }
}
