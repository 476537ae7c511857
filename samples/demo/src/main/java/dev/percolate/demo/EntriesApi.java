package dev.percolate.demo;

import dev.percolate.core.InputError;
import dev.percolate.core.InputSource;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.openapi.Api;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A mounted application: a JSON API for the entries, with errors as problem+json. */
final class EntriesApi {

  private static final int MOST = 100;

  private final App app = new App();
  private final Entries entries;

  /** The request body of a new entry. */
  record NewEntry(String name, String message) {}

  private EntriesApi(Entries entries) {
    this.entries = entries;
  }

  /**
   * Creates the application.
   *
   * @param entries the entries
   * @param limit the rate limit for new entries
   */
  static App app(Entries entries, Middleware limit) {
    EntriesApi api = new EntriesApi(entries);
    App app = api.app;
    app.use(Api.of("The entries of the book").tags("entries"));
    app.get(
        "/",
        Api.of("Lists entries, newest first")
            .query("before", long.class, "Only entries before this id")
            .query("limit", int.class, "The page size, from 1 to " + MOST + ". Default: 20")
            .response(200, Entries.Page.class)
            .responseHeader(200, "Link", String.class)
            .responseDescription(
                200, "A page of entries. Link has the address of the next page, if any"),
        api::list);
    app.get(
        "/:id(\\d+)",
        Api.of("Returns an entry")
            .path("id", long.class, "The id of the entry")
            .response(200, Entry.class)
            .response(404),
        api::show);
    app.post(
        "/",
        limit,
        Api.of("Adds an entry")
            .description(
                "A name has up to "
                    + EntryForm.LONGEST_NAME
                    + " characters, a message up to "
                    + EntryForm.LONGEST_MESSAGE
                    + ". All visitors can read them.")
            .body(NewEntry.class)
            .bodyExample(new NewEntry("Ann", "Such a warm welcome!"))
            .limit("16kb")
            .response(201, Entry.class)
            .responseHeader(201, "Location", URI.class)
            .response(429)
            .responseHeader(429, "Retry-After", int.class),
        api::add);
    app.use((req, res, next) -> next.fail(new HttpError(404, "Not found.")));
    app.use(ProblemDetails.json());
    return app;
  }

  private void list(Request req, Response res) throws Exception {
    int limit = limit(req.query("limit", int.class, 20));
    Entries.Page page = entries.page(req.query("before", Long.class), limit);
    if (page.older() != null) {
      String older = app.path() + "?before=" + page.older() + "&limit=" + limit;
      res.links(Map.of("next", older));
    }
    res.json(page);
  }

  private void show(Request req, Response res) throws Exception {
    Entry entry = entries.find(req.params().required("id", long.class));
    if (entry == null) {
      throw new HttpError(404, "There is no such entry.");
    }
    res.json(entry);
  }

  private void add(Request req, Response res) throws Exception {
    NewEntry sent = Objects.requireNonNull(req.body(NewEntry.class)); // validation rejects null
    EntryForm form = EntryForm.of(sent.name(), sent.message());
    if (!form.errors().isEmpty()) {
      throw incomplete(form.errors());
    }
    Entry entry = entries.add(form.name(), form.message());
    res.location(app.path() + "/" + entry.id()).status(201).json(entry);
  }

  private static HttpError incomplete(Map<String, String> errors) {
    List<InputError> faults =
        errors.entrySet().stream().map(one -> fault("/" + one.getKey(), one.getValue())).toList();
    return InputError.error(422, "entry.incomplete", faults);
  }

  private static InputError fault(String pointer, String detail) {
    return new InputError(InputSource.JSON, pointer, InputError.CONSTRAINT, detail);
  }

  private static int limit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new HttpError(400, "limit must be a number from 1 to " + MOST + ".");
    }
    return limit;
  }
}
