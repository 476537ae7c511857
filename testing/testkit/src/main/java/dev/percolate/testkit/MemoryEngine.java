package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;

/**
 * An in-memory engine for tests. It runs a complete service without a socket, in the thread mode of
 * a real engine.
 *
 * <p>A single thread, the event loop, moves the bytes of clients and services; it must not be
 * blocked. In the mode {@link ThreadMode#EVENT_LOOP} it also runs the handlers. Both directions
 * have bounded buffers. An invalid response causes an {@link IllegalStateException} and closes the
 * connection. Examples are a body after HEAD, 204 or 304, a body that does not match its {@code
 * Content-Length}, or a second start.
 *
 * <p>This engine is not found by {@link java.util.ServiceLoader}; create it with a constructor.
 */
public final class MemoryEngine implements AutoCloseable {

  private final MemoryThreads threads;

  /** Creates an engine in the default thread mode of this JDK. */
  public MemoryEngine() {
    this(ThreadMode.ofThisJdk());
  }

  /**
   * Creates an engine.
   *
   * @param threads the threads that run handlers
   * @throws IllegalStateException if the mode is {@link ThreadMode#VIRTUAL} and the JDK is older
   *     than 21
   */
  public MemoryEngine(ThreadMode threads) {
    this.threads = new MemoryThreads(threads);
  }

  /**
   * Returns the thread mode.
   *
   * @return the threads that run handlers
   */
  public ThreadMode threads() {
    return threads.mode();
  }

  /**
   * Creates a client of a service.
   *
   * @param service the service
   * @return the client
   */
  public Client client(Service service) {
    return new MemoryClient(threads, service);
  }

  /**
   * Notifies a service of a request that is rejected before any handler runs, such as a malformed
   * request.
   *
   * @param service the service
   * @param call the request, as far as it could be read
   * @param status the status code of the engine's response
   */
  public void reject(Service service, Call call, int status) {
    new MemoryClient(threads, service).reject(call.message(), status);
  }

  /** Closes open connections, and ends the engine's threads. */
  @Override
  public void close() {
    threads.close();
  }
}
