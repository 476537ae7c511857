package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.FileOptions;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.StartCheck;
import dev.percolate.engine.ListenOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StartCheckTest {

  @TempDir private Path folder;
  private final App app = new App();

  /** Needs a directory. */
  private record Needing(Path root) implements Middleware, StartCheck {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public void checkStart() {
      FileOptions.none().root(root).checkRoot("needing");
    }
  }

  @Test
  void aConfiguredDirectoryOfViewsMustExist() {
    Path none = folder.resolve("none");
    app.set("views", none.toString());
    assertEquals("views: there is no directory " + none, failure());
    app.set("views", folder);
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", "nowhere");
    assertEquals("views: there is no directory " + Path.of("nowhere").toAbsolutePath(), failure());
  }

  @Test
  void failuresNameTheSourceLine() {
    Path none = folder.resolve("none");
    App viewing = new App().set("views", none);
    String message = assertThrows(IllegalStateException.class, viewing::listen).getMessage();
    assertTrue(message.matches(".*; set at StartCheckTest\\.java:\\d+"), message);
    App needing = new App().use("/x", new Needing(none));
    message = assertThrows(IllegalStateException.class, needing::listen).getMessage();
    assertTrue(message.matches(".*; used at StartCheckTest\\.java:\\d+"), message);
  }

  @Test
  void theDirectoryOfAMountedApplicationMayBeMissing() {
    String none = folder.resolve("none").toString();
    App controller = new App().set("views", none);
    app.set("views", folder).use("/users", controller);
    app.group("/pets", pets -> pets.set("views", none));
    assertTrue(startsAsFarAsTheEngine());
    assertEquals("views: there is no directory " + none, failure(controller));
  }

  @Test
  void aMissingDirectoryIsReportedOnceAndNotByThoseThatInheritIt() {
    Path none = folder.resolve("none");
    app.set("views", none).use("/users", new App());
    assertEquals("views: there is no directory " + none, failure());
  }

  @Test
  void theDefaultDirectoryOfViewsMayBeMissing() {
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", "classpath:/views");
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", null);
    assertTrue(startsAsFarAsTheEngine());
  }

  @Test
  void middlewareInLayersRoutesChainsAndMountsIsChecked() {
    Path none = folder.resolve("none");
    Middleware needing = new Needing(none);
    app.use(new Needing(folder));
    assertTrue(startsAsFarAsTheEngine());
    String message = "needing: there is no directory " + none;
    assertEquals(message, failure(new App().use(needing)));
    assertEquals(message, failure(new App().get("/x", needing)));
    assertEquals(message, failure(new App().use(Chain.of(Chain.of(needing)))));
    assertEquals(message, failure(new App().group("/a", a -> a.group("/b", b -> b.use(needing)))));
    App placed = new App();
    placed.use(placed.router()).get("/x", needing);
    assertEquals(message, failure(placed));
  }

  @Test
  void anApplicationWithinItselfIsCheckedOnce() {
    app.get("/again", app);
    assertTrue(startsAsFarAsTheEngine());
  }

  /** Middleware with a name. */
  private record Named(String name) implements Middleware {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }
  }

  /** Fails with the names of the middleware before it. */
  private static final class Last implements Middleware, StartCheck {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public void checkStart() {
      throw new IllegalStateException("called without the middleware before");
    }

    @Override
    public void checkStart(ListenOptions options, List<Middleware> before) {
      throw new IllegalStateException(
          before.stream()
              .filter(Named.class::isInstance)
              .map(step -> ((Named) step).name())
              .collect(Collectors.joining(" ")));
    }
  }

  @Test
  void aCheckGetsTheMiddlewareBeforeIt() {
    app.use(new Named("first"));
    app.use("/api", new Named("api"));
    app.use("/admin", new Named("admin"));
    app.get("/*", new Named("get"));
    app.all("/*", new Named("all"));
    app.post("/api/v1/orders", new Named("route"), new Last(), new Named("later"));
    app.use(new Named("last"));
    assertEquals("first api all route", failure());
  }

  @Test
  void theMiddlewareBeforeAnApplicationComesBeforeItsOwn() {
    App inner = new App();
    inner.use(new Named("inner")).post("/orders", new Named("route"), new Last());
    App outer = new App().use(new Named("outer"));
    outer.use("/api", new Named("api")).use("/api/v1", inner).use(new Named("last"));
    assertEquals("outer api inner route", failure(outer));
    App grouped = new App().use(new Named("outer"));
    grouped.group("/a", a -> a.use(new Named("a")).group("/b", b -> b.use(new Last())));
    assertEquals("outer a", failure(grouped));
    App placed = new App().use(new Named("outer"));
    placed.use(placed.router()).use(new Named("last")).post("/x", new Last());
    assertEquals("outer", failure(placed));
  }

  @Test
  void anApplicationIsCheckedAtEachMount() {
    App inner = new App();
    inner.post("/orders", new FailsWithout("login"));
    App both = new App().use("/a", new Named("login")).use("/a", inner);
    assertTrue(failure(both).startsWith("no Engine found"));
    both.use("/b", inner);
    assertEquals("no login", failure(both));
  }

  /** Needs a middleware before it. */
  private record FailsWithout(String name) implements Middleware, StartCheck {

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public void checkStart() {
      throw new IllegalStateException("called without the middleware before");
    }

    @Override
    public void checkStart(ListenOptions options, List<Middleware> before) {
      if (!before.contains(new Named(name))) {
        throw new IllegalStateException("no " + name);
      }
    }
  }

  private boolean startsAsFarAsTheEngine() {
    return failure().startsWith("no Engine found");
  }

  private String failure() {
    return failure(app);
  }

  private static String failure(App app) {
    String message = assertThrows(IllegalStateException.class, app::listen).getMessage();
    return message.replaceFirst("; (set|used) at StartCheckTest\\.java:\\d+$", "");
  }
}
