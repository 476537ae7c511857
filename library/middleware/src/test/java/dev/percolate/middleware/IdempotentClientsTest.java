package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients get their own stored responses, and never those of other clients. */
final class IdempotentClientsTest {

  private static final String SECRET = "a secret of sixteen characters";

  private final AtomicInteger done = new AtomicInteger();
  private final Handler pay = (req, res) -> res.send("receipt " + done.incrementAndGet());
  private final Idempotency once =
      Idempotency.of(MemoryIdempotency.of()).waitTimeout(Duration.ZERO);

  /** Logs in by {@code X-Login}, logs out by {@code X-Logout}, and counts requests. */
  private static final Handler LOGIN =
      (req, res) -> {
        Map<String, Object> session = req.attr(CookieSession.SESSION);
        if (req.get("X-Logout") != null) {
          session.clear();
        }
        session.put("user", String.valueOf(req.get("X-Login")));
        res.send("in");
      };

  private static final Middleware COUNTED =
      (req, res, next) -> {
        Map<String, Object> session = req.attr(CookieSession.SESSION);
        session.merge("visits", 1, (a, b) -> (int) a + (int) b);
        next.run();
      };

  private static String cookies(Reply reply) {
    List<String> pairs = new ArrayList<>();
    reply.all("Set-Cookie").forEach(line -> pairs.add(line.substring(0, line.indexOf(';'))));
    return String.join("; ", pairs);
  }

  private static Call post(String cookies) {
    return Call.post("/pay").header("Cookie", cookies).header("Idempotency-Key", "1");
  }

  @Test
  void clientsWithoutIdentityNeverGetAStoredResponse() {
    Call call = Call.post("/pay").header("Idempotency-Key", "1");
    assertEquals("receipt 1", Played.reply(call, once, pay).text());
    Reply second = Played.reply(call, once, pay);
    assertEquals("receipt 2", second.text());
    assertNull(second.header("Idempotency-Replayed"));
    Idempotency byKey = once.client(req -> req.get("X-Api-Key"));
    assertEquals("receipt 3", Played.reply(call, byKey, pay).text());
    assertEquals("receipt 4", Played.reply(call, byKey, pay).text());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachLoginByACookieSessionHasItsOwnKeys(boolean encrypted) {
    CookieSession session = encrypted ? CookieSession.encrypted(SECRET) : CookieSession.of(SECRET);
    String ann = cookies(Played.reply(Call.get("/").header("X-Login", "ann"), session, LOGIN));
    String bob = cookies(Played.reply(Call.get("/").header("X-Login", "bob"), session, LOGIN));
    String more = cookies(Played.reply(Call.get("/").header("X-Login", "ann"), session, LOGIN));
    Reply first = Played.reply(post(ann), session, COUNTED, once, pay);
    assertEquals("receipt 1", first.text());
    assertEquals("receipt 2", Played.reply(post(bob), session, COUNTED, once, pay).text());
    assertEquals("receipt 3", Played.reply(post(more), session, COUNTED, once, pay).text());
    String changed = cookies(first); // another cookie of the same login
    assertEquals("receipt 1", Played.reply(post(changed), session, COUNTED, once, pay).text());
    assertEquals("receipt 1", Played.reply(post(ann), session, COUNTED, once, pay).text());
    assertEquals("receipt 4", Played.reply(post("session=x"), session, once, pay).text());
    assertEquals("receipt 5", Played.reply(post("session=x"), session, once, pay).text());
  }

  @Test
  void aClearedSessionIsADifferentSession() {
    CookieSession session = CookieSession.encrypted(SECRET);
    String ann = cookies(Played.reply(Call.get("/").header("X-Login", "ann"), session, LOGIN));
    assertEquals("receipt 1", Played.reply(post(ann), session, once, pay).text());
    Call change = Call.get("/").header("X-Login", "ann").header("X-Logout", "1");
    String later = cookies(Played.reply(change.header("Cookie", ann), session, LOGIN));
    assertEquals("receipt 2", Played.reply(post(later), session, once, pay).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic", "Bearer", "Digest", "Own-Scheme"})
  void credentialsOfAnySchemeIdentifyAClient(String scheme) {
    Call ann = post("").header("Authorization", scheme + " YTph");
    Call bob = post("").header("Authorization", scheme + " Yjpi");
    assertEquals("receipt 1", Played.reply(ann, once, pay).text());
    assertEquals("receipt 2", Played.reply(bob, once, pay).text());
    assertEquals("receipt 1", Played.reply(ann, once, pay).text());
  }

  @Test
  void usersWithSharedCredentialsAreDistinguishedByTheirSessions() {
    CookieSession session = CookieSession.of(SECRET);
    String ann = cookies(Played.reply(Call.get("/").header("X-Login", "ann"), session, LOGIN));
    String bob = cookies(Played.reply(Call.get("/").header("X-Login", "bob"), session, LOGIN));
    String shared = "Basic c3RhZ2U6c3RhZ2U=";
    Call first = post(ann).header("Authorization", shared);
    Call second = post(bob).header("Authorization", shared);
    assertEquals("receipt 1", Played.reply(first, session, once, pay).text());
    assertEquals("receipt 2", Played.reply(second, session, once, pay).text());
    assertEquals("receipt 1", Played.reply(first, session, once, pay).text());
  }

  @Test
  void aUserSetByMiddlewareIdentifiesTheClient() {
    Middleware byApiKey =
        (req, res, next) -> {
          req.attr(BasicAuth.USER, req.get("X-Api-Key"));
          next.run();
        };
    Call alice = post("").header("X-Api-Key", "alice");
    Call bob = post("").header("X-Api-Key", "bob");
    assertEquals("receipt 1", Played.reply(alice, byApiKey, once, pay).text());
    assertEquals("receipt 2", Played.reply(bob, byApiKey, once, pay).text());
    assertEquals("receipt 1", Played.reply(alice, byApiKey, once, pay).text());
  }
}
