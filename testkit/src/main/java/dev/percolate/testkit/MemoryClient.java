package dev.percolate.testkit;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reaches a service in memory. */
final class MemoryClient implements Client {

  private final MemoryThreads threads;
  private final Service service;
  private final Set<MemoryLine> open = ConcurrentHashMap.newKeySet();

  MemoryClient(MemoryThreads threads, Service service) {
    this.threads = threads;
    this.service = service;
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
