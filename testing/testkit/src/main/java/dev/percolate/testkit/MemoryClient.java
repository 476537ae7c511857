package dev.percolate.testkit;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client that calls a service in memory.
 *
 * <pre>
 *   try (MemoryClient client = MemoryClient.of(app)) {
 *     TestWebSocket socket = client.webSocket("/rooms/1");
 *     TestEventStream events = client.events("/news");
 *   }
 * </pre>
 */
public final class MemoryClient implements Client {

  private final MemoryThreads threads;
  private final Service service;
  private final Set<MemoryCall> open = ConcurrentHashMap.newKeySet();

  MemoryClient(MemoryThreads threads, Service service) {
    this.threads = threads;
    this.service = service;
  }

  /**
   * Creates a client of a service in the default thread mode of this JDK. For other thread modes,
   * use {@link MemoryEngine#client}.
   *
   * @param service the service
   * @return the client
   */
  public static MemoryClient of(Service service) {
    return new MemoryClient(MemoryThreads.shared(), service);
  }

  /** Notifies the service that the server shuts down, so that it ends streams and WebSockets. */
  public void shutDown() {
    service.onShutdown();
  }

  @Override
  public TestConnection open(Call call) {
    MemoryCall line = line(call.message());
    TestConnection connection = new TestConnection(call.message(), line);
    open.add(line);
    line.start();
    return connection;
  }

  @Override
  public void close() {
    open.forEach(MemoryCall::disconnect);
  }

  /** Notifies the service of a request that the engine has rejected. */
  void reject(Message message, int status) {
    MemoryCall line = line(message);
    line.rejected(status, HeadGuard.rejectionHeaders(status));
    line.answer().whole();
    line.settle();
  }

  private MemoryCall line(Message message) {
    return new MemoryCall(threads, service, message, open::remove);
  }
}
