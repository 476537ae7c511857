package dev.percolate.redis;

import dev.percolate.core.store.MemberStore;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the members of rooms. All keys have the same hash tag, so a cluster stores them on one
 * node, and a script changes them together:
 *
 * <pre>
 *   app:{m}:leases      the servers, scored by the end of their leases
 *   app:{m}:s:SERVER    the members of a server, each as the key of the room and the user
 *   app:{m}:r:ROOM      the users in a room, with the number of servers that have added them
 * </pre>
 *
 * @param redis runs the scripts
 */
record RedisMembers(RedisConnection redis) implements MemberStore {

  /** The length of the key of a room. */
  private static final int ROOM = 43;

  /** The maximum number of members of a killed server that one script removes. */
  private static final String BATCH = "1000";

  /**
   * Functions for all scripts. ARGV[1] is the server, ARGV[2] the time of its lease. The commands
   * that can fail for lack of memory come first, so that a script does all or nothing.
   */
  private static final String COMMON =
      """
      local base = string.sub(KEYS[1], 1, -7)
      local own = base .. 's:' .. ARGV[1]
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local function isLast(member)
        local room, user = base .. 'r:' .. string.sub(member, 1, 43), string.sub(member, 44)
        if tonumber(redis.call('HGET', room, user) or 1) > 1 then
          redis.call('HINCRBY', room, user, -1)
          return false
        end
        return redis.call('HDEL', room, user) == 1
      end
      """;

  private static final RedisScript JOIN =
      new RedisScript(
          COMMON
              + """
              redis.call('ZADD', KEYS[1], 'NX', now + ARGV[2], ARGV[1])
              if redis.call('SADD', own, ARGV[3]) == 0 then return {'0'} end
              local room, user = base .. 'r:' .. string.sub(ARGV[3], 1, 43), string.sub(ARGV[3], 44)
              return {redis.call('HINCRBY', room, user, 1) == 1 and '1' or '0'}
              """);

  private static final RedisScript LEAVE =
      new RedisScript(
          COMMON
              + """
              if redis.call('SISMEMBER', own, ARGV[3]) == 0 then return {'0'} end
              local last = isLast(ARGV[3])
              redis.call('SREM', own, ARGV[3])
              return {last and '1' or '0'}
              """);

  /** Returns whether the lease was known, whether there may be more, and the members removed. */
  private static final RedisScript RENEW =
      new RedisScript(
          COMMON
              + """
              local ends = redis.call('ZSCORE', KEYS[1], ARGV[1])
              local result = {ends and tonumber(ends) > now and '1' or '0', '0'}
              redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
              for _, server in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
                local set = base .. 's:' .. server
                for _, member in ipairs(redis.call('SPOP', set, ARGV[3])) do
                  if isLast(member) then result[#result + 1] = member end
                end
                if redis.call('EXISTS', set) == 0 then
                  redis.call('ZREM', KEYS[1], server)
                else
                  result[2] = '1'
                end
              end
              return result
              """);

  @Override
  public boolean join(Lease lease, Member member) throws IOException {
    return run(JOIN, lease, member.room() + member.user()).get(0).equals("1");
  }

  @Override
  public boolean leave(Lease lease, Member member) throws IOException {
    return run(LEAVE, lease, member.room() + member.user()).get(0).equals("1");
  }

  @Override
  public Renewal renew(Lease lease) throws IOException {
    List<String> all = run(RENEW, lease, BATCH);
    boolean known = all.get(0).equals("1");
    while (all.get(1).equals("1") && all.size() == 2) { // the removed ones are on other servers
      all = run(RENEW, lease, BATCH);
    }
    List<Member> gone =
        all.stream()
            .skip(2)
            .map(one -> new Member(one.substring(0, ROOM), one.substring(ROOM)))
            .toList();
    return new Renewal(known, gone);
  }

  private List<String> run(RedisScript script, Lease lease, String argument) throws IOException {
    String time = Long.toString(lease.time().toMillis());
    List<String> all = strings(script.run(redis, key("leases"), lease.server(), time, argument));
    if (all.size() < (script == RENEW ? 2 : 1)
        || all.stream().skip(2).anyMatch(one -> one.length() <= ROOM)) {
      throw garbage();
    }
    return all;
  }

  @Override
  public List<String> members(String room) throws IOException {
    return strings(redis.call(List.of("HKEYS"), key("r:" + room), List.of()));
  }

  @Override
  public int count(String room) throws IOException {
    if (redis.call(List.of("HLEN"), key("r:" + room), List.of()) instanceof Long users) {
      return Math.toIntExact(users);
    }
    throw garbage();
  }

  private String key(String last) {
    return redis.keyOfHash("{m}", last);
  }

  private static List<String> strings(@Nullable Object reply) throws IOException {
    if (reply instanceof List<?> all) {
      return all.stream().map(String::valueOf).toList();
    }
    throw garbage();
  }

  private static IOException garbage() {
    return new IOException("Redis returned an invalid reply about members of rooms");
  }
}
