package dev.percolate.examples;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.MethodOverride;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * The Express 3 application {@code examples/express/notes.js}, ported to Java.
 *
 * <pre>curl localhost:3000/notes -d title=Rice -d text="Twelve minutes" -d tag=food</pre>
 */
final class Notes {
  private record Note(int id, String title, Optional<String> text, List<String> tags) {}

  private record NewNote(String title, Optional<String> text, List<String> tag) {}

  private static final Key<Note> NOTE = Key.of("note", Note.class);

  private final List<Note> notes = new CopyOnWriteArrayList<>();
  private final AtomicInteger last = new AtomicInteger(1);

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    Notes notes = new Notes();
    notes.notes.add(new Note(1, "Tea", Optional.of("Three minutes"), List.of("drink")));
    App app = new App();
    app.set("title", "Notes");
    app.use(BodyParsers.json(), BodyParsers.urlencoded());
    app.use(MethodOverride.of());
    app.param("note", notes::find);
    app.get("/", (req, res) -> res.redirect("/notes"));
    app.get("/notes", notes::list);
    app.post("/notes", notes::add);
    app.get("/notes/:note", (req, res) -> res.json(req.attr(NOTE)));
    app.delete("/notes/:note", notes::remove);
    app.get("/notes/:note/text", Notes::text);
    app.use(StaticFiles.of(Path.of("public")));
    return app.use(Notes::failed);
  }

  private static void failed(Throwable error, Request req, Response res, Next next) {
    int status = error instanceof HttpError known ? known.status() : 500;
    res.status(status).json(Map.of("error", String.valueOf(error.getMessage())));
  }

  private void find(Request req, Response res, Next next, String id) {
    Optional<Note> found = notes.stream().filter(note -> id.equals("" + note.id())).findFirst();
    req.attr(NOTE, found.orElseThrow(() -> new HttpError(404, "There is no note " + id)));
    next.run();
  }

  private void list(Request req, Response res) throws Exception {
    int page = req.query("page", int.class, 1);
    String tag = req.query("tag");
    List<Note> found =
        notes.stream()
            .filter(note -> tag == null || note.tags().contains(tag))
            .skip(Math.max(page - 1, 0) * 10L)
            .limit(10)
            .toList();
    String titles = found.stream().map(Note::title).collect(Collectors.joining(", "));
    Map<String, Handler> formats = new LinkedHashMap<>();
    formats.put("json", (q, r) -> r.json(found));
    formats.put("text", (q, r) -> r.send(req.settings().get("title") + ": " + titles));
    res.format(formats);
  }

  private void add(Request req, Response res) {
    NewNote sent = req.body(NewNote.class);
    Note note = new Note(last.incrementAndGet(), sent.title(), sent.text(), sent.tag());
    notes.add(note);
    res.status(201).set("Location", "/notes/" + note.id()).json(note);
  }

  private void remove(Request req, Response res) {
    notes.remove(req.attr(NOTE));
    res.sendStatus(204);
  }

  private static void text(Request req, Response res) {
    res.type("text").send(req.attr(NOTE).text().orElse(""));
  }
}
