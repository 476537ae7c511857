package com.example.books;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The books of a reading list, in memory. */
final class Books {

  private final Map<Long, Book> books = new ConcurrentSkipListMap<>();
  private final AtomicLong lastId = new AtomicLong();

  /** The body of POST /books. */
  record NewBook(
      @NotBlank @Size(max = 200) String title,
      @NotBlank @Size(max = 100) String author,
      @Min(1) @Max(20_000) int pages) {}

  /** The body of PATCH /books/:id. Absent values do not change. */
  record Change(
      Optional<@NotBlank @Size(max = 200) String> title,
      Optional<@NotBlank @Size(max = 100) String> author,
      Optional<@Min(0) Integer> page) {}

  /** A book, and the page that its reader has reached. */
  record Book(long id, String title, String author, int pages, int page) {

    Book with(Change change) {
      int reached = change.page().orElse(page);
      if (reached > pages) {
        throw new HttpError(422, "The book has only " + pages + " pages");
      }
      return new Book(
          id, change.title().orElse(title), change.author().orElse(author), pages, reached);
    }
  }

  void define(App app) {
    app.route("/books").get(this::list).post(this::add);
    app.route("/books/:id").get(this::show).patch(this::change).delete(this::remove);
  }

  private void list(Request req, Response res) {
    res.json(books.values());
  }

  private void add(Request req, Response res) {
    NewBook sent = req.body(NewBook.class);
    Book book = new Book(lastId.incrementAndGet(), sent.title(), sent.author(), sent.pages(), 0);
    books.put(book.id(), book);
    res.location("/books/" + book.id()).json(201, book);
  }

  private void show(Request req, Response res) {
    res.json(orNotFound(books.get(id(req))));
  }

  private void change(Request req, Response res) {
    Change change = req.body(Change.class);
    res.json(orNotFound(books.computeIfPresent(id(req), (id, book) -> book.with(change))));
  }

  private void remove(Request req, Response res) {
    orNotFound(books.remove(id(req)));
    res.status(204).end();
  }

  private static long id(Request req) {
    return req.params().required("id", long.class);
  }

  private static Book orNotFound(Book found) {
    return Optional.ofNullable(found)
        .orElseThrow(() -> new HttpError(404, "Book not found"));
  }
}
