package ${package};

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The application and its main method. */
public final class Main {

  private static final int LONGEST = 200;

  /** The notes of a visitor, stored in the session. */
  private record Notes(List<String> texts) {

    static Notes of(Session session) {
      Notes notes = session.get("notes", Notes.class);
      return notes == null ? new Notes(List.of()) : notes;
    }

    Notes with(String text) {
      List<String> all = new ArrayList<>(texts);
      all.add(text);
      return new Notes(all);
    }
  }

  private Main() {}

  /** Starts the server on the port in the environment variable PORT. Default: 3000. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    System.out.println("Listening at " + app().listen(port).uri());
  }

  static App app() {
    App app = new App();
    app.set("view engine", "peb").set("views", "classpath:/views");
    app.use(Inspector.inDevelopment()); // at /_percolate
    app.use(RequestLogger.of("combined"));
    app.use(SecureHeaders.of().header("Referrer-Policy", "same-origin")); // for Csrf without TLS
    app.use(StaticFiles.ofClassPath("/public"));
    app.use(Sessions.of(secret()));
    app.use(Csrf.sameOrigin(), BodyParsers.urlencoded());
    app.get("/", Main::show);
    app.post("/notes", Main::add);
    app.post("/notes/delete", Main::delete);
    return app;
  }

  /** Signs the cookies of sessions. To share sessions between servers, set SECRET and a store. */
  private static String secret() {
    return System.getenv().getOrDefault("SECRET", UUID.randomUUID().toString());
  }

  private static void show(Request req, Response res) {
    render(req, res, "", "");
  }

  private static void add(Request req, Response res) {
    String text = req.form("text", String.class, "").strip();
    if (text.isEmpty() || text.length() > LONGEST) {
      res.status(422);
      render(req, res, text, "Write between 1 and " + LONGEST + " characters.");
      return;
    }
    Session session = req.attr(Sessions.SESSION);
    session.set("notes", Notes.of(session).with(text)).flash("Your note is saved.");
    res.redirect(303, "/");
  }

  private static void delete(Request req, Response res) {
    req.attr(Sessions.SESSION).remove("notes").flash("Your notes are deleted.");
    res.redirect(303, "/");
  }

  private static void render(Request req, Response res, String text, String error) {
    Session session = req.attr(Sessions.SESSION);
    Map<String, Object> locals =
        Map.of(
            "notes", Notes.of(session).texts(),
            "messages", session.flashes(),
            "longest", LONGEST,
            "text", text,
            "error", error);
    res.set("Cache-Control", "private, no-cache").render("index", locals);
  }
}
