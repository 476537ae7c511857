package dev.percolate.demo;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.BasicCredentials;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Csrf;
import dev.percolate.parsers.BodyParsers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A mounted application in which the owner deletes entries, protected by a password. */
final class Admin {

  private static final int ENTRIES = 50;

  private final App app = new App();
  private final Entries entries;
  private final String credentials;

  private Admin(Entries entries, String password) {
    this.entries = entries;
    this.credentials = "admin:" + password;
  }

  static App app(Entries entries, String password, Csrf csrf) {
    Admin admin = new Admin(entries, password);
    App app = admin.app;
    app.set("views", Pages.VIEWS);
    app.use(admin::authenticate);
    app.get("/", csrf, admin::list);
    app.post(
        "/entries/:id(\\d+)/delete", BodyParsers.urlencoded().limit("1kb"), csrf, admin::delete);
    return app;
  }

  private void authenticate(Request req, Response res, Next next) {
    BasicCredentials given = req.auth();
    if (given == null || !same(given.username() + ":" + given.password(), credentials)) {
      res.set("WWW-Authenticate", "Basic realm=\"Guest book\", charset=\"UTF-8\"");
      throw new HttpError(401, "This page is for the owner of the book.");
    }
    next.run();
  }

  private void list(Request req, Response res) throws Exception {
    Long before = req.query("before", Long.class);
    Entries.Page page = entries.page(before, ENTRIES);
    Map<String, @Nullable Object> locals = new LinkedHashMap<>();
    locals.put("entries", page.entries());
    locals.put("older", page.older());
    locals.put("count", entries.count());
    locals.put("path", app.path());
    locals.put("token", Csrf.token(req));
    res.set("Cache-Control", "no-store");
    res.render("admin", locals);
  }

  private void delete(Request req, Response res) throws Exception {
    if (!entries.delete(req.params().required("id", long.class))) {
      throw new HttpError(404, "This entry no longer exists.");
    }
    res.redirect(303, app.path());
  }

  private static boolean same(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }
}
