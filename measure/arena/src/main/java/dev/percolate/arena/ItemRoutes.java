package dev.percolate.arena;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The routes of the profiles {@code async-db}, {@code api-4} and {@code crud}. */
final class ItemRoutes {

  /** The items of a response, and their number. */
  record Found(List<Item> items, int count) {}

  private static final int LARGEST_PAGE = 50;

  private record Page(List<Item> items, int total, int page, int limit) {}

  private record NewItem(int id, String name, String category, int price, int quantity) {}

  private record Change(String name, int price, int quantity) {}

  private record Changed(int id, String name, int price, int quantity) {}

  private final ItemTable table;
  private final Cache<Integer, Item> cache =
      Caffeine.newBuilder().expireAfterWrite(Duration.ofMillis(200)).build();

  private ItemRoutes(ItemTable table) {
    this.table = table;
  }

  static void addTo(App app, @Nullable ItemTable table) {
    if (table == null) {
      app.get("/async-db", (req, res) -> res.json(new Found(List.of(), 0)));
      return;
    }
    ItemRoutes items = new ItemRoutes(table);
    app.get("/async-db", items::inPriceRange);
    app.route("/crud/items").get(items::page).post(BodyParsers.json(), items::add);
    app.route("/crud/items/:id").get(items::show).put(BodyParsers.json(), items::change);
  }

  /** Responds without items if the database cannot be reached, as the rules demand. */
  private void inPriceRange(Request req, Response res) {
    int min = req.query("min", int.class, 10);
    int max = req.query("max", int.class, 50);
    List<Item> items;
    try {
      items = table.priced(min, max, limit(req, LARGEST_PAGE));
    } catch (SQLException e) {
      items = List.of();
    }
    res.json(new Found(items, items.size()));
  }

  private void page(Request req, Response res) throws SQLException {
    String category = Objects.requireNonNullElse(req.query("category"), "electronics");
    int page = Math.max(1, req.query("page", int.class, 1));
    int limit = limit(req, 10);
    List<Item> items = table.page(category, (page - 1) * limit, limit);
    res.json(new Page(items, items.size(), page, limit));
  }

  private static int limit(Request req, int otherwise) {
    return Math.max(1, Math.min(LARGEST_PAGE, req.query("limit", int.class, otherwise)));
  }

  private void show(Request req, Response res) throws SQLException {
    int id = req.params().required("id", int.class);
    Item cached = cache.getIfPresent(id);
    Item item = cached == null ? table.find(id) : cached;
    if (item == null) {
      throw new HttpError(404);
    }
    if (cached == null) {
      cache.put(id, item);
    }
    res.set("X-Cache", cached == null ? "MISS" : "HIT").json(item);
  }

  private void add(Request req, Response res) throws SQLException, IOException {
    NewItem sent = Objects.requireNonNull(req.body(NewItem.class));
    Item item =
        new Item(
            sent.id(),
            sent.name(),
            sent.category(),
            sent.price(),
            sent.quantity(),
            true,
            List.of(),
            new Item.Rating(0, 0));
    table.put(item);
    cache.invalidate(sent.id());
    res.json(201, item);
  }

  private void change(Request req, Response res) throws SQLException, IOException {
    int id = req.params().required("id", int.class);
    Change sent = Objects.requireNonNull(req.body(Change.class));
    if (!table.change(id, sent.name(), sent.price(), sent.quantity())) {
      throw new HttpError(404);
    }
    cache.invalidate(id);
    res.json(new Changed(id, sent.name(), sent.price(), sent.quantity()));
  }
}
