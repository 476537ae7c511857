package com.example.books;

import com.example.books.Database.Transaction;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The books of a reading list. */
final class Books {

  private static final String SELECT = "select id, title, author, pages, page from book ";

  private final Database database;

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

  /** The query of GET /books. */
  record Page(Optional<Long> after, Optional<@Min(1) @Max(100) Integer> limit) {}

  /** A book, and the page that its reader has reached. */
  record Book(long id, String title, String author, int pages, int page) {

    static Book read(ResultSet row) throws SQLException {
      return new Book(
          row.getLong(1), row.getString(2), row.getString(3), row.getInt(4), row.getInt(5));
    }

    Book with(Change change) {
      int reached = change.page().orElse(page);
      if (reached > pages) {
        throw new HttpError(422, "The book has only " + pages + " pages");
      }
      return new Book(
          id, change.title().orElse(title), change.author().orElse(author), pages, reached);
    }
  }

  Books(Database database) {
    this.database = database;
  }

  void define(App app) {
    app.route("/books").get(this::list).post(this::add);
    app.route("/books/:id").get(this::show).patch(this::change).delete(this::remove);
  }

  private void list(Request req, Response res) throws SQLException {
    Page page = req.query(Page.class);
    int limit = page.limit().orElse(20);
    String sql = SELECT + "where id > ? order by id fetch first ? rows only";
    List<Book> books =
        database.transaction(tx -> tx.list(Book::read, sql, page.after().orElse(0L), limit));
    if (books.size() == limit) {
      long last = books.get(limit - 1).id();
      res.links(Map.of("next", "/books?after=" + last + "&limit=" + limit));
    }
    res.json(books);
  }

  private void add(Request req, Response res) throws SQLException {
    NewBook sent = req.body(NewBook.class);
    String sql = "insert into book (title, author, pages) values (?, ?, ?)";
    long id = database.transaction(tx -> tx.insert(sql, sent.title(), sent.author(), sent.pages()));
    Book book = new Book(id, sent.title(), sent.author(), sent.pages(), 0);
    res.location("/books/" + id).json(201, book);
  }

  private void show(Request req, Response res) throws SQLException {
    long id = id(req);
    res.json(database.transaction(tx -> find(tx, id, "")));
  }

  private void change(Request req, Response res) throws SQLException {
    long id = id(req);
    Change change = req.body(Change.class);
    String sql = "update book set title = ?, author = ?, page = ? where id = ?";
    Book changed =
        database.transaction(
            tx -> {
              Book book = find(tx, id, "for update").with(change);
              tx.update(sql, book.title(), book.author(), book.page(), id);
              return book;
            });
    res.json(changed);
  }

  private void remove(Request req, Response res) throws SQLException {
    long id = id(req);
    if (database.transaction(tx -> tx.update("delete from book where id = ?", id)) == 0) {
      throw new HttpError(404, "Book not found");
    }
    res.status(204).end();
  }

  private static Book find(Transaction tx, long id, String lock) throws SQLException {
    return tx.list(Book::read, SELECT + "where id = ? " + lock, id).stream()
        .findFirst()
        .orElseThrow(() -> new HttpError(404, "Book not found"));
  }

  private static long id(Request req) {
    return req.params().required("id", long.class);
  }
}
