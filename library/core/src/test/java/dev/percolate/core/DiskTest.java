package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Symbolic links. {@link FoundFileTest} tests other files. */
final class DiskTest {

  @TempDir private Path folder;
  private FileOptions follows = FileOptions.none();
  private FileOptions bound = FileOptions.none();

  @BeforeEach
  void link() throws Exception {
    Path pub = Files.createDirectories(folder.resolve("pub/users/deep")).getParent().getParent();
    Path out = Files.createDirectories(folder.resolve("pub-private"));
    Files.writeString(pub.resolve("todo.txt"), "groceries");
    Files.writeString(pub.resolve("users/deep/index.html"), "deep");
    Files.writeString(out.resolve("index.html"), "secret");
    try {
      Files.createSymbolicLink(pub.resolve("in"), Path.of("users"));
      Files.createSymbolicLink(pub.resolve("todo.link"), Path.of("todo.txt"));
      Files.createSymbolicLink(pub.resolve("out"), out);
      Files.createSymbolicLink(pub.resolve("secret.html"), out.resolve("index.html"));
      Files.createSymbolicLink(pub.resolve("hop"), Path.of("secret.html"));
      Files.createSymbolicLink(pub.resolve("users/around"), Path.of("../../pub/todo.txt"));
      Files.createSymbolicLink(pub.resolve("gone"), Path.of("none"));
      Files.createSymbolicLink(folder.resolve("link"), pub);
    } catch (UnsupportedOperationException | FileSystemException e) {
      assumeTrue(false, "no links here");
    }
    follows = follows.root(pub);
    bound = follows.symlinks(false);
  }

  @ParameterizedTest
  @CsvSource({
    "/todo.txt,groceries,groceries",
    "/todo.link,groceries,groceries",
    "/in/deep/,deep,deep",
    "/users/around,groceries,groceries",
    "/secret.html,secret,404 ENOENT",
    "/secret,secret,404 ENOENT",
    "/hop,secret,404 ENOENT",
    "/out/index.html,secret,404 ENOENT",
    "/out/,secret,404 ENOENT",
    "/out,a directory,404 ENOENT",
    "/in/deep,a directory,a directory",
    "/gone,404 ENOENT,404 ENOENT"
  })
  void filesOutsideOfTheRootAreNotFoundIfLinksAreDisabled(String path, String followed, String kept)
      throws Exception {
    assertEquals(followed, content(path, follows.extensions("html")));
    assertEquals(kept, content(path, bound.extensions("html")));
  }

  @Test
  void theRootItselfMayBeALink() throws Exception {
    FileOptions linked = FileOptions.none().root(folder.resolve("link")).symlinks(false);
    assertEquals("groceries", content("/todo.txt", linked));
    assertEquals("404 ENOENT", content("/secret.html", linked));
    assertEquals("secret", content("/secret.html", linked.symlinks(true)));
  }

  @Test
  void aLinkThatReplacesAFileMeanwhileIsNotFollowed() throws Exception {
    Path pub = folder.resolve("pub");
    Path swapped = pub.resolve("swapped");
    Path file = Files.writeString(folder.resolve("plain"), "groceries");
    Path link = Files.createSymbolicLink(folder.resolve("evil"), folder.resolve("pub-private"));
    AtomicBoolean over = new AtomicBoolean();
    Thread attacker = new Thread(() -> swap(swapped, file, link, over));
    attacker.start();
    try {
      for (int i = 0; i < 3000; i++) {
        String seen = content("/swapped/index.html", bound) + content("/swapped", bound);
        assertEquals(-1, seen.indexOf("secret"));
      }
    } finally {
      over.set(true);
      attacker.join();
    }
  }

  /** Alternates between a file and a link to a directory outside, at one path. */
  private static void swap(Path place, Path file, Path link, AtomicBoolean over) {
    try {
      while (!over.get()) {
        Files.deleteIfExists(place);
        Files.createSymbolicLink(place, link);
        Files.deleteIfExists(place);
        Files.createLink(place, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String content(String path, FileOptions options) throws Exception {
    try (FoundFile file = FoundFile.find(FilePath.decode(path, options), options, List.of())) {
      if (file == null) {
        return "a directory";
      }
      FakeExchange exchange = new FakeExchange();
      file.content().send(exchange, new FileContent.FileRange(0, file.size()));
      return exchange.body();
    } catch (HttpError e) {
      return e.status() + " " + e.field("code");
    }
  }
}
