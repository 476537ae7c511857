package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Idempotency;
import dev.percolate.middleware.MemoryIdempotency;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ApiKeyAuthTest {

  private static final String KEY = ApiKeyAuth.newKey("books");

  private final Map<String, AuthUser> users =
      new ConcurrentHashMap<>(Map.of(ApiKeyAuth.hash(KEY), AuthUser.of("ann", "admin")));
  private final ApiKeyAuth keys = ApiKeyAuth.of(users::get);

  @Test
  void aKnownKeyIsTheUser() {
    assertEquals("200 ann", Members.outcome(with(KEY), keys, Auth.role("admin"), Members.SHOW));
    Call other = Call.get("/").header("X-Key", KEY);
    assertEquals("200 ann", Members.outcome(other, keys.header("X-Key"), Members.SHOW));
    ApiKeyAuth async =
        ApiKeyAuth.async(hash -> CompletableFuture.supplyAsync(() -> users.get(hash)));
    assertEquals("200 ann", Members.outcome(with(KEY), async, Members.SHOW));
  }

  @Test
  void requestsWithoutAKeyHaveNoUser() {
    assertEquals("200 nobody", Members.outcome(Call.get("/"), keys, Members.SHOW));
  }

  @Test
  void unknownKeysAreA401() {
    for (String key : new String[] {"", "x", KEY + "x", KEY.substring(1), "a".repeat(1 << 20)}) {
      Reply reply = Members.reply(with(key), keys.realm("books"), Members.SHOW);
      assertEquals(
          "401 ApiKey realm=\"books\"", reply.status() + " " + reply.header("WWW-Authenticate"));
    }
  }

  @Test
  void aLookupThatFailsIsNotAnUnknownKey() {
    ApiKeyAuth down =
        ApiKeyAuth.of(
            hash -> {
              throw new IOException("database is down");
            });
    assertEquals("500 database is down", Members.outcome(with(KEY), down, Members.SHOW));
    ApiKeyAuth later =
        ApiKeyAuth.async(hash -> CompletableFuture.failedFuture(new IOException("later")));
    assertEquals("500 later", Members.outcome(with(KEY), later, Members.SHOW));
  }

  @Test
  void aLookupMayRejectAKey() {
    HttpError expired = new HttpError(401, "The key has expired");
    ApiKeyAuth blocking =
        ApiKeyAuth.of(
            hash -> {
              throw expired;
            });
    ApiKeyAuth failing =
        ApiKeyAuth.async(
            hash -> {
              throw expired;
            });
    ApiKeyAuth later = ApiKeyAuth.async(hash -> CompletableFuture.failedFuture(expired));
    for (ApiKeyAuth one : List.of(blocking, failing, later)) {
      Reply reply = Members.reply(with(KEY), one, Members.SHOW);
      assertEquals(
          "401 ApiKey realm=\"api\"", reply.status() + " " + reply.header("WWW-Authenticate"));
    }
  }

  @Test
  void theUserIdentifiesTheClientOfAnIdempotencyKey() {
    String other = ApiKeyAuth.newKey("books");
    users.put(ApiKeyAuth.hash(other), AuthUser.of("bob"));
    AtomicInteger done = new AtomicInteger();
    Handler pay = (req, res) -> res.send("receipt " + done.incrementAndGet());
    Idempotency once = Idempotency.of(MemoryIdempotency.of());
    Call post = Call.post("/pay").header("Idempotency-Key", "1");
    Call ann = post.header("X-API-Key", KEY);
    Call bob = post.header("X-API-Key", other);
    assertEquals("200 receipt 1", Members.outcome(ann, keys, once, pay));
    assertEquals("200 receipt 1", Members.outcome(ann, keys, once, pay));
    assertEquals("200 receipt 2", Members.outcome(bob, keys, once, pay));
    String shared = "Basic c3RhZ2U6c3RhZ2U=";
    Call staged = ann.header("Authorization", shared);
    assertEquals("200 receipt 3", Members.outcome(staged, keys, once, pay));
    staged = bob.header("Authorization", shared);
    assertEquals("200 receipt 4", Members.outcome(staged, keys, once, pay));
  }

  @Test
  void eachHeaderIsASchemeOfItsOwn() {
    assertEquals("apiKey", scheme(keys));
    assertEquals("apiKey", scheme(keys.header("x-api-key")));
    assertEquals("apiKey-X-Admin-Key", scheme(keys.header("X-Admin-Key")));
    assertEquals("apiKey-a_b", scheme(keys.header("a!b")));
  }

  private static String scheme(ApiKeyAuth keys) {
    return Objects.requireNonNull(keys.traits().securityScheme()).name();
  }

  @Test
  void keysAreRandomAndTheirHashesAreNot() {
    assertTrue(KEY.matches("books_[A-Za-z0-9_-]{43}"), KEY);
    assertNotEquals(KEY, ApiKeyAuth.newKey("books"));
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", ApiKeyAuth.hash("abc"));
  }

  @Test
  void invalidOptionsAreRejected() {
    assertTrue(Members.rejection(() -> keys.header("a b")).startsWith("header must"));
    assertTrue(Members.rejection(() -> keys.realm("a\"b")).startsWith("realm must"));
    for (String prefix : new String[] {"", "a b", "a".repeat(33)}) {
      assertThrows(IllegalArgumentException.class, () -> ApiKeyAuth.newKey(prefix), prefix);
    }
  }

  private static Call with(String key) {
    return Call.get("/").header("X-API-Key", key);
  }
}
