package dev.percolate.demo;

import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.Topic;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and writes entries, newest first. */
final class Entries {

  private static final System.Logger LOG = System.getLogger("dev.percolate.demo");
  private static final String COLUMNS = "select id, name, message, written_at from entries ";

  private final Database database;
  private final Clock clock;
  private final Topic<Entry> added;

  /**
   * A page of entries.
   *
   * @param older the id with which to request the next page; null on the last page
   */
  record Page(List<Entry> entries, @Nullable Long older) {}

  /**
   * Creates the repository of the entries.
   *
   * @param bus notifies open pages of new entries, on all servers that share it
   */
  Entries(Database database, Clock clock, TopicBus bus) {
    this.database = database;
    this.clock = clock;
    this.added = Topic.of(Entry.class).history(100).bus(bus);
  }

  /** Returns the topic of new entries. */
  Topic<Entry> added() {
    return added;
  }

  /**
   * Returns the newest entries.
   *
   * @param before the id before which entries are returned; null for all entries
   * @param limit the maximum number of entries
   */
  Page page(@Nullable Long before, int limit) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement select =
            connection.prepareStatement(
                COLUMNS + "where id < ? order by id desc fetch first ? rows only")) {
      select.setLong(1, before == null ? Long.MAX_VALUE : before);
      select.setInt(2, limit + 1);
      List<Entry> found = entries(select);
      if (found.size() <= limit) {
        return new Page(found, null);
      }
      return new Page(found.subList(0, limit), found.get(limit - 1).id());
    }
  }

  /** Returns one entry, or null. */
  @Nullable Entry find(long id) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement select = connection.prepareStatement(COLUMNS + "where id = ?")) {
      select.setLong(1, id);
      List<Entry> found = entries(select);
      return found.isEmpty() ? null : found.get(0);
    }
  }

  /** Stores an entry with the current time, and notifies open pages. */
  Entry add(String name, String message) throws SQLException {
    Entry entry = insert(name, message);
    try {
      added.publish(entry);
    } catch (StoreUnavailableException e) {
      LOG.log(Level.WARNING, "stored an entry, but could not notify open pages", e);
    }
    return entry;
  }

  private Entry insert(String name, String message) throws SQLException {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    try (Connection connection = database.connection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into entries (name, message, written_at) values (?, ?, ?)",
                new String[] {"id"})) {
      insert.setString(1, name);
      insert.setString(2, message);
      insert.setObject(3, now.atOffset(ZoneOffset.UTC));
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        return new Entry(keys.getLong(1), name, message, now);
      }
    }
  }

  /**
   * Deletes an entry.
   *
   * @return false if it does not exist
   */
  boolean delete(long id) throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement delete =
            connection.prepareStatement("delete from entries where id = ?")) {
      delete.setLong(1, id);
      return delete.executeUpdate() > 0;
    }
  }

  long count() throws SQLException {
    try (Connection connection = database.connection();
        PreparedStatement select = connection.prepareStatement("select count(*) from entries");
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  private static List<Entry> entries(PreparedStatement select) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        Instant writtenAt = row.getObject(4, OffsetDateTime.class).toInstant();
        entries.add(new Entry(row.getLong(1), row.getString(2), row.getString(3), writtenAt));
      }
    }
    return entries;
  }
}
