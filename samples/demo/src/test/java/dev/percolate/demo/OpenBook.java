package dev.percolate.demo;

import dev.percolate.core.JsonCodec;
import dev.percolate.framework.App;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** A guest book for one test, in memory, with a fixed time and known secrets. */
final class OpenBook implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-21T16:05:06.789Z");
  static final String PASSWORD = "a horse of course: ünlikely";
  static final String FORM = "application/x-www-form-urlencoded";

  private final Database database;
  private final Entries entries;
  private final App app;

  OpenBook() throws SQLException {
    database = Database.open("jdbc:h2:mem:" + UUID.randomUUID());
    entries = new Entries(database, Clock.fixed(NOW, ZoneOffset.UTC), MemoryTopics.of());
    Environment options =
        Environment.of(
            Map.of("ADMIN_PASSWORD", PASSWORD, "COOKIE_SECRET", "sixteen or more of them"));
    app = GuestBook.app(entries, Stores.of(options.storeUrl()), options);
  }

  Entries entries() {
    return entries;
  }

  App app() {
    return app;
  }

  Reply get(String target) {
    return Call.get(target).to(app);
  }

  /** Loads the page, and returns a visitor that can submit its form. */
  Visitor visitor() {
    Reply page = get("/");
    String cookie = String.valueOf(page.header("Set-Cookie"));
    String field = "name=\"_csrf\" value=\"";
    int token = page.text().indexOf(field) + field.length();
    return new Visitor(
        this,
        cookie.substring(0, cookie.indexOf(';')),
        page.text().substring(token, page.text().indexOf('"', token)));
  }

  @Override
  public void close() {
    database.close();
  }

  /** Parses the JSON of a response. */
  static Object json(Reply reply) {
    return Objects.requireNonNull(JsonCodec.find().read(reply.text()));
  }

  static String basic(String user, String password) {
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  /** A visitor who has loaded the page. */
  record Visitor(OpenBook book, String cookie, String token) {

    Reply write(String name, String message) {
      return send(
          "/entries",
          "_csrf="
              + encoded(token)
              + "&entry[name]="
              + encoded(name)
              + "&entry[message]="
              + encoded(message));
    }

    Reply send(String path, String form) {
      return post(path).body(form).to(book.app);
    }

    Call post(String path) {
      return Call.post(path).header("Content-Type", FORM).header("Cookie", cookie);
    }

    static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
  }
}
