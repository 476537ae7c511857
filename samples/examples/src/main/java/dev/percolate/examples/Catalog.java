package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import dev.percolate.openapi.Api;
import dev.percolate.openapi.OpenApi;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An API with OpenAPI descriptions at its routes. They validate the input, and are published at
 * {@code /openapi.json} and {@code /docs}.
 *
 * <pre>curl localhost:3000/books --json '{"title":"Emma","authors":["Jane Austen"],"year":1815}'
 * </pre>
 */
final class Catalog {

  /** The request body. */
  record NewBook(
      @NotBlank @Size(max = 200) String title,
      @Size(min = 1, max = 10) List<@NotBlank String> authors,
      @Min(1450) @Max(2100) int year,
      @Nullable Form form) {}

  /** The response body. */
  record Book(long id, String title, List<String> authors, int year, @Nullable Form form) {}

  /** The medium of a book. */
  enum Form {
    PAPER,
    AUDIO,
    FILE
  }

  /** One page of a list. */
  record Page<T>(List<T> items, int total, @Nullable URI next) {}

  private static final TypeRef<Page<Book>> PAGE = new TypeRef<>() {};

  private final Map<Long, Book> books = new ConcurrentSkipListMap<>();
  private final Map<Long, byte[]> covers = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();

  private Catalog() {}

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    new Catalog().define(app);
    app.use(
        OpenApi.of(app)
            .title("Catalog")
            .version("1.0")
            .description("Books and their covers.")
            .docs("/docs")
            .typeScript("/client.ts"));
    app.get("/", (req, res) -> res.redirect("/docs"));
    app.use(ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    return app;
  }

  private void define(App app) {
    app.use("/books", Api.of("Books").tags("books"));
    // #region routes
    app.route("/books")
        .get(
            Api.of("Lists books")
                .query("page", int.class, "The page number, starting at 1")
                .query("size", int.class, "The page size. Default: 20, maximum: 100")
                .query("form", Form.class)
                .response(200, PAGE),
            this::list)
        .post(
            Api.of("Adds a book")
                .body(NewBook.class)
                .bodyExample(new NewBook("Emma", List.of("Jane Austen"), 1815, Form.PAPER))
                .response(201, Book.class)
                .responseHeader(201, "Location", URI.class),
            this::add);
    // #endregion routes
    app.route("/books/:id")
        .get(book("Returns a book").response(200, Book.class), (req, res) -> res.json(find(req)))
        .put(
            book("Replaces a book").body(NewBook.class).response(200, Book.class),
            (req, res) -> res.json(keep(find(req).id(), sent(req))))
        .delete(book("Removes a book").response(204), this::remove);
    app.route("/books/:id/cover")
        .put(book("Sets the cover").file("cover").limit("1mb").response(204), this::setCover)
        .get(book("Returns the cover").response(200, "image/*", byte[].class), this::cover);
  }

  /** Returns the description that all routes of one book share. */
  private static Api book(String summary) {
    return Api.of(summary).path("id", long.class, "The id of the book").response(404);
  }

  private void list(Request req, Response res) {
    int page = Math.max(1, req.query("page", int.class, 1));
    int size = Math.min(100, Math.max(1, req.query("size", int.class, 20)));
    Form form = req.query("form", Form.class);
    List<Book> all =
        books.values().stream().filter(book -> form == null || book.form() == form).toList();
    long start = (page - 1L) * size;
    List<Book> items = all.stream().skip(start).limit(size).toList();
    boolean last = start + size >= all.size();
    String same = form == null ? "" : "&form=" + form;
    URI next = last ? null : URI.create("/books?page=" + (page + 1) + "&size=" + size + same);
    res.json(new Page<>(items, all.size(), next));
  }

  private void add(Request req, Response res) {
    Book book = keep(lastId.incrementAndGet(), sent(req));
    res.location("/books/" + book.id()).json(201, book);
  }

  private void remove(Request req, Response res) {
    long id = find(req).id();
    books.remove(id);
    covers.remove(id);
    res.status(204).end();
  }

  private void setCover(Request req, Response res) throws IOException {
    long id = find(req).id();
    for (Upload file : req.attr(Multipart.FILES)) {
      covers.put(id, Files.readAllBytes(file.path()));
    }
    res.status(204).end();
  }

  private void cover(Request req, Response res) {
    byte[] image = covers.get(find(req).id());
    if (image == null) {
      throw new HttpError(404, "this book has no cover");
    }
    res.type("image/png").send(image);
  }

  private Book keep(long id, NewBook sent) {
    Book book = new Book(id, sent.title(), sent.authors(), sent.year(), sent.form());
    books.put(id, book);
    return book;
  }

  private static NewBook sent(Request req) {
    return Objects.requireNonNull(req.body(NewBook.class)); // validation has rejected null
  }

  private Book find(Request req) {
    Book book = books.get(req.params().required("id", long.class));
    if (book == null) {
      throw new HttpError(404, "there is no such book");
    }
    return book;
  }
}
