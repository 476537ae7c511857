package dev.percolate.examples.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * An API with a database and without a framework for it: JDBC, a pool, migrations, a transaction
 * for each request, pages of a list, and optimistic locking with {@code ETag} and {@code If-Match}.
 *
 * <pre>
 * curl localhost:3000/items --json '{"name":"tea","amount":5}'
 * curl -i localhost:3000/items/1
 * curl -X PUT localhost:3000/items/1 -H 'If-Match: "1"' --json '{"name":"tea","amount":4}'
 * </pre>
 */
public final class Stock {

  private static final String SELECT = "select id, name, amount, version from item ";

  /** The request body. */
  record NewItem(@NotBlank @Size(max = 100) String name, @Min(0) int amount) {}

  // #region item
  /** An item. Its version is its entity tag. */
  record Item(long id, String name, int amount, long version) {

    private String etag() {
      return "\"" + version + '"';
    }
  }

  // #endregion item

  /** The query of a page. */
  record Page(Optional<Long> after, Optional<@Min(1) @Max(100) Integer> limit) {}

  private Stock() {}

  public static void main(String[] args) throws Exception {
    String memory = "jdbc:h2:mem:stock;DB_CLOSE_ON_EXIT=FALSE";
    HikariDataSource pool = pool(System.getenv().getOrDefault("DATABASE_URL", memory));
    App app = app(pool).onClose(pool);
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
  }

  // #region pool
  public static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url); // jdbc:postgresql://localhost/stock?user=…&password=…
    config.setMaximumPoolSize(10); // other requests wait for a connection,
    config.setConnectionTimeout(2000); // at most this number of ms
    return new HikariDataSource(config);
  }

  // #endregion pool

  // #region app
  static App app(DataSource pool) throws SQLException, IOException {
    Migrations.run(pool, Stock.class); // 1.sql, 2.sql, … that have not been run
    App app = new App();
    app.use(BodyParsers.json());
    app.use(Transaction.ofEachRequest(pool));
    app.route("/items").get(Stock::list).post(Stock::add);
    app.route("/items/:id").get(Stock::show).put(Stock::change);
    app.use(ProblemDetails.json());
    return app;
  }

  // #endregion app

  // #region paging
  private static void list(Request req, Response res) throws SQLException {
    Page page = req.query(Page.class); // ?after=20&limit=10
    int limit = page.limit().orElse(20);
    List<Item> items =
        Transaction.of(req)
            .list(
                Item.class,
                SELECT + "where id > ? order by id fetch first ? rows only",
                page.after().orElse(0L),
                limit);
    if (items.size() == limit) {
      long last = items.get(limit - 1).id();
      res.links(Map.of("next", "/items?after=" + last + "&limit=" + limit));
    }
    res.json(items);
  }

  // #endregion paging

  private static void add(Request req, Response res) throws SQLException {
    NewItem sent = sent(req);
    long id =
        Transaction.of(req)
            .insert("insert into item (name, amount) values (?, ?)", sent.name(), sent.amount());
    Item item = find(req, id, "");
    res.location("/items/" + id).set("ETag", item.etag()).json(201, item);
  }

  private static void show(Request req, Response res) throws SQLException {
    Item item = find(req, req.params().required("id", long.class), "");
    res.set("ETag", item.etag()).json(item);
  }

  // #region locking
  private static void change(Request req, Response res) throws SQLException {
    NewItem sent = sent(req);
    Item item = find(req, req.params().required("id", long.class), "for update");
    if (req.get("If-Match") == null) {
      throw new HttpError(428, "send the ETag of the item in If-Match");
    }
    req.checkPreconditions(item.etag()); // 412 if another client has changed it
    Transaction.of(req)
        .update(
            "update item set name = ?, amount = ?, version = version + 1 where id = ?",
            sent.name(),
            sent.amount(),
            item.id());
    Item changed = new Item(item.id(), sent.name(), sent.amount(), item.version() + 1);
    res.set("ETag", changed.etag()).json(changed);
  }

  // #endregion locking

  private static NewItem sent(Request req) {
    return Objects.requireNonNull(req.body(NewItem.class));
  }

  private static Item find(Request req, long id, String lock) throws SQLException {
    return Transaction.of(req)
        .first(Item.class, SELECT + "where id = ? " + lock, id)
        .orElseThrow(() -> new HttpError(404, "there is no such item"));
  }
}
