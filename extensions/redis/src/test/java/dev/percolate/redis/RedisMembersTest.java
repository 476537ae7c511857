package dev.percolate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.MemberStore.Lease;
import dev.percolate.core.store.MemberStore.Member;
import dev.percolate.http.Hash;
import dev.percolate.testkit.RoomsContract;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the contract of member stores on a real Redis, through two connections. */
final class RedisMembersTest extends RoomsContract {

  private static final Lease LEASE = new Lease("server", Duration.ofMinutes(1));

  private static RedisServer server;
  private static Redis redis;
  private static Redis second;

  @BeforeAll
  static void start() throws IOException {
    server = RedisServer.start();
    redis = server.client("test");
    second = server.client("test");
  }

  @AfterAll
  static void stop() throws IOException {
    redis.close();
    second.close();
    server.close();
  }

  @Override
  protected MemberStore store() {
    return redis.members();
  }

  @Override
  protected MemberStore other() {
    return second.members();
  }

  @Test
  void nothingRemainsOfEmptyRooms() throws Exception {
    Redis own = server.client("empty");
    for (int i = 0; i < 500; i++) {
      Member member = new Member(Hash.sha256("room " + i), "ann");
      assertTrue(own.members().join(LEASE, member));
      assertTrue(own.members().leave(LEASE, member));
    }
    Lease ended = new Lease(LEASE.server(), Duration.ZERO);
    assertEquals(List.of(), own.members().renew(ended).gone());
    assertEquals("", server.say("KEYS", "empty:*"));
    own.close();
  }

  @Test
  void fullMemoryChangesNothingAndMembersCanStillLeave() throws Exception {
    Redis own = server.client("full");
    Member ann = new Member(Hash.sha256("tea"), "ann");
    Member ben = new Member(Hash.sha256("tea"), "ben");
    assertTrue(own.members().join(LEASE, ann));
    server.say("CONFIG", "SET", "maxmemory", "1");
    try {
      assertThrows(IOException.class, () -> own.members().join(LEASE, ben));
      assertEquals(List.of("ann"), own.members().members(ann.room()));
      assertTrue(own.members().leave(LEASE, ann));
    } finally {
      server.say("CONFIG", "SET", "maxmemory", "0");
    }
    assertEquals(0, own.members().count(ann.room()));
    assertTrue(own.members().join(LEASE, ben));
    own.close();
  }

  @Test
  void anotherTypeOfKeyIsAnError() throws Exception {
    Redis own = server.client("garbage");
    server.say("SET", "garbage:{m}:leases", "text");
    Member ann = new Member(Hash.sha256("tea"), "ann");
    assertThrows(IOException.class, () -> own.members().join(LEASE, ann));
    assertThrows(IOException.class, () -> own.members().renew(LEASE));
    own.close();
  }
}
