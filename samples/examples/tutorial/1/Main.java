package com.example.books;

import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import java.util.List;

public final class Main {

  record Book(long id, String title, String author) {}

  private static final List<Book> BOOKS =
      List.of(new Book(1, "Dune", "Frank Herbert"), new Book(2, "Emma", "Jane Austen"));

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(3000).uri());
  }

  static App app() {
    App app = new App();
    app.get("/books", (req, res) -> res.json(BOOKS));
    app.get(
        "/books/:id",
        (req, res) -> {
          long id = req.params().required("id", long.class);
          res.json(
              BOOKS.stream()
                  .filter(book -> book.id() == id)
                  .findFirst()
                  .orElseThrow(() -> new HttpError(404, "Book not found")));
        });
    return app;
  }
}
