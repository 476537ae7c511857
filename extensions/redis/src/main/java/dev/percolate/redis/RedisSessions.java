package dev.percolate.redis;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Stores each session as a string under the hash of its id, see {@link SessionText}. Stores the
 * session keys of an owner as a sorted set, and for each ended session the time passed to {@link
 * #end}. All times are those of the clock of Redis.
 *
 * <p>The set of an owner may contain sessions that have another owner now. They are neither listed
 * nor removed with those of the owner.
 *
 * <p>Versions are random, so that a replica that lacks the last changes of its master does not
 * reuse their versions.
 *
 * @param redis runs the commands
 * @param clock the clock of Redis
 * @param idle the lifetime of a session without an expiry after its last touch
 */
record RedisSessions(RedisConnection redis, RedisClock clock, Duration idle)
    implements SessionStore {

  private static final String SESSION = "s";
  private static final String OWNER = "o";
  private static final String ENDED = "e";

  /** The maximum number of sessions of an owner. Those that expire first are removed. */
  private static final int MOST_OWNED = 1000;

  /** The maximum number of rounds that remove sessions added during the previous round. */
  private static final int MOST_ROUNDS = 10;

  /** The maximum number of keys and scores in one command; an even number. */
  private static final int MOST_FORGOTTEN = 1000;

  private static final String OWNS_NOW = "*";

  // The results of REMOVE.
  private static final long REMOVED = 1;
  private static final long OTHER_OWNER = 2;

  /**
   * Replaces a session of version ARGV[1] with the text ARGV[2], for ARGV[3] ms. Returns the time
   * of the last touch, with the prefix "!" if the set of the owner must be updated. Returns "*" if
   * the name of the owner would change and ARGV[4] is not "1", the current session if its version
   * is different, and false if there is none. The touch time changes at most once in ARGV[5] ms.
   */
  private static final RedisScript REPLACE =
      new RedisScript(
          """
          local head = '^1\\n[^\\n]*\\n([^\\n]*)\\n([^\\n]*)\\n[^\\n]*\\n([^\\n.]*)'
          local now = redis.call('GET', KEYS[1])
          if not now then return false end
          local touched, version, owner = string.match(now, head)
          if version ~= ARGV[1] then return now end
          local text = ARGV[2]
          local at, _, heir = string.match(text, head)
          if heir ~= owner and ARGV[4] ~= '1' then return '*' end
          local mark = ''
          if tonumber(at) - tonumber(touched) < tonumber(ARGV[5]) then
            text = string.sub(text, 1, 18) .. touched .. string.sub(text, 34)
            at = touched
          elseif heir ~= '' then
            mark = '!'
          end
          if tonumber(ARGV[3]) > 0 then
            redis.call('SET', KEYS[1], text, 'PX', ARGV[3])
          else
            redis.call('DEL', KEYS[1])
          end
          return mark .. at
          """);

  /** Touches a session now. Without an expiry, it lives for ARGV[1] ms. */
  private static final RedisScript TOUCH =
      new RedisScript(
          """
          local head = redis.call('GETRANGE', KEYS[1], 0, 120)
          if head == '' then return 0 end
          local ends, age = string.match(head, '^1\\n([^\\n]*)\\n[^\\n]*\\n[^\\n]*\\n([^\\n]*)\\n')
          if not ends then return -1 end
          local time = redis.call('TIME')
          local now = time[1] * 1000 + math.floor(time[2] / 1000)
          local life = tonumber(ARGV[1])
          if age ~= '' then
            life = tonumber(age)
            redis.call('SETRANGE', KEYS[1], 2, string.format('%015.0f', math.max(0, now + life)))
          end
          redis.call('SETRANGE', KEYS[1], 18, string.format('%015.0f', now))
          if age ~= '' or not string.find(ends, '%d') then
            redis.call('PEXPIRE', KEYS[1], life)
          end
          return 1
          """);

  /**
   * Adds the session ARGV[1] to the set of an owner, for ARGV[2] ms. Returns the sessions in excess
   * of ARGV[3] with their scores; they stay in the set until the caller removes them.
   */
  private static final RedisScript OWN =
      new RedisScript(
          """
          local time = redis.call('TIME')
          local now = time[1] * 1000 + math.floor(time[2] / 1000)
          redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
          redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
          if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
          end
          local over = redis.call('ZCARD', KEYS[1]) - ARGV[3]
          if over <= 0 then return {} end
          return redis.call('ZRANGE', KEYS[1], 0, over - 1, 'WITHSCORES')
          """);

  /**
   * Removes a session if its owner is ARGV[1] in base64url. Returns 1 if it did, 0 if there is no
   * session, and 2 if it has another owner.
   */
  private static final RedisScript REMOVE =
      new RedisScript(
          """
          local head = redis.call('GETRANGE', KEYS[1], 0, 100 + string.len(ARGV[1]))
          if head == '' then return 0 end
          local owner = '^[^\\n]*\\n[^\\n]*\\n[^\\n]*\\n[^\\n]*\\n[^\\n]*\\n([^\\n.]*)%.'
          if string.match(head, owner) ~= ARGV[1] then return 2 end
          return redis.call('DEL', KEYS[1])
          """);

  /**
   * Removes sessions from the set of an owner if their scores are unchanged. ARGV contains pairs of
   * session and score.
   */
  private static final RedisScript FORGET =
      new RedisScript(
          """
          for i = 1, #ARGV, 2 do
            if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then
              redis.call('ZREM', KEYS[1], ARGV[i])
            end
          end
          return 1
          """);

  @Override
  public @Nullable Entry load(String id) throws IOException {
    Object found = redis.call(List.of("GET"), redis.key(SESSION, id), List.of());
    return found == null ? null : SessionText.read(found, clock.get());
  }

  @Override
  public Entry create(String id, SessionData session) throws IOException {
    String key = redis.key(SESSION, id);
    StoreClock time = clock.get();
    Instant now = time.localNow();
    long version = newVersion();
    long life = life(session, now);
    if (life > 0) {
      String text = SessionText.write(session, version, now, time);
      Object ignored = redis.call(List.of("SET"), key, List.of(text, "PX", Long.toString(life)));
      own(session, key, now); // last: another server may remove an entry without a session
    } else {
      remove(id);
    }
    return new Entry(session, version, now);
  }

  @Override
  public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
    String key = redis.key(SESSION, id);
    StoreClock time = clock.get();
    Instant now = time.localNow();
    long next = newVersion();
    String text = SessionText.write(session, next, now, time);
    Object answer = replace(key, text, version, session, now, "0");
    if (OWNS_NOW.equals(answer)) {
      own(session, key, now); // first, so that removeAll finds each session of the owner
      answer = replace(key, text, version, session, now, "1");
    }
    if (answer == null) {
      return new ReplaceResult(false, null);
    }
    String told = String.valueOf(answer);
    if (told.startsWith("!")) {
      own(session, key, now);
      told = told.substring(1);
    }
    return told.matches("\\d{15}")
        ? new ReplaceResult(true, new Entry(session, next, SessionText.instant(told, time)))
        : new ReplaceResult(false, SessionText.read(answer, time));
  }

  private @Nullable Object replace(
      String key, String text, long version, SessionData session, Instant now, String anyOwner)
      throws IOException {
    String life = Long.toString(life(session, now));
    String pause = Long.toString(longest(session, now) / 10);
    return REPLACE.run(redis, key, Long.toString(version), text, life, anyOwner, pause);
  }

  @Override
  public boolean touch(String id, SessionData session) throws IOException {
    String key = redis.key(SESSION, id);
    Object done = TOUCH.run(redis, key, Long.toString(idle.toMillis()));
    if (done instanceof Long known && known == 1) {
      own(session, key, clock.get().localNow());
      return true;
    } else if (done instanceof Long known && known == 0) {
      return false;
    }
    throw SessionText.garbage();
  }

  @Override
  public void remove(String id) throws IOException {
    Object ignored = redis.call(List.of("DEL"), redis.key(SESSION, id), List.of());
  }

  @Override
  public void end(String id, Instant until) throws IOException {
    remove(id);
    String time = SessionText.time(clock.get().toStore(until));
    String life = Long.toString(ENDED_RETENTION.toMillis());
    Object ignored = redis.call(List.of("SET"), redis.key(ENDED, id), List.of(time, "PX", life));
  }

  @Override
  public @Nullable Instant endedAt(String id) throws IOException {
    Object found = redis.call(List.of("GET"), redis.key(ENDED, id), List.of());
    if (found == null) {
      return null;
    }
    try {
      return SessionText.instant(String.valueOf(found), clock.get());
    } catch (NumberFormatException e) {
      throw SessionText.garbage();
    }
  }

  /**
   * Removes the sessions of the owner, then their entries in its set, until a round removes none.
   * After a failure, the remaining sessions still have entries, so that another call finds them.
   */
  @Override
  public void removeAll(String owner) throws IOException {
    String key = redis.key(OWNER, owner);
    List<String> gone;
    int round = 0;
    do {
      gone = new ArrayList<>();
      List<String> owned =
          texts(redis.call(List.of("ZRANGE"), key, List.of("0", "-1", "WITHSCORES")));
      for (int i = 0; i + 1 < owned.size(); i += 2) {
        if (remove(owned.get(i), owner) != OTHER_OWNER) {
          gone.addAll(owned.subList(i, i + 2));
        }
      }
      forget(key, gone);
    } while (!gone.isEmpty() && ++round < MOST_ROUNDS);
  }

  @Override
  public List<OwnedSession> list(String owner) throws IOException {
    List<OwnedSession> sessions = new ArrayList<>();
    String owned = redis.key(OWNER, owner);
    for (String key : texts(redis.call(List.of("ZRANGE"), owned, List.of("0", "-1")))) {
      OwnedSession session = owned(key, owner);
      if (session != null) {
        sessions.add(session);
      }
    }
    sessions.sort(Comparator.comparing(OwnedSession::lastUsed).reversed());
    return sessions;
  }

  @Override
  public boolean removeOwned(String owner, String handle) throws IOException {
    String key = redis.keyOfHash(SESSION, handle);
    if (remove(key, owner) != REMOVED) {
      return false;
    }
    Object ignored = redis.call(List.of("ZREM"), redis.key(OWNER, owner), List.of(key));
    return true;
  }

  /** Returns the session of a key; null if it does not exist or has another owner. */
  private @Nullable OwnedSession owned(String key, String name) throws IOException {
    Object found = redis.call(List.of("GET"), key, List.of());
    Entry entry = found == null ? null : SessionText.read(found, clock.get());
    Owner owner = entry == null ? null : entry.session().owner();
    if (entry == null || owner == null || !owner.name().equals(name)) {
      return null;
    }
    String handle = key.substring(key.lastIndexOf(':') + 1);
    return new OwnedSession(handle, owner.since(), entry.touched(), owner.userAgent());
  }

  @Override
  public Duration idleTimeout() {
    return idle;
  }

  /**
   * Adds a session to the set of its owner. The entry lives a fifth longer than the session, since
   * it is updated only after each tenth of the session's life.
   */
  private void own(SessionData session, String key, Instant now) throws IOException {
    Owner owner = session.owner();
    long longest = longest(session, now);
    if (owner == null || longest <= 0) {
      return;
    }
    String set = redis.key(OWNER, owner.name());
    String life = Long.toString(longest + longest / 5);
    List<String> excess = texts(OWN.run(redis, set, key, life, Integer.toString(MOST_OWNED)));
    for (int i = 0; i < excess.size(); i += 2) {
      long ignored = remove(excess.get(i), owner.name());
    }
    forget(set, excess);
  }

  /** Removes entries from the set of an owner. The list contains pairs of key and score. */
  private void forget(String set, List<String> entries) throws IOException {
    for (int from = 0; from < entries.size(); from += MOST_FORGOTTEN) {
      List<String> some = entries.subList(from, Math.min(entries.size(), from + MOST_FORGOTTEN));
      Object ignored = FORGET.run(redis, set, some.toArray(String[]::new));
    }
  }

  /** Removes a session if it has this owner; returns the result of the script. */
  private long remove(String key, String owner) throws IOException {
    if (REMOVE.run(redis, key, SessionText.encode(owner)) instanceof Long done) {
      return done;
    }
    throw SessionText.garbage();
  }

  private static List<String> texts(@Nullable Object reply) {
    return reply instanceof List<?> all ? all.stream().map(String::valueOf).toList() : List.of();
  }

  /** Returns the time to live of a session from now on, in milliseconds. */
  private long life(SessionData session, Instant now) {
    Instant end = session.expires();
    return end == null ? idle.toMillis() : Duration.between(now, end).toMillis();
  }

  /** Returns the time to live of a session after a touch, in milliseconds. */
  private long longest(SessionData session, Instant now) {
    Long maxAge = session.maxAge();
    return maxAge == null ? life(session, now) : maxAge;
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong();
  }
}
