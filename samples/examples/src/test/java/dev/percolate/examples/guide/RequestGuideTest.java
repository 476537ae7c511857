package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.middleware.CookieParser;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Code of the pages on requests and responses. */
final class RequestGuideTest {

  @Test
  void aRequestHasPathQueryAndHeaders() {
    // #region request
    App app = new App();
    app.get(
        "/search",
        (req, res) -> {
          Map<String, Object> told = new LinkedHashMap<>();
          told.put("path", req.path()); //             /search
          told.put("url", req.originalUrl()); //       /search?q=tea&tag=a&tag=b, as sent
          told.put("query", req.query("q")); //        tea; null if missing
          told.put("all", req.queryAll("tag")); //     [a, b]
          told.put("header", req.get("Accept")); //    any letter case
          told.put("type", req.accepts("html", "json")); // the type that the client prefers
          told.put("ip", req.ip()); //                 of the client, also behind trusted proxies
          told.put("secure", req.secure());
          res.json(told);
        });
    // #endregion request
    Map<?, ?> told =
        Call.get("/search?q=tea&tag=a&tag=b")
            .header("Accept", "application/json")
            .to(app)
            .json(Map.class);
    assertEquals("tea", told.get("query"));
    assertEquals(List.of("a", "b"), told.get("all"));
    assertEquals("json", told.get("type"));
  }

  @Test
  void responsesHaveManyForms() {
    // #region response
    App app = new App();
    app.get("/text", (req, res) -> res.type("text").send("plain"));
    app.get("/json", (req, res) -> res.status(201).json(List.of(1, 2, 3)));
    app.get("/none", (req, res) -> res.sendStatus(204));
    app.get("/old", (req, res) -> res.redirect(301, "/text"));
    app.get("/back", (req, res) -> res.redirect("back")); // to the Referer, or else to /
    app.get("/named", (req, res) -> res.attachment("list.csv").send("a;b\n"));
    // #endregion response
    assertEquals("text/plain; charset=utf-8", Call.get("/text").to(app).header("Content-Type"));
    assertEquals(201, Call.get("/json").to(app).status());
    assertEquals("/text", Call.get("/old").to(app).header("Location"));
    assertEquals("/", Call.get("/back").to(app).header("Location"));
    assertEquals(
        "attachment; filename=\"list.csv\"",
        Call.get("/named").to(app).header("Content-Disposition"));
  }

  @Test
  void oneAddressHasSeveralForms() {
    // #region format
    Map<String, Handler> forms = new LinkedHashMap<>(); // the first is the default
    forms.put("html", (req, res) -> res.send("<b>tea</b>"));
    forms.put("json", (req, res) -> res.json(Map.of("name", "tea")));
    App app = new App();
    app.get("/article", (req, res) -> res.format(forms));
    // #endregion format
    Reply json = Call.get("/article").header("Accept", "application/json").to(app);
    assertEquals("tea", json.json(Map.class).get("name"));
    assertEquals(406, Call.get("/article").header("Accept", "image/png").to(app).status());
  }

  @Test
  void longResponsesAreStreamed() {
    // #region stream
    App app = new App();
    app.get(
        "/squares",
        (req, res) -> {
          res.type("csv");
          for (long i = 1; i <= 1000; i++) {
            res.write(i + "," + i * i + "\n"); // waits while the client reads slowly
          }
          res.end();
        });
    // #endregion stream
    assertEquals(1000, Call.get("/squares").to(app).text().lines().count());
  }

  @Test
  void cookiesAreSetReadAndCleared() {
    // #region cookies
    App app = new App();
    app.use(CookieParser.of("the secret of signatures"));
    CookieOptions options = CookieOptions.none().httpOnly(true).sameSite("lax").maxAge(86_400_000);
    app.get("/set", (req, res) -> res.cookie("theme", "dark", options.signed(true)).send("set"));
    app.get("/get", (req, res) -> res.send("" + req.signedCookies().get("theme")));
    app.get("/clear", (req, res) -> res.clearCookie("theme").send("cleared"));
    // #endregion cookies
    String cookie = Call.get("/set").to(app).header("Set-Cookie").split(";", 2)[0];
    assertEquals("dark", Call.get("/get").header("Cookie", cookie).to(app).text());
    assertEquals("null", Call.get("/get").to(app).text());
  }
}
