package dev.percolate.redis;

import dev.percolate.core.store.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Stores each session as a string under the hash of its id, see {@link SessionText}. Stores the
 * session keys of an owner as a sorted set, and for each ended session the time passed to {@link
 * #end}.
 *
 * <p>Versions are random, so that a replica that lacks the last changes of its master does not
 * reuse their versions.
 *
 * @param redis runs the commands
 * @param idle the lifetime of a session without an expiry after its last touch
 */
record RedisSessions(RedisConnection redis, Duration idle) implements SessionStore {

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

  /**
   * Replaces a session of version ARGV[1] with the text ARGV[2], for ARGV[3] ms. Returns the time
   * of the last touch, with the prefix "!" if the set of the owner must be updated. Returns "*" if
   * the owner would change and ARGV[4] is not "1", the current session if its version is different,
   * and false if there is none. The touch time changes at most once in ARGV[5] ms.
   */
  private static final RedisScript REPLACE =
      new RedisScript(
          """
          local head = '^1\\n[^\\n]*\\n([^\\n]*)\\n([^\\n]*)\\n[^\\n]*\\n([^\\n]*)\\n'
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

  /** Touches a session at the time ARGV[1]. Without an expiry, it lives for ARGV[2] ms. */
  private static final RedisScript TOUCH =
      new RedisScript(
          """
          local head = redis.call('GETRANGE', KEYS[1], 0, 120)
          if head == '' then return 0 end
          local ends, age = string.match(head, '^1\\n([^\\n]*)\\n[^\\n]*\\n[^\\n]*\\n([^\\n]*)\\n')
          if not ends then return -1 end
          local life = tonumber(ARGV[2])
          if age ~= '' then
            life = tonumber(age)
            local stop = string.format('%015.0f', math.max(0, tonumber(ARGV[1]) + life))
            redis.call('SETRANGE', KEYS[1], 2, stop)
          end
          redis.call('SETRANGE', KEYS[1], 18, ARGV[1])
          if age ~= '' or not string.find(ends, '%d') then
            redis.call('PEXPIRE', KEYS[1], life)
          end
          return 1
          """);

  /**
   * Adds the session ARGV[2] to the set of an owner at the time ARGV[1], for ARGV[3] ms. Returns
   * the sessions in excess of ARGV[4] with their scores; they stay in the set until the caller
   * removes them.
   */
  private static final RedisScript OWN =
      new RedisScript(
          """
          redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])
          redis.call('ZADD', KEYS[1], tonumber(ARGV[1]) + tonumber(ARGV[3]), ARGV[2])
          if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
          end
          local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
          if over <= 0 then return {} end
          return redis.call('ZRANGE', KEYS[1], 0, over - 1, 'WITHSCORES')
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
    return found == null ? null : SessionText.read(found);
  }

  @Override
  public Entry create(String id, SessionData session) throws IOException {
    String key = redis.key(SESSION, id);
    Instant now = now();
    long version = newVersion();
    long life = life(session, now);
    if (life > 0) {
      String text = SessionText.write(session, version, now);
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
    Instant now = now();
    long next = newVersion();
    String text = SessionText.write(session, next, now);
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
        ? new ReplaceResult(true, new Entry(session, next, SessionText.instant(told)))
        : new ReplaceResult(false, SessionText.read(answer));
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
    Instant now = now();
    String at = SessionText.time(now.toEpochMilli());
    Object done = TOUCH.run(redis, key, at, Long.toString(idle.toMillis()));
    if (done instanceof Long known && known == 1) {
      own(session, key, now);
      return true;
    } else if (done instanceof Long known && known == 0) {
      return false;
    }
    throw SessionText.garbage();
  }

  @Override
  public void remove(String id) throws IOException {
    removeKey(redis.key(SESSION, id));
  }

  @Override
  public void end(String id, Instant until) throws IOException {
    remove(id);
    String time = SessionText.time(until.toEpochMilli());
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
      return SessionText.instant(String.valueOf(found));
    } catch (NumberFormatException e) {
      throw SessionText.garbage();
    }
  }

  /**
   * Removes the sessions in the set of the owner, then their entries, until the set is empty. After
   * a failure, the remaining sessions still have entries, so that another call finds them.
   */
  @Override
  public void removeAll(String owner) throws IOException {
    String key = redis.key(OWNER, owner);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Object owned = redis.call(List.of("ZRANGE"), key, List.of("0", "-1", "WITHSCORES"));
      if (!(owned instanceof List<?> all) || all.isEmpty()) {
        return;
      }
      removeKeys(key, all);
    }
  }

  @Override
  public List<OwnedSession> list(String owner) throws IOException {
    Object owned = redis.call(List.of("ZRANGE"), redis.key(OWNER, owner), List.of("0", "-1"));
    List<OwnedSession> sessions = new ArrayList<>();
    for (Object key : owned instanceof List<?> all ? all : List.of()) {
      OwnedSession session = owned(String.valueOf(key), owner);
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
    if (owned(key, owner) == null) {
      return false;
    }
    removeKey(key);
    Object ignored = redis.call(List.of("ZREM"), redis.key(OWNER, owner), List.of(key));
    return true;
  }

  /** Returns the session of a key; null if it does not exist or has another owner. */
  private @Nullable OwnedSession owned(String key, String name) throws IOException {
    Object found = redis.call(List.of("GET"), key, List.of());
    Entry entry = found == null ? null : SessionText.read(found);
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
    if (owner != null && longest > 0) {
      Object beyond =
          OWN.run(
              redis,
              redis.key(OWNER, owner.name()),
              SessionText.time(now.toEpochMilli()),
              key,
              Long.toString(longest + longest / 5),
              Integer.toString(MOST_OWNED));
      if (beyond instanceof List<?> all && !all.isEmpty()) {
        removeKeys(redis.key(OWNER, owner.name()), all);
      }
    }
  }

  /**
   * Removes sessions of an owner, and their entries in its set. The list contains pairs of key and
   * score.
   */
  private void removeKeys(String owner, List<?> owned) throws IOException {
    for (int i = 0; i < owned.size(); i += 2) {
      removeKey(String.valueOf(owned.get(i)));
    }
    for (int from = 0; from < owned.size(); from += MOST_FORGOTTEN) {
      List<?> some = owned.subList(from, Math.min(owned.size(), from + MOST_FORGOTTEN));
      String[] texts = some.stream().map(String::valueOf).toArray(String[]::new);
      Object ignored = FORGET.run(redis, owner, texts);
    }
  }

  private void removeKey(String key) throws IOException {
    Object ignored = redis.call(List.of("DEL"), key, List.of());
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

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong();
  }
}
