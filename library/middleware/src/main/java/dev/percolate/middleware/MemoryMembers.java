package dev.percolate.middleware;

import dev.percolate.core.store.MemberStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Stores the members of rooms in the memory of this process. */
public final class MemoryMembers implements MemberStore {

  private final InstantSource clock;

  // Guarded by this.
  private final Map<String, Instant> leases = new HashMap<>();

  /** The users of each room, with the servers that have added them. */
  private final Map<String, Map<String, Set<String>>> rooms = new HashMap<>();

  MemoryMembers(InstantSource clock) {
    this.clock = clock;
  }

  /** Creates a store without members. */
  public static MemoryMembers of() {
    return new MemoryMembers(InstantSource.system());
  }

  @Override
  public synchronized boolean join(Lease lease, Member member) {
    Instant ignored = leases.putIfAbsent(lease.server(), clock.instant().plus(lease.time()));
    Set<String> servers =
        rooms
            .computeIfAbsent(member.room(), room -> new HashMap<>())
            .computeIfAbsent(member.user(), user -> new HashSet<>(2));
    return servers.add(lease.server()) && servers.size() == 1;
  }

  @Override
  public synchronized boolean leave(Lease lease, Member member) {
    return remove(member, Set.of(lease.server()));
  }

  /** Removes servers from a member, and returns true if no other server has added it. */
  private boolean remove(Member member, Set<String> servers) {
    Map<String, Set<String>> users = rooms.getOrDefault(member.room(), Map.of());
    Set<String> on = users.getOrDefault(member.user(), Set.of());
    if (on.stream().noneMatch(servers::contains) || !on.removeAll(servers) || !on.isEmpty()) {
      return false;
    }
    users.remove(member.user());
    if (users.isEmpty()) {
      rooms.remove(member.room());
    }
    return true;
  }

  @Override
  public synchronized Renewal renew(Lease lease) {
    Instant now = clock.instant();
    boolean known = leases.put(lease.server(), now.plus(lease.time())) != null;
    Set<String> ended = new HashSet<>(leases.keySet());
    ended.removeIf(server -> leases.getOrDefault(server, now).isAfter(now));
    List<Member> members = new ArrayList<>();
    if (leases.keySet().removeAll(ended)) {
      rooms.forEach(
          (room, users) -> users.keySet().forEach(user -> members.add(new Member(room, user))));
    }
    return new Renewal(known, members.stream().filter(one -> remove(one, ended)).toList());
  }

  @Override
  public synchronized List<String> members(String room) {
    return List.copyOf(rooms.getOrDefault(room, Map.of()).keySet());
  }

  @Override
  public synchronized int count(String room) {
    return rooms.getOrDefault(room, Map.of()).size();
  }

  /** Returns the number of rooms and servers in memory. */
  synchronized int size() {
    return rooms.size() + leases.size();
  }
}
