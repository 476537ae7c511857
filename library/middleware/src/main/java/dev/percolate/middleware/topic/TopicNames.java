package dev.percolate.middleware.topic;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the listeners of topics by names that may come from clients. An entry is removed once the
 * bus, the clients and the program no longer refer to it.
 */
public final class TopicNames {

  private final Function<String, TopicListeners> creation;
  private final ReferenceQueue<TopicListeners> unused = new ReferenceQueue<>();

  /** Guarded by this. */
  private final Map<String, Named> known = new HashMap<>();

  private static final class Named extends WeakReference<TopicListeners> {

    private final String name;

    Named(String name, TopicListeners listeners, ReferenceQueue<TopicListeners> queue) {
      super(listeners, queue);
      this.name = name;
    }
  }

  public TopicNames(Function<String, TopicListeners> creation) {
    this.creation = creation;
  }

  /** Returns the listeners of a name, always the same instance while it is in use. */
  public synchronized TopicListeners get(String name) {
    forget();
    Named named = known.get(name);
    @Nullable TopicListeners listeners = named == null ? null : named.get();
    if (listeners == null) {
      listeners = creation.apply(name);
      known.put(name, new Named(name, listeners, unused));
    }
    return listeners;
  }

  /** Returns the number of names in memory. */
  public synchronized int size() {
    forget();
    return known.size();
  }

  private void forget() {
    while (unused.poll() instanceof Named named) {
      known.remove(named.name, named);
    }
  }
}
