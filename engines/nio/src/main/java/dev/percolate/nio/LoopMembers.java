package dev.percolate.nio;

import dev.percolate.engine.SafeLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** The connections of an event loop. Each one knows its index. Used on the loop only. */
final class LoopMembers {

  private static final System.Logger LOG = System.getLogger("dev.percolate.nio");

  private final List<LoopMember> all = new ArrayList<>();

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  LoopMember get(int place) {
    return all.get(place);
  }

  void add(LoopMember member) {
    member.place(all.size());
    all.add(member);
  }

  void replace(LoopMember before, LoopMember after) {
    after.place(before.place());
    all.set(before.place(), after);
  }

  void remove(LoopMember member) {
    LoopMember last = all.remove(all.size() - 1);
    if (last != member) {
      all.set(member.place(), last);
      last.place(member.place());
    }
  }

  boolean has(LoopMember member) {
    int place = member.place();
    return place < all.size() && all.get(place) == member;
  }

  /** Closes a connection. Logs a failure. Never throws. */
  static void close(LoopMember member) {
    try {
      member.closeNow();
    } catch (Throwable e) {
      SafeLog.log(LOG, Level.ERROR, "closing a connection failed", e);
    }
  }
}
