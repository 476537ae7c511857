package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Code of the pages on views, static files, sessions and security. */
final class SiteGuideTest {

  record Pet(String name, String kind) {}

  @Test
  void aViewGetsLocals() {
    // #region view
    App app = new App();
    app.set("view engine", "peb"); // the extension of names without one
    app.set("views", "views"); // a directory, or classpath:/views
    app.locals(Map.of("title", "Pets")); // for all views
    app.get(
        "/pets",
        (req, res) -> res.render("pets", Map.of("pets", List.of(new Pet("Tobi", "ferret")))));
    // #endregion view
    assertTrue(Call.get("/pets").to(app).text().contains("Tobi"));
  }

  @Test
  void filesAreServedFromADirectory() {
    // #region static
    App app = new App();
    app.use(Compression.of());
    app.use("/files", StaticFiles.of(Path.of("public")).maxAge("1 day"));
    // #endregion static
    assertEquals(200, Call.get("/files/notes.txt").to(app).status());
    assertEquals(404, Call.get("/files/../pom.xml").to(app).status());
  }

  @Test
  void anApplicationAddsMediaTypes() {
    App app = new App();
    // #region types
    app.set("mime types", Map.of("parquet", "application/vnd.apache.parquet"));
    // #endregion types
    app.get("/table", (req, res) -> res.type("parquet").send(new byte[0]));
    assertEquals(
        "application/vnd.apache.parquet", Call.get("/table").to(app).header("Content-Type"));
  }

  @Test
  void aSessionIsKeptBetweenRequests() {
    // #region session
    App app = new App();
    app.use(Sessions.of("the secret of signatures"));
    app.post(
        "/login",
        BodyParsers.urlencoded(),
        (req, res) -> {
          if (!"open sesame".equals(req.form("password"))) {
            throw new HttpError(403, "Wrong password.");
          }
          Session session = req.attr(Sessions.SESSION).regenerate(); // with a new session id
          session.set("user", req.form("name"));
          session.flash("Welcome!");
          res.redirect(303, "/me");
        });

    Middleware members =
        (req, res, next) -> {
          if (req.attr(Sessions.SESSION).get("user") == null) {
            throw new HttpError(401, "Log in first.");
          }
          next.run();
        };
    app.get(
        "/me",
        members,
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          res.send(session.get("user", String.class) + " " + session.flashes());
        });
    // #endregion session
    CookieJar jar = new CookieJar();
    assertEquals(401, Call.get("/me").with(jar).to(app).status());
    Call login = Call.post("/login").form("name", "Ann").form("password", "open sesame");
    assertEquals("Ann [Welcome!]", login.with(jar).followRedirects().to(app).text());
    assertEquals("Ann []", Call.get("/me").with(jar).to(app).text());
  }

  @Test
  void formsCarryAToken() {
    // #region csrf
    App app = new App();
    app.use(Sessions.of("the secret of signatures"));
    app.use(BodyParsers.urlencoded());
    app.use(Csrf.of());
    app.get(
        "/form",
        (req, res) -> res.send("<input type=hidden name=_csrf value=" + Csrf.token(req) + ">"));
    app.post("/entries", (req, res) -> res.send("written"));
    // #endregion csrf
    CookieJar jar = new CookieJar();
    String token =
        Call.get("/form").with(jar).to(app).text().split("value=", 2)[1].replace(">", "");
    assertEquals(403, Call.post("/entries").form("a", "b").with(jar).to(app).status());
    assertEquals("written", Call.post("/entries").form("_csrf", token).with(jar).to(app).text());
  }

  @Test
  void routesNeedTheirGuard() {
    Map<String, String> users = Map.of("ann", "a");
    // #region require
    App app = new App();
    app.require("/admin", BasicAuth.class);
    app.use("/admin", BasicAuth.of("admin", "open sesame"));
    app.get("/admin/users", (req, res) -> res.json(users));
    // #endregion require
    app.checkStart();
    assertEquals(401, Call.get("/admin/users").to(app).status());
  }

  @Test
  void browsersNameTheOriginOfAForm() {
    // #region same-origin
    App app = new App();
    app.use(Csrf.sameOrigin().allow("https://accounts.example"));
    app.post("/entries", (req, res) -> res.send("written"));
    // #endregion same-origin
    Call call = Call.post("/entries");
    assertEquals(403, call.header("Sec-Fetch-Site", "cross-site").to(app).status());
    assertEquals("written", call.header("Sec-Fetch-Site", "same-origin").to(app).text());
    assertEquals("written", call.header("Origin", "https://accounts.example").to(app).text());
  }

  @Test
  void pathsOfFilesHaveHashes() {
    // #region hashed
    App app = new App();
    StaticFiles assets = StaticFiles.of(Path.of("public")).hashed();
    app.use("/assets", assets);
    app.locals(Map.of("asset", assets.hashedPaths())); // for all views
    // #endregion hashed
    String path = assets.hashedPath("/notes.txt");
    assertTrue(path.matches("/notes\\.[0-9a-f]{10}\\.txt"), path);
    assertEquals(
        "public, max-age=31536000, immutable",
        Call.get("/assets" + path).to(app).header("Cache-Control"));
  }

  @Test
  void headersAndRatesProtect() {
    // #region protect
    App app = new App();
    app.use(SecureHeaders.of().contentSecurityPolicy("default-src 'self'"));
    app.use("/login", RateLimit.of(2, Duration.ofMinutes(1)));
    app.post("/login", (req, res) -> res.send("in"));
    // #endregion protect
    assertNotNull(Call.post("/login").to(app).header("Content-Security-Policy"));
    assertEquals(200, Call.post("/login").to(app).status());
    assertEquals(429, Call.post("/login").to(app).status());
  }
}
