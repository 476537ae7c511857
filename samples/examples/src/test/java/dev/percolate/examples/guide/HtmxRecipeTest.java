package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.InputError;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Code of the recipe for htmx. */
final class HtmxRecipeTest {

  // #region app
  record NewTask(@NotBlank String title) {}

  static App app(List<String> tasks) {
    App app = new App().set("view engine", "peb");
    app.use(SecureHeaders.of().nonce());
    app.use(Csrf.sameOrigin());
    app.use(BodyParsers.urlencoded());
    app.get("/", (req, res) -> res.render("tasks", Map.of("tasks", tasks)));
    app.post(
        "/tasks",
        (req, res) -> {
          tasks.add(req.form(NewTask.class).title()); // 422 if it is blank
          if (isHtmx(req, res)) {
            res.set("HX-Trigger", "task-added");
            res.render("task-list", Map.of("tasks", tasks));
          } else {
            res.redirect(303, "/"); // works without JavaScript
          }
        });
    app.use(
        ErrorHandler.of(
            HttpError.class,
            (error, req, res, next) -> {
              List<InputError> errors = InputError.of(error);
              if (errors.isEmpty() || !isHtmx(req, res)) {
                next.fail(error);
                return;
              }
              res.status(422);
              res.render("task-list", Map.of("tasks", tasks, "fault", errors.get(0).toString()));
            }));
    return app;
  }

  /** Returns true if htmx has sent the request and wants only a part of the page. */
  private static boolean isHtmx(Request req, Response res) {
    res.vary("HX-Request"); // caches store both responses
    return "true".equals(req.get("HX-Request"));
  }

  // #endregion app

  private final List<String> tasks = new CopyOnWriteArrayList<>();
  private final App app = app(tasks);
  private final Call add = Call.post("/tasks").header("Sec-Fetch-Site", "same-origin");
  private final Call byHtmx = add.header("HX-Request", "true");

  @Test
  void thePageHasTheNonceOfItsPolicy() {
    tasks.add("tea & cake");
    Reply page = Call.get("/").to(app);
    String policy = String.valueOf(page.header("Content-Security-Policy"));
    String nonce = policy.replaceAll(".*script-src 'nonce-([^']+)'.*", "$1");
    assertTrue(page.text().contains("<script src=\"/htmx.min.js\" nonce=\"" + nonce + "\""));
    assertTrue(page.text().contains("<li>tea &amp; cake</li>"), page::text);
  }

  @Test
  void htmxGetsThePartThatHasChanged() {
    Reply part = byHtmx.form("title", "tea").to(app);
    assertEquals(200, part.status(), part::text);
    assertEquals("task-added", part.header("HX-Trigger"));
    assertTrue(String.valueOf(part.header("Vary")).contains("HX-Request"));
    assertTrue(part.text().contains("<li>tea</li>"), part::text);
    assertFalse(part.text().contains("<html"), part::text);
  }

  @Test
  void withoutJavaScriptTheFormWorksToo() {
    Reply reply = add.form("title", "tea").to(app);
    assertEquals("303 /", reply.status() + " " + reply.header("Location"));
    assertEquals(List.of("tea"), tasks);
  }

  @Test
  void invalidFieldsAreShownInThePart() {
    Reply part = byHtmx.form("title", " ").to(app);
    assertEquals(422, part.status());
    String alert = "<p role=\"alert\">form field &quot;title&quot;: must not be blank</p>";
    assertTrue(part.text().contains(alert), part::text);
    assertEquals(422, add.form("title", " ").to(app).status());
    assertEquals(List.of(), tasks);
  }

  @Test
  void pagesOfOtherSitesCannotAddTasks() {
    Call forged = Call.post("/tasks").header("Sec-Fetch-Site", "cross-site").form("title", "x");
    assertEquals(403, forged.to(app).status());
    assertEquals(List.of(), tasks);
  }
}
