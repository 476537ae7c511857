package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no path reads hidden files or files outside of the root (goal G16). */
final class StaticFilesContainmentTest {

  /** A byte that occurs neither in public files nor in other responses. */
  private static final byte SECRET_BYTE = 1;

  private static final String SECRET = "\u0001".repeat(8);
  private static final Handler PASSED = (req, res) -> res.status(404).send("passed");

  /** Responds like the default error page, but does not log errors. */
  private static final ErrorHandler FAILED =
      (error, req, res, next) -> {
        int status = error instanceof HttpError known ? known.status() : 500;
        res.status(status).send(req.originalUrl() + error.getMessage());
      };

  /** When the tests run again, on an older JDK, they try a tenth of the paths. */
  private static final int PART = Boolean.getBoolean("percolate.again") ? 10 : 1;

  /** The parts of the paths. */
  private static final List<String> PIECES =
      List.of(
          "..",
          ".",
          "...",
          "/",
          "//",
          "\\",
          "%2e",
          "%2E%2e",
          "%252e%252e",
          "%25252e",
          "%2f",
          "%252f",
          "%5c",
          "%255c",
          "%c0%ae",
          "%c0%af",
          "%e0%80%ae",
          "%00",
          "%2500",
          "\0",
          ";",
          ";x=1",
          "..;",
          "%u002e",
          "%",
          "%zz",
          "?",
          "#",
          "*",
          "~",
          " ",
          "%20",
          "%20.",
          "..%20",
          ":",
          "::$DATA",
          "C:",
          "file:",
          "%ef%bc%8e",
          "\u00e9",
          "\u2024",
          "%0d%0a",
          "+",
          "pub",
          "pub-private",
          "secret.txt",
          "secret",
          "key",
          "in",
          "in.txt",
          "out",
          "leak.txt",
          "hop",
          ".env",
          ".git",
          "config",
          "%2eenv",
          ".%65nv",
          "users",
          "index.html",
          "todo.txt",
          "todo",
          ".txt",
          "root",
          "..\\",
          "..%5c",
          "%2e%2e%2f",
          "%2e%2e/",
          ".%2e/",
          "./",
          "../",
          "/..",
          "/../",
          "etc/passwd",
          "classes",
          "Main.class",
          "Main",
          ".class",
          "META-INF/MANIFEST.MF",
          "!",
          "!/",
          "jar:");

  private final Random random = new Random(20);
  @TempDir private Path folder;
  private String absolute = "";

  @BeforeEach
  void fill() throws Exception {
    write("pub/todo.txt", "groceries");
    write("pub/index.html", "root");
    write("pub/users/index.html", "tobi");
    write("pub/users/in/in.txt", "inside");
    write("pub/.env", SECRET);
    write("pub/.git/config", SECRET);
    write("pub/users/.env", SECRET);
    write("secret.txt", SECRET);
    write("key", SECRET);
    write("pub.txt", SECRET);
    write("pub.html", SECRET);
    write("pub-private/secret.txt", SECRET);
    write("pub-private/index.html", SECRET);
    write("pub-private/todo.txt", SECRET);
    write("index.html", SECRET);
    write("classes/Main.class", SECRET);
    write("META-INF/MANIFEST.MF", SECRET);
    absolute = folder.toString().replace('\\', '/');
  }

  @Test
  void noneOfAHundredThousandPathsReadsASecret() throws Exception {
    try {
      Path pub = folder.resolve("pub");
      Files.createSymbolicLink(pub.resolve("out"), folder.resolve("pub-private"));
      Files.createSymbolicLink(pub.resolve("leak.txt"), folder.resolve("secret.txt"));
      Files.createSymbolicLink(pub.resolve("hop"), Path.of("out/secret.txt"));
      Files.createSymbolicLink(pub.resolve("todo.txt.gz"), folder.resolve("key"));
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    StaticFiles files = StaticFiles.of(folder.resolve("pub")).symlinks(false);
    attack(files.dotfiles("ignore"), 70_000);
    attack(files.dotfiles("deny"), 15_000);
    attack(files.dotfiles("deny").fallthrough(false), 15_000);
  }

  @Test
  void secretsAreServedIfAllowed() throws Exception {
    StaticFiles open = StaticFiles.of(folder.resolve("pub")).hidden(true);
    assertTrue(hasSecret(Played.reply(Call.get("/.env"), open)));
    assertTrue(hasSecret(Played.reply(Call.get("/.git/config"), open)));
    assertTrue(hasSecret(Played.reply(Call.get("/secret.txt"), StaticFiles.of(folder))));
  }

  @Test
  void noPathReadsASecretFromTheClassPath() throws Exception {
    write("pub/Main.class", SECRET);
    write("pub/users/index.class", SECRET);
    URL[] places = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(places, null)) {
      attack(StaticFiles.ofClassPath("/pub", loader).dotfiles("ignore"), 10_000);
    }
  }

  private void attack(StaticFiles files, int paths) {
    StaticFiles open = files.extensions("txt", "html", "class");
    StaticFiles all = open.precompressed("gz", "br");
    attack(new Settings(), all, paths / 2);
    attack(new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass"), all, paths / 2);
  }

  private void attack(Settings settings, StaticFiles files, int paths) {
    Lint lint = new Lint();
    Service service = Chain.service(settings, lint.around(files), PASSED, FAILED);
    int served = 0;
    try (MemoryEngine engine = new MemoryEngine(ThreadMode.EVENT_LOOP);
        Client client = engine.client(lint.service(service))) {
      for (int i = 0; i < paths / PART; i++) {
        Call call = Call.get(path()).header("Accept-Encoding", "gzip");
        if (random.nextInt(8) == 0) {
          call = call.header("Range", "bytes=" + random.nextInt(4) + "-");
        }
        Reply reply = call.to(client);
        lint.check();
        assertFalse(hasSecret(reply), call::toString);
        assertTrue(reply.status() < 500, call::toString);
        served += reply.status() == 200 || reply.status() == 206 ? 1 : 0;
      }
    }
    // The test would prove nothing if all paths were rejected as invalid.
    assertTrue(served > paths / PART / 100, "served " + served);
  }

  private static boolean hasSecret(Reply reply) {
    for (byte b : reply.bytes()) {
      if (b == SECRET_BYTE) {
        return true;
      }
    }
    return false;
  }

  private String path() {
    StringBuilder path = new StringBuilder("/");
    int pieces = 1 + random.nextInt(7);
    if (random.nextInt(20) == 0) {
      path.append(absolute).append('/');
    }
    for (int i = 0; i < pieces; i++) {
      path.append(piece());
      path.append(random.nextInt(3) == 0 ? "" : random.nextInt(12) == 0 ? "\\" : "/");
    }
    if (random.nextBoolean()) {
      int end = path.length() - 1;
      path.setLength(path.charAt(end) == '/' && end > 0 ? end : end + 1);
    }
    return path.toString();
  }

  /** Returns a part, sometimes with one character percent-encoded once or twice. */
  private String piece() {
    String piece = PIECES.get(random.nextInt(PIECES.size()));
    int turn = random.nextInt(8);
    if (turn > 2) {
      return piece;
    }
    int at = random.nextInt(piece.length());
    String escaped =
        String.format(turn == 0 ? "%%25%02x" : "%%%02X", (int) piece.charAt(at) & 0xFF);
    return piece.substring(0, at) + escaped + piece.substring(at + 1);
  }

  private void write(String name, String text) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
