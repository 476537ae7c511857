package dev.percolate.demo;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import dev.percolate.parsers.BodyParsers;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives and takes the entries as JSON, errors too; an application to be mounted. */
final class EntriesApi {

  private static final System.Logger LOG = System.getLogger("dev.percolate.demo");
  private static final int MOST = 100;

  private final App app = new App();
  private final Entries entries;

  /** Which entries are wanted. */
  private record Window(@Nullable Long before, Optional<Integer> limit) {}

  private EntriesApi(Entries entries) {
    this.entries = entries;
  }

  static App app(Entries entries) {
    EntriesApi api = new EntriesApi(entries);
    App app = api.app;
    app.get("/", api::list);
    app.get("/:id(\\d+)", api::show);
    app.post("/", EntriesApi::checkType, BodyParsers.json().limit("16kb"), api::add);
    app.use((req, res, next) -> next.fail(new HttpError(404, "There is nothing here.")));
    app.use(EntriesApi::tell);
    return app;
  }

  private void list(Request req, Response res) throws Exception {
    Window window = req.query(Window.class);
    int limit = limit(window.limit().orElse(20));
    Entries.Page page = entries.page(window.before(), limit);
    if (page.older() != null) {
      String older = app.path() + "?before=" + page.older() + "&limit=" + limit;
      res.links(Map.of("next", older));
    }
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("entries", page.entries());
    answer.put("older", page.older());
    res.json(answer);
  }

  private void show(Request req, Response res) throws Exception {
    Entry entry = entries.find(req.params().required("id", long.class));
    if (entry == null) {
      throw new HttpError(404, "There is no such entry.");
    }
    res.json(entry);
  }

  private void add(Request req, Response res) throws Exception {
    EntryForm form = EntryForm.of(req.body(EntryForm.Draft.class));
    if (!form.errors().isEmpty()) {
      throw new HttpError(422, "The entry is not complete.").with("fields", form.errors());
    }
    Entry entry = entries.add(form.name(), form.message());
    res.location(app.path() + "/" + entry.id()).status(201).json(entry);
  }

  /** Refuses the types that a foreign page may send unasked: forms and plain text. */
  private static void checkType(Request req, Response res, Next next) {
    if (!req.is("application/json")) {
      throw new HttpError(415, "Please send application/json.");
    }
    next.run();
  }

  private static void tell(Throwable error, Request req, Response res, Next next) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    if (error instanceof HttpError fault && fault.expose()) {
      answer.put("error", fault.getMessage());
      if (fault.field("fields") != null) {
        answer.put("fields", fault.field("fields"));
      }
      res.status(fault.status()).json(answer);
    } else {
      LOG.log(Level.ERROR, req.method() + " " + req.originalUrl() + " failed", error);
      answer.put("error", Status.phrase(500));
      res.status(500).json(answer);
    }
  }

  private static int limit(int limit) {
    if (limit < 1 || limit > MOST) {
      throw new HttpError(400, "The limit is a number from 1 to " + MOST + ".");
    }
    return limit;
  }
}
