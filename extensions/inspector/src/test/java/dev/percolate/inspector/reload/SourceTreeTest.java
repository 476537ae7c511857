package dev.percolate.inspector.reload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.inspector.reload.SourceTree.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceTreeTest {

  @TempDir Path folder;

  private SourceTree tree = SourceTree.EMPTY;

  /** The time that the tree is read at, in milliseconds. */
  private long now = System.currentTimeMillis();

  @BeforeEach
  void createsAProject() throws IOException {
    write("src/main/java/a/Main.java", "one");
    write("src/main/resources/index.html", "one");
    write("src/main/resources/app.properties", "one");
    Change first = change();
    assertEquals(Change.CODE, first);
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Change change() {
    SourceTree read = SourceTree.read(Project.of(folder, "a.Main"), tree, now);
    Change change = read.since(tree, file -> file.toString().endsWith(".class"));
    tree = read;
    return change;
  }

  @Test
  void nothingHasChanged() {
    assertEquals(Change.NONE, change());
    assertEquals(Change.NONE, change());
  }

  @Test
  void sourcesAndSettingsRequireARestart() throws IOException {
    write("src/main/java/a/Main.java", "two!");
    assertEquals(Change.CODE, change());
    write("src/main/resources/app.properties", "two!");
    assertEquals(Change.CODE, change());
    write("src/main/java/target/New.java", "new");
    assertEquals(Change.CODE, change());
    Files.delete(folder.resolve("src/main/java/target/New.java"));
    assertEquals(Change.CODE, change());
    assertEquals(Change.NONE, change());
  }

  @Test
  void otherResourcesDoNot() throws IOException {
    write("src/main/resources/index.html", "two!");
    assertEquals(Change.LIVE, change());
    write("views/index.peb", "new");
    assertEquals(Change.LIVE, change());
    Files.delete(folder.resolve("views/index.peb"));
    assertEquals(Change.LIVE, change());
  }

  @Test
  void anEditWithTheSameSizeAndTimeIsSeen() throws IOException {
    Path file = folder.resolve("src/main/java/a/Main.java");
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, time);
    assertEquals(Change.CODE, change());
    assertEquals(Change.NONE, change());
  }

  @Test
  void anOldFileIsComparedOnceMore() throws IOException {
    Path file = folder.resolve("src/main/java/a/Main.java");
    FileTime old = FileTime.fromMillis(now - 1000);
    Files.setLastModifiedTime(file, old);
    assertEquals(Change.CODE, change());
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, old);
    now += 1100;
    assertEquals(Change.CODE, change());
    assertEquals(Change.NONE, change());
    Files.writeString(file, "ten");
    Files.setLastModifiedTime(file, old);
    assertEquals(Change.NONE, change());
  }

  @Test
  void ignoredFilesDoNotCount() throws IOException {
    write("src/main/resources/A.class", "x");
    assertEquals(Change.NONE, change());
  }

  @Test
  void temporaryFilesOfEditorsAreIgnored() throws IOException {
    write("src/main/java/a/.Main.java.swp", "");
    write("src/main/java/a/Main.java~", "");
    write("src/main/resources/.git/x", "");
    assertEquals(Change.NONE, change());
  }

  @Test
  void filesThatAProgramInOneFileWritesDoNotCount() throws IOException {
    write("Hello.java", "one");
    Project project = Project.of(folder, "Hello.java");
    SourceTree first = SourceTree.read(project, SourceTree.EMPTY, now);
    write("access.log", "new");
    SourceTree second = SourceTree.read(project, first, now);
    assertEquals(Change.NONE, second.since(first, file -> false));
    write("public/style.css", "new");
    assertEquals(Change.LIVE, SourceTree.read(project, second, now).since(second, file -> false));
  }

  @Test
  void theFoldersOfAProject() throws IOException {
    Project project = Project.of(folder, "a.Main", "--sources", "x");
    assertEquals(List.of("--sources", "x"), project.arguments());
    assertEquals(List.of(folder.resolve("src/main/java")), project.sources());
    assertEquals(List.of(folder.resolve("src/main/resources")), project.resources());
    Files.createDirectories(folder.resolve("app"));
    Project named = Project.of(folder, "--sources", "app", "a.Main");
    assertEquals(List.of(folder.resolve("app")), named.resources());
    assertTrue(Project.of(folder, "Main.java").isOneFile());
    assertThrows(IllegalArgumentException.class, () -> Project.of(folder));
    assertThrows(IllegalArgumentException.class, () -> Project.of(folder, "--source", "x", "y"));
    assertThrows(IllegalArgumentException.class, () -> Project.of(folder, "--sources", "no", "y"));
  }
}
