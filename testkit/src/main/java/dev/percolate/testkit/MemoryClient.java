package dev.percolate.testkit;

import dev.percolate.engine.Service;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reaches a service in memory. */
final class MemoryClient implements Client {

  private final MemoryEngine engine;
  private final Service service;
  private final Set<MemoryTalk> open = ConcurrentHashMap.newKeySet();

  MemoryClient(MemoryEngine engine, Service service) {
    this.engine = engine;
    this.service = service;
  }

  @Override
  public Talk open(Call call) {
    MemoryTalk talk = new MemoryTalk(engine, service, call, open::remove);
    open.add(talk);
    talk.start();
    return talk;
  }

  @Override
  public void close() {
    open.forEach(Talk::hangUp);
  }
}
