package dev.percolate.testkit;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reaches a service in memory.
 *
 * <pre>
 *   try (MemoryClient client = MemoryClient.of(app)) {
 *     SocketTalk socket = client.webSocket("/rooms/1");
 *     EventTalk events = client.events("/news");
 *   }
 * </pre>
 */
public final class MemoryClient implements Client {

  private final MemoryThreads threads;
  private final Service service;
  private final Set<MemoryLine> open = ConcurrentHashMap.newKeySet();

  MemoryClient(MemoryThreads threads, Service service) {
    this.threads = threads;
    this.service = service;
  }

  /**
   * Creates a client of a service, in the default thread mode of this JDK; {@link
   * MemoryEngine#client} is for others.
   *
   * @param service answers its calls
   * @return the client
   */
  public static MemoryClient of(Service service) {
    return new MemoryClient(MemoryThreads.shared(), service);
  }

  /** Has the service end what would go on for ever, as a server that is closed does. */
  public void drain() {
    service.draining();
  }

  @Override
  public Talk open(Call call) {
    MemoryLine line = line(call.message());
    Talk talk = new Talk(call.message(), line);
    open.add(line);
    line.start();
    return talk;
  }

  @Override
  public void close() {
    open.forEach(MemoryLine::hangUp);
  }

  /** Shows the service a request that the engine has refused. */
  void refuse(Message message, int status) {
    MemoryLine line = line(message);
    line.refused(status, HeadGuard.answer(status));
    line.answer().whole();
    line.settle();
  }

  private MemoryLine line(Message message) {
    return new MemoryLine(threads, service, message, open::remove);
  }
}
