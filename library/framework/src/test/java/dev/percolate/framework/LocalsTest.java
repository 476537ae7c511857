package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.testkit.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalsTest {

  @TempDir private Path root;
  private App app;

  @BeforeEach
  void anApplicationWithAView() throws IOException {
    Files.writeString(root.resolve("l.tmpl"), "{{a}}-{{b}}-{{c}}");
    Files.writeString(root.resolve("s.tmpl"), "{{settings.title}}|{{settings.env}}");
    Files.writeString(root.resolve("c.tmpl"), "{{cache}}");
    app = new App().set("views", root.toString()).engine("tmpl", new CurlyEngine());
  }

  @Test
  void localsOfTheCallOverrideTheResponseAndThoseTheApplication() {
    app.locals(Map.of("a", "app", "b", "app", "c", "app"));
    app.get(
        "/",
        (req, res) -> {
          res.locals().put("b", "res");
          res.locals().put("c", "res");
          res.render("l.tmpl", Map.of("c", "call"));
        });
    assertEquals("app-res-call", play(Call.get("/"), app).text());
  }

  @Test
  void nullOverridesToo() throws Exception {
    Map<String, @Nullable Object> locals = new HashMap<>();
    locals.put("a", null);
    app.locals(Map.of("a", "app", "b", "app"));
    assertEquals("-app-", app.render("l.tmpl", locals));
  }

  @Test
  void valuesAreReplacedAsAWhole() throws Exception {
    Files.writeString(root.resolve("deep.tmpl"), "{{u.first}}-{{u.last}}");
    app.locals(Map.of("u", Map.of("first", "F", "last", "L")));
    assertEquals("-M", app.render("deep.tmpl", Map.of("u", Map.of("last", "M"))));
  }

  @Test
  void theLocalsOfACallAreNeitherKeptNorChanged() throws Exception {
    Map<String, Object> locals = new LinkedHashMap<>(Map.of("a", "once"));
    app.engine("grab", (file, seen) -> String.valueOf(seen.put("b", "put")));
    Files.writeString(root.resolve("x.grab"), "");
    assertEquals("null", app.render("x.grab", locals));
    assertEquals(Map.of("a", "once"), locals);
    assertEquals(Map.of("settings", app.settings()), app.locals());
    assertEquals("--", app.render("l.tmpl"));
  }

  @Test
  void theApplicationDoesNotSeeTheLocalsOfAResponse() {
    app.get(
        "/",
        (req, res) -> {
          res.locals().put("a", "res");
          res.send(app.render("l.tmpl", Map.of("b", "call")));
        });
    assertEquals("-call-", play(Call.get("/"), app).text());
  }

  @Test
  void templatesSeeTheSettingsUnlessALocalHidesThem() throws Exception {
    app.set("title", "Site").set("env", "staging");
    assertEquals("Site|staging", app.render("s.tmpl"));
    Map<String, Object> over = Map.of("settings", Map.of("title", "Other"));
    assertEquals("Other|", app.render("s.tmpl", over));
    app.locals().put("settings", Map.of("title", "Hidden"));
    assertEquals("Hidden|", app.render("s.tmpl"));
  }

  @Test
  void aMountedApplicationSeesSettingsOfItsParentButNotItsLocals() throws Exception {
    App inner = new App().set("views", root.toString());
    app.use("/i", inner);
    app.set("title", "Outer").locals(Map.of("a", "outer"));
    inner.locals(Map.of("b", "inner"));
    assertEquals("-inner-", inner.render("l.tmpl"));
    assertEquals("Outer|" + app.get("env"), inner.render("s.tmpl"));
  }

  @Test
  void theLocalsOfAResponseAreSharedByAllApplicationsOfARequest() {
    App inner = new App().set("views", root.toString());
    inner.use((req, res) -> res.render("l.tmpl"));
    app.use(
        (req, res, next) -> {
          res.locals().put("a", req.query("a"));
          next.run();
        });
    app.use(inner);
    assertEquals("1--", play(Call.get("/?a=1"), app).text());
    assertEquals("2--", play(Call.get("/?a=2"), app).text());
  }

  @Test
  void cacheIsAlwaysALocal() throws Exception {
    assertEquals("false", app.render("c.tmpl"));
    assertEquals("yes", app.render("c.tmpl", Map.of("cache", "yes")));
    app.set("view cache", true);
    assertEquals("true", app.render("c.tmpl"));
    assertEquals("false", app.render("c.tmpl", Map.of("cache", false)));
    Map<String, @Nullable Object> none = new HashMap<>();
    none.put("cache", null);
    app.locals(Map.of("cache", "app"));
    assertEquals("true", app.render("c.tmpl", none));
    assertEquals("app", app.render("c.tmpl"));
  }
}
