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
import java.nio.file.Path;
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
  void aDirectoryOfViewsThatWasSetHasToBeThere() {
    Path none = folder.resolve("none");
    app.set("views", none.toString());
    assertEquals("views: there is no directory " + none, failure());
    app.set("views", folder);
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", "nowhere");
    assertEquals("views: there is no directory " + Path.of("nowhere").toAbsolutePath(), failure());
  }

  @Test
  void theDirectoryOfViewsThatNobodySetNeedNotBeThere() {
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", "classpath:/views");
    assertTrue(startsAsFarAsTheEngine());
    app.set("views", null);
    assertTrue(startsAsFarAsTheEngine());
  }

  @Test
  void eachStepOfLayersRoutesChainsAndMountedApplicationsIsAsked() {
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
  void anApplicationThatLeadsBackToItselfIsAskedOnce() {
    app.get("/again", app);
    assertTrue(startsAsFarAsTheEngine());
  }

  private boolean startsAsFarAsTheEngine() {
    return failure().startsWith("no Engine found");
  }

  private String failure() {
    return failure(app);
  }

  private static String failure(App app) {
    return assertThrows(IllegalStateException.class, app::listen).getMessage();
  }
}
