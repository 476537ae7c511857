package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.Entry;
import dev.percolate.core.store.SessionStore.OwnedSession;
import dev.percolate.core.store.SessionStore.Owner;
import dev.percolate.core.store.SessionStore.ReplaceResult;
import dev.percolate.core.store.SessionStore.SessionData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of a {@link SessionStore}: that values are stored unchanged, sessions end in
 * time, and no update is lost. Extend this class in the tests of a store. Each test uses new IDs,
 * so that tests can share a store:
 *
 * <pre>
 *   final class ShelfSessionsTest extends SessionStoreContract {
 *     &#64;Override protected SessionStore store() { return SHELF; }
 *   }
 * </pre>
 */
public abstract class SessionStoreContract {

  private static final int CROWD = 8;
  private static final int CHANGES = 25;
  private static final int LOGINS = 60;
  private static final Duration BRIEF = Duration.ofMillis(40);
  private static final SessionData EMPTY = new SessionData("{}", null, null);

  private SessionStore store;
  private String id;

  /** Creates the tests of one store. */
  protected SessionStoreContract() {}

  /** Returns the store. */
  protected abstract SessionStore store() throws Exception;

  /**
   * Returns another connection to the same sessions, as another process has. Default: the store.
   */
  protected SessionStore another() throws Exception {
    return store();
  }

  @BeforeEach
  void open() throws Exception {
    store = store();
    id = newName();
  }

  private static String newName() {
    return "it-" + java.util.UUID.randomUUID();
  }

  private static Owner owner(String name) {
    return new Owner(name, soon(Duration.ZERO), "Test/1.0");
  }

  private static SessionData ownedBy(String name) {
    return new SessionData("{}", null, null, null, owner(name));
  }

  private static Entry present(@Nullable Entry entry) {
    assertNotNull(entry, "the session does not exist");
    return entry;
  }

  private static Instant soon(Duration time) {
    return Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS);
  }

  @Test
  void aStoredSessionIsLoadedUnchanged() throws Exception {
    Instant end = soon(Duration.ofMinutes(5));
    String json = "{\"n\":1,\"text\":\"a\\nb \\\\ \\\" \u00e4\u4e2d\ud83d\ude00\"}";
    SessionData session =
        new SessionData(json, end, 300_000L, "{\"path\":\"/x y\"}", owner("b\u00f6b\n% bob"));
    Entry created = store.create(id, session);
    assertEquals(session, created.session());
    Entry loaded = present(another().load(id));
    assertEquals(session, loaded.session());
    assertEquals(created.version(), loaded.version());
    Duration age = Duration.between(loaded.touched(), Instant.now()).abs();
    assertTrue(age.compareTo(Duration.ofMinutes(1)) < 0, age::toString);
  }

  @Test
  void absentValuesAreLoadedAsAbsent() throws Exception {
    SessionData session = new SessionData("{}", null, null, null, null);
    store.create(id, session);
    assertEquals(session, present(store.load(id)).session());
  }

  @Test
  void unknownIdsHaveNoSession() throws Exception {
    for (String strange : List.of(newName(), "", "\u00e4 \n\0 *", "x".repeat(9000), "a:b:{c}")) {
      assertNull(store.load(strange));
      assertFalse(store.touch(strange, EMPTY));
      ReplaceResult replaced = store.replace(strange, EMPTY, 1);
      assertFalse(replaced.replaced());
      assertNull(replaced.current());
      store.remove(strange);
    }
  }

  @Test
  void everyStringIsAValidId() throws Exception {
    List<String> ids = new ArrayList<>();
    for (String strange : List.of("\u00e4 \n\t'\"", "%*?[a]{b}", "x".repeat(3000))) {
      ids.add(strange + newName());
    }
    for (String strange : ids) {
      store.create(strange, new SessionData("{\"n\":" + ids.indexOf(strange) + "}", null, null));
    }
    for (String strange : ids) {
      String expected = "{\"n\":" + ids.indexOf(strange) + "}";
      assertEquals(expected, present(store.load(strange)).session().json());
      store.remove(strange);
      assertNull(store.load(strange));
    }
  }

  @Test
  void aMegabyteIsKept() throws Exception {
    String json = "{\"x\":\"" + "\u00e4".repeat(1 << 19) + "\"}";
    Entry entry = store.create(id, new SessionData(json, null, null));
    assertTrue(store.replace(id, new SessionData(json, null, 5000L), entry.version()).replaced());
    assertEquals(json, present(store.load(id)).session().json());
    store.remove(id);
  }

  @Test
  void aReplaceWithTheCurrentVersionSucceeds() throws Exception {
    Entry first = store.create(id, new SessionData("{\"n\":1}", null, null));
    SessionData second =
        new SessionData("{\"n\":2}", soon(Duration.ofMinutes(9)), 540_000L, null, owner("bob"));
    ReplaceResult replaced = store.replace(id, second, first.version());
    assertTrue(replaced.replaced());
    Entry now = present(replaced.current());
    assertEquals(second, now.session());
    assertNotEquals(first.version(), now.version());
    Entry loaded = present(another().load(id));
    assertEquals(second, loaded.session());
    assertEquals(now.version(), loaded.version());
  }

  @Test
  void aReplaceWithAnOldVersionReturnsTheCurrentState() throws Exception {
    Entry first = store.create(id, new SessionData("{\"n\":1}", null, null));
    SessionData second = new SessionData("{\"n\":2}", null, null, "{\"a\":1}", owner("bob"));
    Entry now = present(store.replace(id, second, first.version()).current());
    ReplaceResult late =
        another().replace(id, new SessionData("{\"n\":3}", null, null), first.version());
    assertFalse(late.replaced());
    assertEquals(second, present(late.current()).session());
    assertEquals(now.version(), present(late.current()).version());
    assertEquals(second, present(store.load(id)).session());
  }

  @Test
  void versionsAreUnique() throws Exception {
    Entry first = store.create(id, EMPTY);
    Entry second = present(store.replace(id, EMPTY, first.version()).current());
    store.remove(id);
    Entry third = store.create(id, EMPTY);
    assertNotEquals(first.version(), second.version());
    assertNotEquals(first.version(), third.version());
    assertFalse(store.replace(id, EMPTY, first.version()).replaced());
    assertFalse(store.replace(id, EMPTY, second.version()).replaced());
  }

  @Test
  void aRemovedSessionStaysRemoved() throws Exception {
    Entry entry = store.create(id, EMPTY);
    store.remove(id);
    store.remove(id);
    assertNull(another().load(id));
    ReplaceResult replaced = store.replace(id, EMPTY, entry.version());
    assertFalse(replaced.replaced());
    assertNull(replaced.current());
    assertFalse(store.touch(id, EMPTY));
    assertNull(store.load(id));
  }

  @Test
  void aSessionExpiresAtItsExpiry() throws Exception {
    Instant end = soon(BRIEF);
    Entry entry = store.create(id, new SessionData("{}", end, BRIEF.toMillis()));
    Entry early = store.load(id);
    assertTrue(early != null || !Instant.now().isBefore(end), "the session ended too early");
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertNull(store.load(id));
    assertFalse(store.touch(id, entry.session().withExpires(soon(BRIEF))));
    assertNull(store.replace(id, EMPTY, entry.version()).current());
    assertNull(another().load(id));
  }

  @Test
  void anExpiredSessionIsNeverLoaded() throws Exception {
    Entry entry = store.create(id, EMPTY);
    Instant past = Instant.now().minusSeconds(5);
    store.replace(id, new SessionData("{}", past, null), entry.version());
    assertNull(store.load(id));
    String other = newName();
    store.create(other, new SessionData("{}", past, null));
    assertNull(store.load(other));
  }

  @Test
  void aTouchProlongsAndChangesNothingElse() throws Exception {
    SessionData session =
        new SessionData("{\"n\":1}", soon(Duration.ofMinutes(1)), 600_000L, null, owner("bob"));
    Entry entry = store.create(id, session);
    assertTrue(another().touch(id, session.withExpires(soon(Duration.ofMinutes(10)))));
    Entry now = present(store.load(id));
    assertEquals(entry.version(), now.version());
    Instant end = now.session().expires();
    assertEquals(session, now.session().withExpires(session.expires()));
    assertTrue(end != null && end.isAfter(Instant.now().plusSeconds(500)), String.valueOf(end));
    assertFalse(now.touched().isBefore(entry.touched()));
    assertTrue(store.replace(id, session, entry.version()).replaced());
  }

  @Test
  void aTouchWithAnOldStateRevertsNothing() throws Exception {
    Entry first = store.create(id, new SessionData("{\"n\":1}", null, null));
    Owner bob = owner("bob");
    store.replace(id, new SessionData("{\"n\":2}", null, null, null, bob), first.version());
    assertTrue(store.touch(id, first.session()));
    SessionData now = present(store.load(id)).session();
    assertEquals("{\"n\":2}", now.json());
    assertEquals(bob, now.owner());
  }

  @Test
  void removeAllRemovesTheSessionsOfOneOwner() throws Exception {
    String owner = newName() + " \u00e4\n";
    List<String> ids = List.of(newName(), newName(), newName());
    store.create(ids.get(0), ownedBy(owner));
    Instant end = soon(Duration.ofHours(1));
    store.create(ids.get(1), new SessionData("{}", end, 3_600_000L, null, owner(owner)));
    Entry later = store.create(ids.get(2), EMPTY);
    store.replace(ids.get(2), ownedBy(owner), later.version());
    store.create(id, ownedBy(owner + "x"));
    another().removeAll(owner);
    for (String theirs : ids) {
      assertNull(store.load(theirs));
    }
    assertNotNull(store.load(id));
    store.removeAll(newName());
    assertEquals(List.of(), another().list(owner));
    assertEquals(1, store.list(owner + "x").size());
  }

  @Test
  void listReturnsTheSessionsOfOneOwner() throws Exception {
    String owner = newName() + " \u00e4\n";
    Instant since = soon(Duration.ofDays(-3));
    Owner phone = new Owner(owner, since, "Phone/1.0 (\u00e4 %_ ;)");
    store.create(id, new SessionData("{}", null, null, null, phone));
    Thread.sleep(20);
    String later = newName();
    Entry anonymous = store.create(later, EMPTY);
    Owner unknown = new Owner(owner, since.plusSeconds(1));
    store.replace(later, new SessionData("{}", null, null, null, unknown), anonymous.version());
    store.create(newName(), EMPTY);
    store.create(newName(), ownedBy(owner + "x"));
    String expired = newName();
    store.create(
        expired, new SessionData("{}", soon(Duration.ofSeconds(-5)), null, null, owner(owner)));
    List<OwnedSession> all = another().list(owner);
    assertEquals(
        List.of(SessionStore.handle(later), SessionStore.handle(id)),
        all.stream().map(OwnedSession::handle).toList());
    assertEquals(since.plusSeconds(1), all.get(0).created());
    assertNull(all.get(0).userAgent());
    assertEquals(since, all.get(1).created());
    assertEquals(phone.userAgent(), all.get(1).userAgent());
    Instant stored = present(store.load(id)).touched();
    assertEquals(stored, all.get(1).lastUsed());
    Thread.sleep(20);
    assertTrue(store.touch(id, new SessionData("{}", null, null, null, phone)));
    OwnedSession first = another().list(owner).get(0);
    assertEquals(SessionStore.handle(id), first.handle());
    assertTrue(first.lastUsed().isAfter(stored), first::toString);
    assertEquals(List.of(), store.list(newName()));
  }

  @Test
  void anOwnerLosesASessionThatChangesItsOwner() throws Exception {
    String before = newName();
    String after = newName();
    Entry entry = store.create(id, ownedBy(before));
    Entry changed = present(store.replace(id, ownedBy(after), entry.version()).current());
    assertEquals(List.of(), another().list(before));
    assertEquals(1, another().list(after).size());
    assertFalse(store.removeOwned(before, SessionStore.handle(id)));
    another().removeAll(before);
    assertEquals(1, store.list(after).size());
    store.replace(id, EMPTY, changed.version());
    assertEquals(List.of(), store.list(after));
    store.removeAll(after);
    Entry anonymous = present(store.load(id));
    store.replace(id, ownedBy(before), anonymous.version());
    another().removeAll(before);
    assertNull(store.load(id));
  }

  @Test
  void removeOwnedRemovesOneSessionOfItsOwner() throws Exception {
    String owner = newName();
    String other = newName();
    store.create(id, ownedBy(owner));
    store.create(other, ownedBy(owner));
    String handle = SessionStore.handle(id);
    for (String wrong : List.of("", "x", id, handle + "x", SessionStore.handle(newName()))) {
      assertFalse(store.removeOwned(owner, wrong), wrong);
    }
    assertFalse(store.removeOwned(newName(), handle));
    assertNotNull(store.load(id));
    assertTrue(another().removeOwned(owner, handle));
    assertNull(store.load(id));
    assertFalse(store.removeOwned(owner, handle));
    assertEquals(
        List.of(SessionStore.handle(other)),
        store.list(owner).stream().map(OwnedSession::handle).toList());
  }

  @Test
  void sessionsCreatedDuringRemoveAllAreRemovedByTheNextCall() throws Exception {
    for (int trial = 0; trial < LOGINS; trial++) {
      String owner = newName();
      SessionData owned = ownedBy(owner);
      String before = newName();
      String created = newName();
      String changed = newName();
      store.create(before, owned);
      Entry anonymous = store.create(changed, EMPTY);
      SessionStore elsewhere = another();
      CountDownLatch both = new CountDownLatch(2);
      CompletableFuture<Void> ending =
          CompletableFuture.runAsync(
              () -> {
                both.countDown();
                try {
                  both.await();
                  elsewhere.removeAll(owner);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              });
      both.countDown();
      both.await();
      store.create(created, owned);
      store.replace(changed, owned, anonymous.version());
      ending.get();
      assertNull(store.load(before));
      store.removeAll(owner);
      assertNull(store.load(created), "created meanwhile, and not removed by the next call");
      assertNull(store.load(changed), "given the owner meanwhile, not removed by the next call");
    }
  }

  @Test
  void anEndedSessionIsRemovedAndRemembered() throws Exception {
    Entry ignored = store.create(id, EMPTY);
    assertNull(store.endedAt(id));
    Instant until = soon(Duration.ofSeconds(5));
    store.end(id, until);
    assertNull(another().load(id));
    assertEquals(until, another().endedAt(id));
    store.end(id, until.plusSeconds(1));
    assertEquals(until.plusSeconds(1), another().endedAt(id));
    Instant past = soon(Duration.ofSeconds(-5));
    String absent = newName();
    store.end(absent, past);
    assertEquals(past, another().endedAt(absent));
    assertNull(store.endedAt(newName()));
  }

  @Test
  void severalRequestsMayEndASessionAtTheSameTime() throws Exception {
    Instant until = soon(Duration.ofSeconds(5));
    List<CompletableFuture<Void>> crowd = new ArrayList<>();
    for (int i = 0; i < 4 * CROWD; i++) {
      SessionStore mine = i % 2 == 0 ? store : another();
      crowd.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  mine.end(id, until);
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              }));
    }
    for (CompletableFuture<Void> done : crowd) {
      done.get();
    }
    assertEquals(until, store.endedAt(id));
  }

  @Test
  void noSimultaneousUpdateIsLost() throws Exception {
    store.create(id, new SessionData("{\"n\":0}", null, null));
    List<CompletableFuture<Void>> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      SessionStore mine = i % 2 == 0 ? store : another();
      CompletableFuture<Void> done = new CompletableFuture<>();
      crowd.add(done);
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int k = 0; k < CHANGES; k++) {
                    addOne(mine);
                  }
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              });
      thread.start();
    }
    for (CompletableFuture<Void> done : crowd) {
      done.get();
    }
    String expected = "{\"n\":" + CROWD * CHANGES + "}";
    assertEquals(expected, present(store.load(id)).session().json());
  }

  private void addOne(SessionStore mine) throws Exception {
    Entry now = present(mine.load(id));
    while (true) {
      String json = now.session().json();
      int n = Integer.parseInt(json.substring(5, json.length() - 1));
      SessionData next = new SessionData("{\"n\":" + (n + 1) + "}", null, null);
      ReplaceResult replaced = mine.replace(id, next, now.version());
      if (replaced.replaced()) {
        return;
      }
      now = present(replaced.current());
    }
  }
}
