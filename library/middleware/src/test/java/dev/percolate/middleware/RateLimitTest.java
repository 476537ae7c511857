package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimitTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  private final AtomicLong nanos = new AtomicLong();
  private final RateLimit limit =
      RateLimit.of(3, Duration.ofSeconds(30))
          .store(new MemoryRateLimits(2, nanos::get))
          .client(req -> String.valueOf(req.get("X-Client")));

  @Test
  void aClientCanSendTheLimitAtOnce() {
    assertEquals("200 3/2 10 null", outcome("a"));
    assertEquals("200 3/1 20 null", outcome("a"));
    assertEquals("200 3/0 30 null", outcome("a"));
    assertEquals("429 3/0 30 10", outcome("a"));
    assertEquals("200 3/2 10 null", outcome("b"));
  }

  @Test
  void theBucketFillsEvenlyAndNotBeyondItsSize() {
    for (int i = 0; i < 3; i++) {
      outcome("a");
    }
    nanos.addAndGet(9_999_000_000L);
    assertEquals("429 3/0 21 1", outcome("a"));
    nanos.addAndGet(2_000_000L);
    assertEquals("200 3/0 30 null", outcome("a"));
    nanos.addAndGet(3_600_000_000_000L);
    assertEquals("200 3/2 10 null", outcome("a"));
  }

  @Test
  void aNetworkOfIpv6IsOneClient() {
    Settings behindProxy = new Settings().set("trust proxy", true);
    RateLimit one = RateLimit.of(1, Duration.ofSeconds(30));
    assertEquals(200, statusFrom("2001:db8:0:1::7", behindProxy, one));
    assertEquals(429, statusFrom("2001:db8:0:1:ffff::8", behindProxy, one));
    assertEquals(200, statusFrom("2001:db8:0:2::7", behindProxy, one));
    assertEquals(200, statusFrom("192.0.2.1", behindProxy, one));
    assertEquals(200, statusFrom("192.0.2.2", behindProxy, one));
  }

  private static int statusFrom(String address, Settings settings, RateLimit limit) {
    Call call = Call.get("/").header("X-Forwarded-For", address);
    return Played.reply(settings, call, limit, OK).status();
  }

  @Test
  void theLeastRecentlySeenClientIsRemoved() {
    MemoryRateLimits rates = new MemoryRateLimits(2, nanos::get);
    for (String client : new String[] {"a", "b", "a", "c"}) {
      assertEquals(true, rates.take(client, 1, 2, 1000).allowed());
    }
    assertEquals(2, rates.size());
    assertEquals(false, rates.take("a", 1, 2, 1000).allowed());
    assertEquals(1, rates.take("b", 1, 2, 1000).remaining());
  }

  @Test
  void byDefaultTheAddressIdentifiesTheClient() {
    RateLimit one = RateLimit.of(1, Duration.ofHours(1));
    assertEquals("200 ok", Played.outcome(Call.get("/"), one, OK));
    assertEquals("429 Too Many Requests", Played.outcome(Call.get("/"), one, OK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"junk-%d", "unknown", "192.0.2.%d.1", "<%d>", "1.2.3.4:%d:1"})
  void anInvalidAddressCountsAsTheAddressOfTheConnection(String forwarded) {
    for (Object trust : new Object[] {true, 1, 9}) {
      Settings behindProxy = new Settings().set("trust proxy", trust);
      RateLimit two = RateLimit.of(2, Duration.ofHours(1));
      assertEquals(200, statusFrom(String.format(forwarded, 1), behindProxy, two));
      assertEquals(200, Played.reply(behindProxy, Call.get("/"), two, OK).status());
      assertEquals(429, statusFrom(String.format(forwarded, 2), behindProxy, two));
      assertEquals(200, statusFrom("192.0.2.7", behindProxy, two));
    }
  }

  @Test
  void aPortAfterAnAddressIsIgnored() {
    Settings behindProxy = new Settings().set("trust proxy", 1);
    RateLimit one = RateLimit.of(1, Duration.ofHours(1));
    assertEquals(200, statusFrom("192.0.2.1:1000", behindProxy, one));
    assertEquals(429, statusFrom("192.0.2.1:1001", behindProxy, one));
    assertEquals(429, statusFrom("192.0.2.1", behindProxy, one));
    assertEquals(200, statusFrom("192.0.2.2:1000", behindProxy, one));
  }

  @Test
  void namesInTheStoreHaveAtMost64CharactersAndRemainDistinct() {
    List<String> names = new ArrayList<>();
    RateLimit noting =
        limit.store(
            (name, many, most, window) -> {
              names.add(name);
              return new RateLimitStore.Result(true, 1, 0, 0);
            });
    String longest = "x".repeat(64);
    List<String> sent =
        List.of(longest, longest + "x", longest + "y", "x".repeat(7000), "\u00e9".repeat(65));
    for (String name : sent) {
      Played.reply(Call.get("/").header("X-Client", name), noting, OK);
    }
    assertEquals(longest, names.get(0));
    assertEquals(sent.size(), Set.copyOf(names).size());
    assertTrue(names.stream().allMatch(name -> name.length() <= 64), names.toString());
    String hashed = names.get(1);
    for (String name : List.of(hashed, longest + "x", "ip:127.0.0.1")) {
      Played.reply(Call.get("/").header("X-Client", name), noting, OK);
    }
    assertNotEquals(hashed, names.get(5));
    assertEquals(hashed, names.get(6));
    assertNotEquals("ip:127.0.0.1", names.get(7));
  }

  @Test
  void aLongReportedAddressIsShortened() {
    List<String> names = new ArrayList<>();
    RateLimitStore noting =
        (name, many, most, window) -> {
          names.add(name);
          return new RateLimitStore.Result(true, 1, 0, 0);
        };
    RateLimit any = RateLimit.of(1, Duration.ofHours(1)).store(noting);
    Settings behindProxy = new Settings().set("trust proxy", true);
    for (String address : List.of("fe80::1%" + "z".repeat(5000), "x".repeat(7000), "192.0.2.1")) {
      statusFrom(address, behindProxy, any);
    }
    assertTrue(names.get(0).length() <= 64, names.get(0));
    assertEquals(List.of("ip:127.0.0.1", "ip:192.0.2.1"), names.subList(1, 3));
  }

  @Test
  void unnamedRequestsCountByAddressAndNamesCannotUseThatLimit() {
    RateLimit one = RateLimit.of(1, Duration.ofHours(1)).client(req -> req.get("X-Client"));
    Call named = Call.get("/").header("X-Client", "ip:127.0.0.1");
    assertEquals("200 ok", Played.outcome(named, one, OK));
    assertEquals("200 ok", Played.outcome(Call.get("/"), one, OK));
    assertEquals("429 Too Many Requests", Played.outcome(Call.get("/"), one, OK));
    Call empty = Call.get("/").header("X-Client", "");
    assertEquals("429 Too Many Requests", Played.outcome(empty, one, OK));
  }

  @Test
  void boundsMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> RateLimit.of(0, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> RateLimit.of(1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> MemoryRateLimits.of(0));
    assertNull(Played.reply(Call.get("/"), OK).header("RateLimit-Limit"));
  }

  private String outcome(String client) {
    Reply reply = Played.reply(Call.get("/").header("X-Client", client), limit, OK);
    return reply.status()
        + " "
        + reply.header("RateLimit-Limit")
        + "/"
        + reply.header("RateLimit-Remaining")
        + " "
        + reply.header("RateLimit-Reset")
        + " "
        + reply.header("Retry-After");
  }
}
