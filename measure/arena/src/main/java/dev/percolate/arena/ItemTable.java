package dev.percolate.arena;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.core.JsonCodec;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table {@code items} of PostgreSQL. The database may start later than the server. */
final class ItemTable implements AutoCloseable {

  private static final String SELECT =
      "SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count"
          + " FROM items ";

  private final HikariDataSource pool;
  private final JsonCodec json = JsonCodec.find();

  private ItemTable(HikariDataSource pool) {
    this.pool = pool;
  }

  /**
   * Creates the connection pool.
   *
   * @param url such as {@code postgres://bench:bench@localhost:5432/benchmark}
   * @param connections the maximum number of connections
   */
  static ItemTable at(String url, int connections) {
    URI place = URI.create(url);
    String[] user = Objects.requireNonNullElse(place.getUserInfo(), "postgres").split(":", 2);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:postgresql://" + place.getHost() + port(place) + place.getPath());
    config.setUsername(user[0]);
    config.setPassword(user.length > 1 ? user[1] : null);
    config.setMaximumPoolSize(connections);
    config.setInitializationFailTimeout(-1);
    return new ItemTable(new HikariDataSource(config));
  }

  private static String port(URI place) {
    return place.getPort() < 0 ? "" : ":" + place.getPort();
  }

  List<Item> priced(int min, int max, int limit) throws SQLException {
    return list("WHERE price BETWEEN ? AND ? LIMIT ?", min, max, limit);
  }

  List<Item> page(String category, int offset, int limit) throws SQLException {
    return list("WHERE category = ? ORDER BY id LIMIT ? OFFSET ?", category, limit, offset);
  }

  @Nullable Item find(int id) throws SQLException {
    List<Item> found = list("WHERE id = ?", id);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Adds an item, or replaces the one with its id. */
  void put(Item item) throws SQLException {
    int ignored =
        update(
            "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?) ON CONFLICT (id) DO UPDATE"
                + " SET name = EXCLUDED.name, category = EXCLUDED.category,"
                + " price = EXCLUDED.price, quantity = EXCLUDED.quantity",
            item.id(),
            item.name(),
            item.category(),
            item.price(),
            item.quantity(),
            item.active(),
            json.write(item.tags(), JsonCodec.WriteOptions.COMPACT),
            item.rating().score(),
            item.rating().count());
  }

  /** Changes an item; returns false if there is none with this id. */
  boolean change(int id, String name, int price, int quantity) throws SQLException {
    String sql = "UPDATE items SET name = ?, price = ?, quantity = ? WHERE id = ?";
    return update(sql, name, price, quantity, id) > 0;
  }

  private List<Item> list(String condition, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement select = connection.prepareStatement(SELECT + condition)) {
      bind(select, values);
      try (ResultSet rows = select.executeQuery()) {
        List<Item> items = new ArrayList<>();
        while (rows.next()) {
          items.add(item(rows));
        }
        return items;
      }
    }
  }

  private int update(String sql, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection();
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

  private Item item(ResultSet row) throws SQLException {
    return new Item(
        row.getInt(1),
        row.getString(2),
        row.getString(3),
        row.getInt(4),
        row.getInt(5),
        row.getBoolean(6),
        tags(row.getString(7)),
        new Item.Rating(row.getInt(8), row.getInt(9)));
  }

  private List<String> tags(String array) {
    List<?> values = (List<?>) Objects.requireNonNull(json.read(array));
    return values.stream().map(String::valueOf).toList();
  }

  @Override
  public void close() {
    pool.close();
  }
}
