package dev.percolate.conformance;

import dev.percolate.http.HttpError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The users, items and orders of the marketplace, in memory. */
final class MarketData {

  record User(String name, String password, String full, boolean seller) {}

  record Item(int id, String title, int price, List<String> tags, String seller, Instant created) {

    /** Returns the part of an item that clients of the API see. */
    Map<String, Object> shown() {
      Map<String, Object> shown = new LinkedHashMap<>();
      shown.put("id", id);
      shown.put("title", title);
      shown.put("price", price);
      shown.put("tags", tags);
      shown.put("created", created);
      return shown;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // is never compared
  record Picture(String type, byte[] bytes) {}

  record OrderLine(String title, int count) {}

  record Order(
      String id, String user, Instant placed, List<OrderLine> lines, int total, String state) {

    Order cancelled() {
      return new Order(id, user, placed, lines, total, "cancelled");
    }
  }

  final Map<String, User> users =
      Map.of(
          "ann", new User("ann", "open sesame", "Ann Lee", true),
          "bob", new User("bob", "tea&cake", "Bob O'Hara", false));

  final Map<Integer, Item> items = new ConcurrentSkipListMap<>();
  final Map<Integer, Picture> pictures = new ConcurrentHashMap<>();
  final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final Map<String, Order> orders = new LinkedHashMap<>();
  private int last;

  MarketData() {
    add("Teapot", 2450, List.of("kitchen", "tea"), "ann");
    add("Lamp & shade", 8900, List.of("light"), "ann");
    add("Bicycle", 31000, List.of("outdoor"), "ann");
    add("Tea towel", 650, List.of("kitchen"), "ann");
  }

  /** Adds an item with the next id. */
  synchronized Item add(String title, int price, List<String> tags, String seller) {
    Item item = new Item(++last, title, price, tags, seller, Instant.now());
    items.put(item.id(), item);
    return item;
  }

  /** Replaces the title, the price and the tags of an item. */
  Item change(Item item, String title, int price, List<String> tags) {
    Item changed = new Item(item.id(), title, price, tags, item.seller(), item.created());
    items.put(item.id(), changed);
    return changed;
  }

  Item item(String id) {
    Item item = id.matches("\\d{1,9}") ? items.get(Integer.valueOf(id)) : null;
    if (item == null) {
      throw new HttpError(404, "No item " + id);
    }
    return item;
  }

  /** Returns the total of a cart, in cents. */
  int total(Map<Integer, Integer> cart) {
    return cart.entrySet().stream()
        .mapToInt(line -> items.get(line.getKey()).price() * line.getValue())
        .sum();
  }

  synchronized Order order(String user, Map<Integer, Integer> cart) {
    List<OrderLine> lines = new ArrayList<>();
    cart.forEach((id, count) -> lines.add(new OrderLine(items.get(id).title(), count)));
    String id = UUID.randomUUID().toString();
    Order order = new Order(id, user, Instant.now(), lines, total(cart), "open");
    orders.put(id, order);
    return order;
  }

  synchronized Order order(String id) {
    Order order = orders.get(id);
    if (order == null) {
      throw new HttpError(404, "No such order");
    }
    return order;
  }

  synchronized List<Order> orders() {
    return List.copyOf(orders.values());
  }

  synchronized void cancel(String id) {
    if (!order(id).state().equals("open")) {
      throw new HttpError(409, "The order is closed");
    }
    orders.computeIfPresent(id, (same, order) -> order.cancelled());
  }

  /** Returns an error for each invalid field of an item. */
  static List<Map<String, String>> problems(Object title, Object price) {
    List<Map<String, String>> found = new ArrayList<>();
    if (!(title instanceof String text) || text.isBlank()) {
      found.add(Map.of("field", "title", "message", "title is missing"));
    } else if (text.length() > 40) {
      found.add(Map.of("field", "title", "message", "title is too long"));
    }
    if (!(price instanceof Number cents) || cents.doubleValue() % 1 != 0 || cents.intValue() < 1) {
      String message = "price must be a positive number of cents";
      found.add(Map.of("field", "price", "message", message));
    }
    return found;
  }
}
