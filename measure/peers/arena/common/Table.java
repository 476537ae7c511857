import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The table of the peers that use JDBC, with a cache of 200 ms. */
final class Table {

  /** A cached item, and whether it was cached. */
  record Read(Arena.Item item, boolean cached) {}

  private record Entry(Arena.Item item, long until) {}

  private static final String SELECT =
      "SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count FROM"
          + " items ";
  private static final HikariDataSource POOL = Arena.DATABASE == null ? null : pool();
  private static final ConcurrentHashMap<Integer, Entry> CACHE = new ConcurrentHashMap<>();

  private Table() {}

  static boolean isThere() {
    return POOL != null;
  }

  private static HikariDataSource pool() {
    URI url = URI.create(Arena.DATABASE);
    String[] user = url.getUserInfo().split(":", 2);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath());
    config.setUsername(user[0]);
    config.setPassword(user.length > 1 ? user[1] : null);
    config.setMaximumPoolSize(Arena.CONNECTIONS);
    return new HikariDataSource(config);
  }

  static Arena.Items<Arena.Item> priced(int min, int max, int limit) {
    try {
      List<Arena.Item> items =
          POOL == null ? List.of() : list("WHERE price BETWEEN ? AND ? LIMIT ?", min, max, limit);
      return new Arena.Items<>(items, items.size());
    } catch (SQLException e) {
      return new Arena.Items<>(List.of(), 0);
    }
  }

  static Arena.Page page(String category, int page, int limit) throws SQLException {
    List<Arena.Item> items =
        list(
            "WHERE category = ? ORDER BY id LIMIT ? OFFSET ?",
            category == null ? "electronics" : category,
            limit,
            (page - 1) * limit);
    return new Arena.Page(items, items.size(), page, limit);
  }

  /** Returns an item; null if it does not exist. */
  static Read find(int id) throws SQLException {
    Entry entry = CACHE.get(id);
    long now = System.nanoTime();
    if (entry != null && entry.until() - now > 0) {
      return new Read(entry.item(), true);
    }
    List<Arena.Item> found = list("WHERE id = ?", id);
    if (found.isEmpty()) {
      return null;
    }
    CACHE.put(id, new Entry(found.get(0), now + TimeUnit.MILLISECONDS.toNanos(200)));
    return new Read(found.get(0), false);
  }

  static Arena.Item put(Arena.NewItem sent) throws SQLException {
    update(
        "INSERT INTO items VALUES (?, ?, ?, ?, ?, true, '[]', 0, 0) ON CONFLICT (id) DO UPDATE SET"
            + " name = EXCLUDED.name, category = EXCLUDED.category, price = EXCLUDED.price,"
            + " quantity = EXCLUDED.quantity",
        sent.id(),
        sent.name(),
        sent.category(),
        sent.price(),
        sent.quantity());
    CACHE.remove(sent.id());
    return new Arena.Item(
        sent.id(),
        sent.name(),
        sent.category(),
        sent.price(),
        sent.quantity(),
        true,
        List.of(),
        new Arena.Rating(0, 0));
  }

  /** Changes an item; returns null if it does not exist. */
  static Arena.Changed change(int id, Arena.Change sent) throws SQLException {
    int changed =
        update(
            "UPDATE items SET name = ?, price = ?, quantity = ? WHERE id = ?",
            sent.name(),
            sent.price(),
            sent.quantity(),
            id);
    CACHE.remove(id);
    return changed == 0 ? null : new Arena.Changed(id, sent.name(), sent.price(), sent.quantity());
  }

  private static List<Arena.Item> list(String condition, Object... values) throws SQLException {
    try (Connection connection = POOL.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT + condition)) {
      bind(select, values);
      List<Arena.Item> items = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          items.add(
              new Arena.Item(
                  row.getInt(1),
                  row.getString(2),
                  row.getString(3),
                  row.getInt(4),
                  row.getInt(5),
                  row.getBoolean(6),
                  List.of(Arena.JSON.readValue(row.getString(7), String[].class)),
                  new Arena.Rating(row.getInt(8), row.getInt(9))));
        }
      }
      return items;
    }
  }

  private static int update(String sql, Object... values) throws SQLException {
    try (Connection connection = POOL.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
