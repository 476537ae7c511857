package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.middleware.DirectoryListing;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RTE-03: however a path is written, a guard at a mount path sees it before a file is sent. */
final class GuardedFilesTest {

  private static final String SECRET = "the secret";

  /** If the tests run again, on an older JDK, a tenth of the paths is tried. */
  private static final int PATHS = Boolean.getBoolean("percolate.again") ? 1_000 : 10_000;

  private static final List<String> PIECES =
      List.of(
          "/",
          "/",
          "/",
          "/",
          "//",
          ".",
          "..",
          "...",
          "%2e",
          "%2E",
          "%2e%2e",
          ".%2e",
          "%2f",
          "%2F",
          "%252f",
          "%252e",
          "%2561",
          "%5c",
          "\\",
          "%00",
          "%",
          "%%36",
          "%6",
          "%31",
          "%zz",
          "%c0%af",
          "%ff",
          ";",
          ";x=1",
          "%3b",
          "%20",
          "%2520",
          "%3f",
          "%23",
          "?",
          "x",
          "in",
          "app",
          "files",
          "admin",
          "admin",
          "%61dmin",
          "adm%69n",
          "ADMIN",
          "%41dmin",
          "key",
          "k%65y",
          "key.txt",
          "key%2etxt",
          ".git",
          "%2egit",
          "config",
          "sub",
          "..%2f",
          "%2fadmin",
          "http://h");

  @TempDir private Path folder;
  private final Random random = new Random(23);
  private final Middleware guard =
      (req, res, next) -> {
        res.set("X-Guarded", "yes");
        next.run();
      };

  @BeforeEach
  void fill() throws IOException {
    for (String name :
        List.of("admin/key", "admin/key.txt", "admin/sub/key", ".git/config", "admin/index.html")) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, SECRET);
    }
    Files.createDirectories(folder.resolve("x/in"));
    Files.writeString(folder.resolve("x/key"), "open");
    Files.writeString(folder.resolve("admin/" + SECRET), "a name to be listed");
  }

  @Test
  void aGuardInFrontOfAllFilesSeesThoseOfItsFolder() {
    StaticFiles files = StaticFiles.of(folder).allowedDotfiles(".git").extensions("txt");
    attack("", new App().use("/admin", guard).use("/.git", guard).use(files));
    attack("", new App().use("/admin/", guard).use("/.g%69t", guard).use(files));
  }

  @Test
  void aGuardInFrontOfFilesThatAreMountedSeesThem() {
    StaticFiles files = StaticFiles.of(folder).dotfiles("allow");
    App app = new App().use("/files/admin", guard).use("/files/.git", guard);
    attack("/files", app.use("/files", files));
  }

  @Test
  void aGuardInFrontOfApplicationsSeesTheirFiles() {
    App inner = new App().use("/in", StaticFiles.of(folder).hidden(true));
    App app = new App().use("/app/in/admin", guard).use("/app/in/.git", guard);
    attack("/app/in", app.use("/app", inner));
  }

  @Test
  void aGuardWithinAnApplicationSeesItsFiles() {
    App inner = new App().use("/admin", guard).use("/.git", guard);
    inner.use(StaticFiles.of(folder).hidden(true));
    attack("/app", new App().use("/app", inner));
  }

  @Test
  void aGuardSeesTheListsOfItsFolder() {
    App app = new App().use("/admin", guard).use("/.git", guard);
    attack("", app.use(DirectoryListing.of(folder).hidden(true)));
  }

  @Test
  void aGuardSeesTheRoutesOfItsPath() {
    App app = new App().use("/admin", guard);
    Handler secret = (req, res) -> res.send(SECRET);
    app.get("/admin/*", secret).get("/admin", secret).get("/admin/:a/:b", secret);
    assertNull(unguarded("", app.set("env", "production"), PATHS));
    assertNull(unguarded("", app.set("ambiguous targets", "pass"), PATHS));
  }

  @Test
  @DisplayName("a guard sees the files that routes send by the path or by a parameter")
  void aGuardSeesTheFilesThatRoutesSend() {
    FileOptions below = FileOptions.none().root(folder);
    App byPath = new App().use("/admin", guard);
    attack("", byPath.get("*", (req, res, next) -> res.sendFile(req.path(), below, next)));
    App byParameter = new App().use("/files/admin", guard);
    Middleware send =
        (req, res, next) -> res.sendFile(String.valueOf(req.params().get("0")), below, next);
    attack("/files", byParameter.get("/files/*", send));
    App byExpression = new App().use("/files/admin", guard);
    attack("/files", byExpression.get(Pattern.compile("^/files/(.*)$"), send));
  }

  @Test
  void routesThatGuardAFolderSeeItsFilesToo() {
    App app = new App().all("/admin", guard).all("/admin/*", guard).all("/.git*", guard);
    attack("", app.use(StaticFiles.of(folder).allowedDotfiles(".git")));
  }

  private void attack(String prefix, App app) {
    app.set("env", "production");
    assertNull(unguarded(prefix, app, PATHS));
    // The same attack succeeds if guards compare the path as sent, so the attack is effective.
    assertNotNull(unguarded(prefix, app.set("ambiguous targets", "pass"), PATHS));
  }

  /** Returns a path that bypassed the guard and returned the secret; null if there was none. */
  private String unguarded(String prefix, App app, int paths) {
    int guarded = 0;
    try (MemoryEngine engine = new MemoryEngine(ThreadMode.EVENT_LOOP);
        Client client = engine.client(app)) {
      for (int i = 0; i < paths; i++) {
        Call call = Call.get(path(prefix)).header("Accept", "text/plain");
        Reply reply = call.to(client);
        assertTrue(reply.status() < 500, call::toString);
        boolean secret = reply.text().contains(SECRET);
        boolean seen = reply.header("X-Guarded") != null;
        if (secret && !seen) {
          return call.toString();
        }
        guarded += secret ? 1 : 0;
      }
    }
    assertTrue(guarded > paths / 500, "came out " + guarded + " times");
    return null;
  }

  private String path(String prefix) {
    StringBuilder path = new StringBuilder(random.nextInt(20) == 0 ? "http://h" : "");
    path.append(random.nextInt(8) == 0 ? "" : prefix);
    path.append(random.nextInt(12) == 0 ? "" : "/");
    for (int n = random.nextInt(4); n > 0; n--) {
      path.append(piece());
    }
    if (random.nextInt(3) > 0) {
      path.append(random.nextBoolean() ? "/admin" : "admin");
      path.append(random.nextInt(4) == 0 ? piece() : "/");
      path.append(random.nextInt(4) == 0 ? piece() : "").append("key");
    }
    String made = path.toString();
    return made.startsWith("/") || made.startsWith("http://h/") ? escaped(made) : "/" + made;
  }

  private String piece() {
    return PIECES.get(random.nextInt(PIECES.size()));
  }

  /** Escapes single characters at random, once or twice. */
  private String escaped(String path) {
    int from = path.startsWith("http") ? 9 : 1;
    if (random.nextInt(3) > 0 || from >= path.length()) {
      return path;
    }
    int at = from + random.nextInt(path.length() - from);
    String percent = random.nextInt(4) == 0 ? "%%25%02x" : "%%%02x";
    return path.substring(0, at)
        + String.format(percent, (int) path.charAt(at))
        + path.substring(at + 1);
  }
}
