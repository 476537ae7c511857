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
 * One request and its response, as supplied by an engine.
 *
 * <p>An engine creates an exchange for each request and passes it to {@link Service#serve}. Every
 * method may be called on any thread. Each callback is called once, on any thread, possibly within
 * the call itself. {@code EngineContract} in the module {@code testkit} checks all of this. Step 1
 * of docs/flow.md.
 *
 * <p>The caller must send the response by {@link #start}, any number of {@link #write}, then {@link
 * #end} or {@link #sendFile}.
 *
 * <p>The default methods are those of an engine with one thread for each request, without TLS,
 * timeouts of its own, and upgrades.
 */
public interface Exchange extends RequestHead {

  /** Returns the serial executor that runs all middleware and handlers of this exchange. */
  SerialExecutor executor();

  /**
   * Returns the certificate chain of the client, its own certificate first; empty if it sent none,
   * or the server does not request one.
   */
  default List<X509Certificate> clientCertificates() {
    return List.of();
  }

  /** Returns true if the calling thread may block; an event loop must not. */
  default boolean mayBlock() {
    return true;
  }

  /**
   * Blocks the calling thread while it waits for the client: for a chunk of the body, or until
   * enough of the response has been sent. Usually the thread {@linkplain #park parks}; an engine
   * with few threads may replace it during the wait.
   *
   * @param over returns true when the wait is over; the code that ends the wait must unpark the
   *     thread
   */
  default void await(BooleanSupplier over) {
    park(over);
  }

  /**
   * Parks the calling thread until a wait is over. An interrupt does not end the wait, but remains
   * set.
   *
   * @param over returns true when the wait is over
   */
  static void park(BooleanSupplier over) {
    boolean interrupted = false;
    while (!over.getAsBoolean()) {
      LockSupport.park(over);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt(); // for the caller
    }
  }

  /**
   * Returns the time limit for the start of the response; zero for no limit. The service enforces
   * it.
   */
  default Duration responseTimeout() {
    return Duration.ZERO;
  }

  /**
   * Returns the time limit from one chunk of a body to the next, and for waiting for body memory.
   */
  default Duration bodyTimeout() {
    return Duration.ofSeconds(60); // as in ListenOptions
  }

  /**
   * Returns the reserved body memory of this exchange. Called at most once. The caller releases it
   * when the exchange ends; the engine may also release it.
   */
  default BodyMemory.Reservation reservation() {
    return BodyMemory.ofProcess().share().reservation();
  }

  /**
   * Returns true if the request has a body, even an empty one. Headers indicate it in HTTP/1.1,
   * frames in HTTP/2.
   */
  boolean hasBody();

  /**
   * Reads the next chunk of the body. Only one read at a time is allowed. Engines read ahead only
   * into a bounded buffer.
   *
   * @param callback receives the chunk, the end, or the failure
   */
  void read(OnRead callback);

  /**
   * Starts the response. An engine may send nothing before the first {@link #write} or {@link
   * #end}.
   *
   * @param status the status code
   * @param headers the headers, which must not change afterwards. Without {@code Content-Length}
   *     the engine frames the body, and adds this header if the first chunk is the last
   */
  void start(int status, Headers headers);

  /**
   * Writes a chunk of the response body. An empty chunk sends the head if it has not been sent.
   *
   * @param bytes the chunk, which must not change before the callback
   * @param callback called when the connection has accepted the chunk
   */
  void write(ByteBuffer bytes, OnWritten callback);

  /**
   * Ends the response.
   *
   * @param last the last or only chunk of the body, possibly empty; must not change afterwards
   */
  void end(ByteBuffer last);

  /**
   * Ends the response with a part of a file, without copying it through the heap if possible.
   *
   * @param file the open file; the engine always closes it
   * @param offset the index of the first byte
   * @param length the number of bytes; if the file is shorter, the connection is closed
   */
  void sendFile(FileChannel file, long offset, long length);

  /**
   * Returns true if {@link #upgrade} may be called. The request must ask for another protocol (RFC
   * 9110 section 7.8) and have no body, and the engine must support upgrades.
   */
  default boolean upgradable() {
    return false;
  }

  /**
   * Sends {@code 101 Switching Protocols} and upgrades the connection; called instead of {@link
   * #start}.
   *
   * <p>From then on, {@link #read} returns the bytes that the client sends after the head, and
   * {@link #write} sends bytes unchanged. {@link #end} sends the last bytes and closes the
   * connection. The end of the input does not end the exchange. Only the write timeout still
   * applies. Bytes are read on demand, except for a small buffer.
   *
   * @param headers the headers of the response, including {@code Upgrade}; the engine adds {@code
   *     Connection}
   * @param taken runs once on {@link #executor}, after the current task. Do not read or write
   *     before. It runs even if the client has disconnected
   * @throws IllegalStateException if the exchange is not {@linkplain #upgradable upgradable}
   */
  default void upgrade(Headers headers, Runnable taken) {
    throw new IllegalStateException(method() + " " + target() + ": cannot be upgraded");
  }

  /**
   * Returns true if {@link #write} and {@link #end} block the calling thread while the client is
   * slow, as in engines with one thread for each request.
   */
  default boolean blocksWriters() {
    return false;
  }

  /** Closes the connection immediately. Bytes written before may still reach the client. */
  void abort();

  /**
   * Returns the status code that the client received. It differs from that of {@link #start} if the
   * engine replaced it, or if the exchange ended before the head was sent. It is final when the
   * exchange has ended. An engine that does not know it returns {@code started}.
   *
   * @param started the status code given to {@link #start}
   * @return a status code; 0 if no head was sent
   */
  default int sentStatus(int started) {
    return started;
  }

  /**
   * Sets the callback for the end of the exchange: the whole response was passed to the connection,
   * or the connection was closed. Call this at most once. If the exchange has already ended, the
   * callback is called immediately.
   *
   * @param callback the callback
   */
  void onEnd(OnEnd callback);

  /** Called with the result of {@link #read}. */
  @FunctionalInterface
  interface OnRead {

    /**
     * Receives a chunk of the body.
     *
     * @param chunk the chunk, owned by the callback; null at the end of the body and on failure
     * @param failure the reason if the body cannot be read: {@link ClientDisconnectedException} if
     *     the client disconnected, an {@link HttpError} if the body is invalid; else null
     */
    void read(@Nullable ByteBuffer chunk, @Nullable Throwable failure);
  }

  /** Called with the result of {@link #write}. */
  @FunctionalInterface
  interface OnWritten {

    /**
     * Receives the result.
     *
     * @param failure the reason if the chunk was not sent, else null
     */
    void written(@Nullable Throwable failure);
  }

  /** Called when the exchange has ended. */
  @FunctionalInterface
  interface OnEnd {

    /**
     * Receives the result.
     *
     * @param failure the reason if the response is incomplete, else null
     */
    void ended(@Nullable Throwable failure);
  }
}
