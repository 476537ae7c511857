package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;

/**
 * Plays services without a socket: the whole chain, in the thread mode of a real engine.
 *
 * <p>As in a real one, a single thread, the loop, moves what clients and services send; it must not
 * block. In the mode {@link ThreadMode#EVENT_LOOP} the steps run on it too. Bodies wait in bounded
 * buffers in both directions. An answer against the rules (a body after HEAD, 204 or 304, more or
 * less bytes than its {@code Content-Length}, a second start) is refused by an {@link
 * IllegalStateException}, and the client sees the connection closed.
 *
 * <p>Engines are found by {@link java.util.ServiceLoader}; this one is not, it is only made.
 */
public final class MemoryEngine implements AutoCloseable {

  private final MemoryThreads threads;

  /** Creates an engine in the default mode of this JDK. */
  public MemoryEngine() {
    this(ThreadMode.ofThisJdk());
  }

  /**
   * Creates an engine.
   *
   * @param threads where steps run
   * @throws IllegalStateException for {@link ThreadMode#VIRTUAL} on a JDK before 21
   */
  public MemoryEngine(ThreadMode threads) {
    this.threads = new MemoryThreads(threads);
  }

  /**
   * Returns the thread mode.
   *
   * @return where steps run
   */
  public ThreadMode threads() {
    return threads.mode();
  }

  /**
   * Returns a client of a service.
   *
   * @param service answers its calls
   * @return the client
   */
  public Client client(Service service) {
    return new MemoryClient(threads, service);
  }

  /**
   * Shows a service a request that is refused before it enters the chain, as a malformed one is.
   *
   * @param service the service
   * @param call the request as far as it could be read
   * @param status the status of the engine's own answer
   */
  public void refuse(Service service, Call call, int status) {
    new MemoryClient(threads, service).refuse(call.message(), status);
  }

  /** Hangs up what is open, and ends the engine's threads. */
  @Override
  public void close() {
    threads.close();
  }
}
