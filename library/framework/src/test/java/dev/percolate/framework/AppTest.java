package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AppTest {

  @Test
  void settingsAreReadByNameAndByKey() {
    App app = new App();
    assertNull(app.get("title"));
    assertSame(app, app.set("title", "Shop").enable("a").disable("b"));
    assertEquals("Shop", app.get("title"));
    assertTrue(app.enabled("a") && app.disabled("b") && app.disabled("c"));
    assertFalse(app.enabled("b") || app.disabled("a"));
    app.set(Settings.POWERED_BY, "me");
    assertEquals("me", app.get(Settings.POWERED_BY));
    assertEquals("me", app.get("powered by"));
    assertNull(app.set("title", null).get("title"));
  }

  @Test
  void everyApplicationHasItsDefaults() {
    App app = new App();
    assertEquals("weak", app.get("etag"));
    assertEquals(2, app.get("subdomain offset"));
    assertEquals(false, app.get("trust proxy"));
    assertEquals("callback", app.get("jsonp callback name"));
    assertEquals(false, app.get("x-powered-by"));
    assertTrue(String.valueOf(app.get("views")).endsWith("views"));
  }

  @Test
  void aMountedApplicationInheritsSettingsThatItDoesNotSet() {
    App app = new App();
    App middle = new App();
    App inner = new App();
    app.use("/m", middle.use("/i", inner));
    app.set("title", "outer").set("etag", "strong").set("trust proxy", true);
    assertEquals("outer", inner.get("title"));
    assertEquals("strong", inner.get("etag"));
    assertEquals(true, inner.get("trust proxy"));
    middle.set("title", "middle").set("trust proxy", false);
    assertEquals("middle", inner.get("title"));
    assertEquals(false, inner.get("trust proxy"));
    assertEquals("outer", app.get("title"));
  }

  @Test
  void aMountedApplicationInheritsTrustedProxies() {
    Handler show = (req, res) -> res.send(req.ip() + " " + req.protocol() + " " + req.host());
    App app = new App();
    app.use("/in", new App().use("/deep", new App().use(show)));
    app.use("/own", new App().set("trust proxy", false).use(show));
    app.use(show);
    assertEquals("127.0.0.1 http localhost", forwarded("/in/deep", app));
    app.set("trust proxy", "loopback");
    assertEquals("10.0.0.2 https front.test", forwarded("/in/deep", app));
    assertEquals("127.0.0.1 http localhost", forwarded("/own", app));
    assertEquals("10.0.0.2 https front.test", forwarded("/", app));
  }

  @Test
  void anInvalidTrustFailsWhenItIsSet() {
    App app = new App();
    assertEquals(
        "set(\"trust proxy\", loopback, proxy.internal): \"proxy.internal\" is not an IP address",
        assertThrows(
                IllegalArgumentException.class,
                () -> app.set("trust proxy", "loopback, proxy.internal"))
            .getMessage());
    assertEquals(false, app.get("trust proxy"));
  }

  private static String forwarded(String target, App app) {
    return play(
            Call.get(target)
                .header("X-Forwarded-For", "203.0.113.1, 10.0.0.2")
                .header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-Host", "front.test:8443"),
            app)
        .text();
  }

  @Test
  void aBlockRunsInTheGivenEnvironments() {
    App app = new App().set("env", "staging");
    List<String> log = new ArrayList<>();
    app.configure(() -> log.add("any")).configure("all", () -> log.add("all"));
    app.configure("staging", () -> log.add("one")).configure("Staging", () -> log.add("no"));
    app.configure(List.of("a", "staging"), () -> log.add("two"));
    app.configure(List.of("all", "a"), () -> log.add("no"))
        .configure(List.of(), () -> log.add("none"));
    assertEquals(List.of("any", "all", "one", "two", "none"), log);
  }

  @Test
  void aMountedApplicationKnowsItsParentAndPath() {
    App app = new App();
    App blog = new App();
    App admin = new App();
    App below = new App();
    List<App> told = new ArrayList<>();
    admin.onMount(told::add);
    assertEquals("/", admin.mountPath());
    assertEquals("", admin.path());
    assertNull(admin.parent());
    app.use("/blog", blog);
    blog.use("/admin/", admin).use(below);
    assertEquals("/admin/", admin.mountPath());
    assertEquals("/blog/admin/", admin.path());
    assertEquals("/blog/", below.path());
    assertSame(blog, admin.parent());
    assertEquals(List.of(blog), told);
  }

  @Test
  void anApplicationCannotBeMountedInItself() {
    App app = new App();
    App inner = new App();
    app.use(inner);
    assertThrows(IllegalArgumentException.class, () -> app.use(app));
    assertEquals(
        "use(\"/x\", …): an application cannot be mounted in itself",
        assertThrows(IllegalArgumentException.class, () -> inner.use("/x", app)).getMessage());
  }

  @Test
  void localsContainTheSettings() {
    App app = new App();
    assertEquals(Map.of("settings", app.settings()), app.locals());
    app.locals(Map.of("a", 1, "b", 2)).locals(Map.of("b", 3)).locals().put("c", null);
    assertEquals(3, app.locals().get("b"));
    assertTrue(app.locals().containsKey("c"));
  }

  @Test
  void poweredByIsSentIfEnabled() {
    App app = new App();
    assertNull(play(Call.get("/"), app).header("X-Powered-By"));
    app.enable("x-powered-by");
    assertEquals("Percolate", play(Call.get("/"), app).header("X-Powered-By"));
    app.set("powered by", "me");
    assertEquals("me", play(Call.get("/"), app).header("X-Powered-By"));
  }

  @Test
  void localsOfTheResponseAreSharedByAllApplications() {
    App inner = new App();
    inner.use(
        (req, res, next) -> {
          res.locals().put("a", 1);
          next.run();
        });
    App app = new App();
    app.use("/x", inner).use((req, res) -> res.send(res.locals().toString()));
    assertEquals("{a=1}", play(Call.get("/x"), app).text());
  }

  @Test
  void rejectedRequestsReachListenersAtTheRootOnce() {
    List<String> seen = new ArrayList<>();
    final class Watch implements Middleware, RejectionListener {
      private final String name;

      Watch(String name) {
        this.name = name;
      }

      @Override
      public void handle(Request req, Response res, Next next) {
        next.run();
      }

      @Override
      public void onRejected(Request req, Response res) {
        seen.add(name + " " + req.method() + " " + res.status());
      }
    }
    App inner = new App();
    inner.use(new Watch("inner"));
    App app = new App();
    app.use(new Watch("1"))
        .use("/x", new Watch("mounted"))
        .use(inner)
        .get("/", (req, res) -> res.end());
    app.use("/", new Watch("2"));
    try (MemoryEngine engine = new MemoryEngine()) {
      engine.reject(app, Call.get("/bad"), 431);
    }
    assertEquals(List.of("1 GET 431", "2 GET 431"), seen);
  }

  @Test
  void listeningWithoutAnEngineNamesTheModuleToAdd() {
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> new App().listen(ListenOptions.ofPort(0)));
    assertNotNull(error.getMessage());
    assertTrue(error.getMessage().contains("no Engine found"), error::getMessage);
  }
}
