package dev.percolate.core.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** Remembers in this process which sessions of a store were ended, for stores that do not. */
final class EndedSessions {

  private static final int MOST = 10_000;
  private static final Map<Object, EndedSessions> ALL =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final Map<String, Ended> ended = new LinkedHashMap<>();

  private record Ended(Instant until, Instant forgottenAt) {}

  private EndedSessions() {}

  static EndedSessions of(Object store) {
    return ALL.computeIfAbsent(store, any -> new EndedSessions());
  }

  synchronized void add(String id, Instant until, Duration remembered) {
    Instant now = Instant.now();
    ended.remove(id); // a new entry is the last one
    ended.put(id, new Ended(until, now.plus(remembered)));
    Iterator<Ended> eldest = ended.values().iterator();
    while (eldest.hasNext() && (!eldest.next().forgottenAt.isAfter(now) || ended.size() > MOST)) {
      eldest.remove();
    }
  }

  synchronized @Nullable Instant until(String id) {
    Ended known = ended.get(id);
    return known == null || !known.forgottenAt.isAfter(Instant.now()) ? null : known.until;
  }
}
