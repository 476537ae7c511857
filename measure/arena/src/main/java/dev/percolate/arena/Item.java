package dev.percolate.arena;

import java.util.List;

/** An item of the dataset, and of the table {@code items}. */
record Item(
    int id,
    String name,
    String category,
    int price,
    int quantity,
    boolean active,
    List<String> tags,
    Rating rating) {

  record Rating(int score, int count) {}

  /** An item with its total: price × quantity × a factor of the request. */
  record Priced(
      int id,
      String name,
      String category,
      int price,
      int quantity,
      boolean active,
      List<String> tags,
      Rating rating,
      long total) {}

  Priced times(int factor) {
    long total = (long) price * quantity * factor;
    return new Priced(id, name, category, price, quantity, active, tags, rating, total);
  }
}
