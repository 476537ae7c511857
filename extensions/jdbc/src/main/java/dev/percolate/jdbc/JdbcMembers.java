package dev.percolate.jdbc;

import dev.percolate.core.store.MemberStore;
import dev.percolate.jdbc.MemberChanges.Change;
import java.io.IOException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Stores the members of rooms, one row for each server that has added one.
 *
 * <p>Two servers that change the same member do so one after the other, so that one of them reports
 * the change: with an advisory lock of PostgreSQL, and a lock of this process for other databases.
 */
final class JdbcMembers implements MemberStore {

  private static final String END = Statements.MICROS + " + cast(? as bigint)";
  private static final String EXTEND =
      "update percolate_servers set ends_at = " + END + " where id = ?";
  private static final String RENEW = EXTEND + " and ends_at > " + Statements.MICROS;
  private static final String ADD_LEASE =
      "insert into percolate_servers (id, ends_at) values (?, " + END + ")";
  private static final String ENDED = "ends_at <= " + Statements.MICROS;

  private static final String ADD =
      "insert into percolate_members (room, member, server) values (?, ?, ?)";
  private static final String REMOVE =
      "delete from percolate_members where room = ? and member = ? and server = ?";
  private static final String ON_OTHERS =
      "select 1 from percolate_members where room = ? and member = ? and server <> ?";

  /** Returns the changed members that are on no other server. The key of a room has one length. */
  private static final String ONLY_CHANGED =
      " returning m.room, m.member, m.server)"
          + " select c.room || c.member from changed c where not exists"
          + " (select 1 from percolate_members o where o.room = c.room and o.member = c.member"
          + " and o.server <> c.server)";

  /** The maximum number of members of a killed server that one transaction removes. */
  private static final int BATCH = 1000;

  private static final String SOME =
      "select room, member from percolate_members where server = ? order by room, member limit "
          + BATCH;
  private static final String ONLY_ON =
      "select m.room || m.member from ("
          + SOME
          + ") m where not exists"
          + " (select 1 from percolate_members o where o.room = m.room and o.member = m.member"
          + " and o.server <> ?)";
  private static final String REMOVE_SOME =
      "delete from percolate_members where server = ? and (room, member) in (" + SOME + ")";

  // Statements of PostgreSQL for many changes.
  private static final String ADD_ALL =
      "with added as (select * from unnest(?, ?, ?, ?) as a (room, member, server, time)),"
          + " leases as (insert into percolate_servers (id, ends_at) select server, "
          + Statements.MICROS
          + " + max(time) from added group by server on conflict do nothing),"
          + " changed as (insert into percolate_members as m (room, member, server)"
          + " select room, member, server from added on conflict do nothing"
          + ONLY_CHANGED;
  private static final String REMOVE_ALL =
      "with changed as (delete from percolate_members m"
          + " using unnest(?, ?, ?, ?) as r (room, member, server, time)"
          + " where m.room = r.room and m.member = r.member and m.server = r.server"
          + ONLY_CHANGED;

  private static final int ROOM = 43;

  /** The class of the advisory locks. Changes of one member share the lock of all members. */
  private static final String CLASS = "1346587732";

  /** Locks the members in one order, so that no two servers wait for each other. */
  private static final String LOCK_SOME =
      "select pg_advisory_xact_lock_shared(CLASS), pg_advisory_xact_lock(CLASS, hash)"
              .replace("CLASS", CLASS)
          + " from (select distinct unnest(?) as hash order by hash) as hashes";

  private static final String LOCK_ALL = "select pg_advisory_xact_lock(" + CLASS + ")";
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  private final Database database;
  private final MemberChanges changes = new MemberChanges(this::store);

  JdbcMembers(Database database) {
    this.database = database;
  }

  @Override
  public boolean join(Lease lease, Member member) throws IOException {
    return changes.store(new Change(true, lease, member));
  }

  @Override
  public boolean leave(Lease lease, Member member) throws IOException {
    return changes.store(new Change(false, lease, member));
  }

  private Set<Member> store(List<Change> all) throws IOException {
    return locked(
        open -> strings(open, LOCK_SOME, array(open, "integer", all, JdbcMembers::lock)),
        open -> Statements.isPostgres(open) ? storeAll(open, all) : storeEach(open, all));
  }

  /** Returns the number of the lock of a member, which is the same on all versions of Java. */
  private static int lock(Change one) {
    return (one.member.room() + one.member.user()).hashCode();
  }

  private Set<Member> storeAll(Connection open, List<Change> all) throws SQLException {
    Set<Member> news = new HashSet<>();
    for (boolean joins : new boolean[] {true, false}) {
      List<Change> some = all.stream().filter(one -> one.joins == joins).toList();
      if (!some.isEmpty()) {
        List<String> found =
            strings(
                open,
                joins ? ADD_ALL : REMOVE_ALL,
                array(open, "text", some, one -> one.member.room()),
                array(open, "text", some, one -> one.member.user()),
                array(open, "text", some, one -> one.lease.server()),
                array(open, "bigint", some, one -> micros(one.lease)));
        news.addAll(split(found));
      }
    }
    return news;
  }

  private Set<Member> storeEach(Connection open, List<Change> all) throws SQLException {
    Set<Member> news = new HashSet<>();
    for (Change one : all) {
      if (isChanged(open, one) && strings(open, ON_OTHERS, columns(one)).isEmpty()) {
        news.add(one.member);
      }
    }
    return news;
  }

  private boolean isChanged(Connection open, Change one) throws SQLException {
    Statements run = database.statements();
    if (!one.joins) {
      return run.update(open, REMOVE, columns(one)) > 0;
    }
    boolean ignored = run.insertOnce(open, ADD_LEASE, one.lease.server(), micros(one.lease));
    return run.insertOnce(open, ADD, columns(one));
  }

  private static Object[] columns(Change one) {
    return new Object[] {one.member.room(), one.member.user(), one.lease.server()};
  }

  private static Array array(
      Connection open, String type, List<Change> all, Function<Change, Object> column)
      throws SQLException {
    return open.createArrayOf(type, all.stream().map(column).toArray());
  }

  @Override
  public Renewal renew(Lease lease) throws IOException {
    Statements run = database.statements();
    long time = micros(lease);
    boolean known =
        database.ask(
            open -> {
              boolean live = run.update(open, RENEW, time, lease.server()) > 0;
              if (!live && !run.insertOnce(open, ADD_LEASE, lease.server(), time)) {
                int ignored = run.update(open, EXTEND, time, lease.server());
              }
              return live;
            });
    List<String> ended =
        database.ask(open -> strings(open, "select id from percolate_servers where " + ENDED));
    List<Member> gone = new ArrayList<>();
    for (String server : ended) {
      Removal removed;
      do {
        removed = locked(open -> strings(open, LOCK_ALL), open -> remove(open, server));
        gone.addAll(split(removed.only()));
      } while (removed.more() && gone.isEmpty()); // otherwise the caller renews again
    }
    return new Renewal(known, gone);
  }

  /**
   * Members of a server that were removed.
   *
   * @param only those that were only there
   * @param more whether the server may have more members
   */
  private record Removal(List<String> only, boolean more) {}

  /** Removes some members of a server whose lease has ended; with the last ones, the server. */
  private Removal remove(Connection open, String server) throws SQLException {
    Statements run = database.statements();
    String ended = "select id from percolate_servers where id = ? and " + ENDED + " for update";
    if (strings(open, ended, server).isEmpty()) {
      return new Removal(List.of(), false);
    }
    List<String> only = strings(open, ONLY_ON, server, server);
    boolean more = run.update(open, REMOVE_SOME, server, server) == BATCH;
    if (!more) {
      int ignored = run.update(open, "delete from percolate_servers where id = ?", server);
    }
    return new Removal(only, more);
  }

  @Override
  public List<String> members(String room) throws IOException {
    String sql = "select distinct member from percolate_members where room = ?";
    return database.ask(open -> strings(open, sql, room));
  }

  @Override
  public int count(String room) throws IOException {
    String sql = "select count(distinct member) from percolate_members where room = ?";
    return Integer.parseInt(database.ask(open -> strings(open, sql, room)).get(0));
  }

  /** Runs work in a transaction that holds a lock. */
  private <T> T locked(DatabaseTask.Work<?> lock, DatabaseTask.Work<T> work) throws IOException {
    return database.ask(
        connection -> {
          if (Statements.isPostgres(connection)) {
            return Transaction.<T, SQLException>run(
                connection,
                open -> {
                  Object ignored = lock.with(open);
                  return work.with(open);
                });
          }
          IN_PROCESS.lock();
          try {
            return Transaction.<T, SQLException>run(connection, work::with);
          } finally {
            IN_PROCESS.unlock();
          }
        });
  }

  private List<String> strings(Connection open, String sql, Object... values) throws SQLException {
    try (PreparedStatement select = database.statements().prepare(open, sql, values);
        ResultSet row = select.executeQuery()) {
      List<String> all = new ArrayList<>();
      while (row.next()) {
        all.add(row.getString(1));
      }
      return all;
    }
  }

  private static List<Member> split(List<String> members) {
    return members.stream()
        .map(one -> new Member(one.substring(0, ROOM), one.substring(ROOM)))
        .toList();
  }

  private static long micros(Lease lease) {
    return TimeUnit.MILLISECONDS.toMicros(lease.time().toMillis());
  }
}
