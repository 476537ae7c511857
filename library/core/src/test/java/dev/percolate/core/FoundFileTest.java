package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoundFileTest {

  @TempDir private Path folder;
  private Path root = Path.of("");
  private FileOptions options = FileOptions.none();

  @BeforeEach
  void fill() throws Exception {
    root = folder.resolve("pub");
    options = options.root(root);
    write("todo.txt");
    write("nums");
    write("users/index.html");
    write("users/tobi.txt");
    write("empty/note");
    write("odd/index.html/inner");
    write("odd/home.htm");
    Files.writeString(folder.resolve("pub.html"), "beside the root");
  }

  @Test
  void aPathFindsItsFile() {
    assertEquals("todo.txt", found("/todo.txt", options));
    assertEquals("users/tobi.txt", found("users/tobi.txt", options));
  }

  @Test
  void aPathThatEndsWithASlashFindsTheFirstIndexFile() {
    assertEquals("users/index.html", found("/users/", options));
    assertEquals(
        "users/tobi.txt", found("/users/", options.index("none", "tobi.txt", "index.html")));
    assertEquals("odd/home.htm", found("/odd/", options.index("index.html", "home.htm")));
    assertEquals("404 null", failure("/odd/", options));
    assertEquals("404 ENOENT", failure("/empty/", options));
    assertEquals("404 ENOTDIR", failure("/todo.txt/", options));
  }

  @Test
  void aDirectoryWithoutATrailingSlashIsNotAFile() {
    assertNull(found("/users", options));
    assertNull(found("/users%2F", options));
    assertNull(found("", options));
    assertNull(found("/users/", options.index()));
  }

  @Test
  void extensionsAreTriedInOrderForNamesWithoutOne() {
    FileOptions tried = options.extensions("htm", "html", "txt");
    assertEquals("todo.txt", found("/todo", tried));
    assertEquals("users/index.html", found("/users/index", tried));
    assertEquals("nums", found("/nums", tried));
    assertEquals("404 ENOENT", failure("/none", tried));
    assertEquals("404 ENOENT", failure("/todo/", tried));
    assertEquals("404 ENOENT", failure("/todo%2F", tried));
    assertEquals("404 ENOENT", failure("/todo.", tried));
    assertEquals("404 null", failure("/odd/index", options.extensions("html")));
  }

  @Test
  void noExtensionIsAddedToTheRootItself() throws Exception {
    FileOptions gone = FileOptions.none().root(folder.resolve("gone")).extensions("html");
    Files.writeString(folder.resolve("gone.html"), "beside the root");
    assertEquals("404 ENOENT", failure("", gone));
  }

  @Test
  void missingFilesAre404WithTheReasonOfTheFileSystem() {
    assertEquals("404 ENOENT", failure("/none", options));
    assertEquals("404 ENOENT", failure("/none/x", options));
    assertEquals("404 ENOTDIR", failure("/todo.txt/x", options));
    assertEquals("404 ENOTDIR", failure("/todo.txt/x/y", options));
    assertEquals("404 ENOTDIR", failure("/todo.txt%2F", options));
    assertEquals("404 ENOTDIR", failure("/todo.txt/", options.index()));
    assertEquals("404 ENAMETOOLONG", failure("/" + "a".repeat(300), options));
    assertEquals("404 ENAMETOOLONG", failure("/b/".repeat(3000), options.index()));
  }

  @Test
  void unreadableFilesAre500() throws Exception {
    Path file = root.resolve("todo.txt");
    assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file), "not for root");
    assertEquals("500 EACCES", failure("/todo.txt", options));
  }

  @Test
  void aBrokenLinkIs404AndALinkToItselfIs500() throws Exception {
    Path loop = root.resolve("loop");
    assumeTrue(linked(loop, loop), "no links here");
    assertEquals("500 null", failure("/loop", options));
    assumeTrue(linked(root.resolve("gone"), root.resolve("none")), "no links here");
    assertEquals("404 ENOENT", failure("/gone", options));
  }

  @Test
  void aPipeIs404WithoutBlocking() throws Exception {
    Path pipe = root.resolve("pipe");
    assumeTrue(mkfifo(pipe), "no pipes here");
    assertEquals("404 null", failure("/pipe", options));
  }

  private static boolean linked(Path link, Path target) throws IOException {
    try {
      Files.createSymbolicLink(link, target);
      return true;
    } catch (UnsupportedOperationException | FileSystemException e) {
      return false;
    }
  }

  private static boolean mkfifo(Path pipe) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private @Nullable String found(String path, FileOptions options) {
    try (FoundFile file = FoundFile.find(FilePath.decode(path, options), options, List.of())) {
      return file == null ? null : root.relativize(file.path()).toString().replace('\\', '/');
    }
  }

  private String failure(String path, FileOptions options) {
    HttpError error = assertThrows(HttpError.class, () -> found(path, options));
    return error.status() + " " + error.field("code");
  }

  private void write(String name) throws Exception {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
  }
}
