package dev.percolate.jdbc;

import dev.percolate.core.store.MemberStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stores the members of rooms, one row for each server that has added one.
 *
 * <p>Two servers that change the same member do so one after the other, so that one of them reports
 * the change: with an advisory lock of PostgreSQL, and a lock of this process for other databases.
 */
record JdbcMembers(Database database) implements MemberStore {

  private static final String END = Statements.MICROS + " + cast(? as bigint)";
  private static final String ADD_LEASE =
      "insert into percolate_servers (id, ends_at) values (?, " + END + ")";
  private static final String RENEW =
      "update percolate_servers set ends_at = " + END + " where id = ?";
  private static final String ENDED = "ends_at <= " + Statements.MICROS;

  private static final String ADD =
      "insert into percolate_members (room, member, server) values (?, ?, ?)";
  private static final String REMOVE =
      "delete from percolate_members where room = ? and member = ? and server = ?";
  private static final String ON_OTHERS =
      "select 1 from percolate_members where room = ? and member = ? and server <> ?";

  // Changes in one statement of PostgreSQL, which return a row if no other server has the member.
  private static final String ONLY_HERE =
      " returning 1) select 1 from changed where not exists (" + ON_OTHERS + ")";
  private static final String ONCE = " on conflict do nothing";
  private static final String JOIN =
      "with lease as (" + ADD_LEASE + ONCE + "), changed as (" + ADD + ONCE + ONLY_HERE;
  private static final String LEAVE = "with changed as (" + REMOVE + ONLY_HERE;

  /** Returns the members that are on one server only. The key of a room has a fixed length. */
  private static final String ONLY_ON =
      "select m.room || m.member from percolate_members m where m.server = ? and not exists"
          + " (select 1 from percolate_members o where o.room = m.room and o.member = m.member"
          + " and o.server <> m.server)";

  private static final int ROOM = 43;

  /** The class of the advisory locks. Changes of one member share the lock of all members. */
  private static final String CLASS = "1346587732";

  private static final String LOCK_ONE =
      "select pg_advisory_xact_lock_shared(CLASS), pg_advisory_xact_lock(CLASS, ?)"
          .replace("CLASS", CLASS);
  private static final String LOCK_ALL = "select pg_advisory_xact_lock(" + CLASS + ")";
  private static final ReentrantLock IN_PROCESS = new ReentrantLock();

  @Override
  public boolean join(Lease lease, Member member) throws IOException {
    Statements run = database.statements();
    String here = lease.server();
    String room = member.room();
    String user = member.user();
    return locked(
        LOCK_ONE,
        open -> {
          if (Statements.isPostgres(open)) {
            return any(open, JOIN, here, micros(lease), room, user, here, room, user, here);
          }
          boolean ignored = run.insertOnce(open, ADD_LEASE, here, micros(lease));
          return run.insertOnce(open, ADD, room, user, here)
              && !any(open, ON_OTHERS, room, user, here);
        },
        member.hashCode());
  }

  @Override
  public boolean leave(Lease lease, Member member) throws IOException {
    Statements run = database.statements();
    String here = lease.server();
    String room = member.room();
    String user = member.user();
    return locked(
        LOCK_ONE,
        open ->
            Statements.isPostgres(open)
                ? any(open, LEAVE, room, user, here, room, user, here)
                : run.update(open, REMOVE, room, user, here) > 0
                    && !any(open, ON_OTHERS, room, user, here),
        member.hashCode());
  }

  @Override
  public Renewal renew(Lease lease) throws IOException {
    Statements run = database.statements();
    long time = micros(lease);
    boolean known =
        database.ask(
            open ->
                run.update(open, RENEW, time, lease.server()) > 0
                    || !run.insertOnce(open, ADD_LEASE, lease.server(), time));
    List<String> ended =
        database.ask(open -> strings(open, "select id from percolate_servers where " + ENDED));
    List<Member> gone = new ArrayList<>();
    for (String server : ended) {
      List<String> only = locked(LOCK_ALL, open -> remove(open, server));
      only.forEach(one -> gone.add(new Member(one.substring(0, ROOM), one.substring(ROOM))));
    }
    return new Renewal(known, gone);
  }

  /** Removes a server if its lease has ended, and returns the members that were only there. */
  private List<String> remove(Connection open, String server) throws SQLException {
    Statements run = database.statements();
    if (run.update(open, "delete from percolate_servers where id = ? and " + ENDED, server) == 0) {
      return List.of();
    }
    List<String> only = strings(open, ONLY_ON, server);
    int ignored = run.update(open, "delete from percolate_members where server = ?", server);
    return only;
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
  private <T> T locked(String lock, DatabaseTask.Work<T> work, Object... values)
      throws IOException {
    return database.ask(
        connection -> {
          if (Statements.isPostgres(connection)) {
            return Transaction.<T, SQLException>run(
                connection,
                open -> {
                  List<String> ignored = strings(open, lock, values);
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

  /** Returns true if a statement returns a row. */
  private boolean any(Connection open, String sql, Object... values) throws SQLException {
    return !strings(open, sql, values).isEmpty();
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

  private static long micros(Lease lease) {
    return TimeUnit.MILLISECONDS.toMicros(lease.time().toMillis());
  }
}
