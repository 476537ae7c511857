package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests views on the class path: which folders are valid, and which files they contain. */
final class ClassPathFolderTest {

  private static final List<String> FILES =
      List.of("pages/a.x", "pages/sub/b.x", "pages/pages/c.x", "secret.x");

  /** The first directory has the same name as the folder. */
  @TempDir private Path temporary;

  private final Thread thread = Thread.currentThread();
  private final ClassLoader before = thread.getContextClassLoader();
  private Path classes;
  private URLClassLoader onDisk;
  private URLClassLoader inJar;

  @BeforeEach
  void aDirectoryAndAJar() throws IOException {
    classes = temporary.toRealPath().resolve("pages/classes");
    Path jar = temporary.resolve("views.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : FILES) {
        Path file = classes.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
      }
    }
    onDisk = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null);
    inJar = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null);
  }

  @AfterEach
  void leave() throws IOException {
    thread.setContextClassLoader(before);
    onDisk.close();
    inJar.close();
  }

  @ParameterizedTest
  @DisplayName("VW-04: the root of the class path and invalid folders are rejected by name")
  @CsvSource({
    "classpath:, contains more than views; use a folder of views",
    "classpath:/, contains more than views; use a folder of views",
    "classpath:/./, contains more than views; use a folder of views",
    "classpath:a/.., contains more than views; use a folder of views",
    "classpath:/META-INF, contains more than views; use a folder of views",
    "classpath:meta-inf/, contains more than views; use a folder of views",
    "classpath:.., invalid folder name",
    "classpath:/a/../../b, invalid folder name",
    "classpath:a\\b, invalid folder name",
    "classpath:c:/views, invalid folder name",
  })
  void invalidFoldersAreRejected(String setting, String why) {
    Exception rejected = assertThrows(IllegalArgumentException.class, () -> ViewFolder.of(setting));
    assertEquals("views \"" + setting + "\": " + why, rejected.getMessage());
  }

  @Test
  @DisplayName("VW-04: a name never leaves the folder, in directories and in jars")
  void namesNeverLeaveTheFolder() throws IOException {
    ViewFolder folder = ViewFolder.of("classpath:/pages");
    for (URLClassLoader loader : List.of(onDisk, inJar)) {
      thread.setContextClassLoader(loader);
      for (String name : List.of("a.x", "sub/../a.x", "./a.x", "/a.x")) {
        Path file = folder.find(name);
        assertNotNull(file, name);
        assertEquals("pages/a.x", Files.readString(file));
      }
      for (String name :
          List.of("../secret.x", "sub/../../secret.x", "..\\secret.x", "none.x", "a\0.x", "")) {
        Path file = folder.find(name);
        assertNull(file == null || Files.isDirectory(file) ? null : file, name);
      }
    }
  }

  @Test
  void theRootIsTheFolderOnTheClassPathEvenIfOthersHaveItsName() {
    ViewFolder folder = ViewFolder.of("classpath:/pages");
    thread.setContextClassLoader(onDisk);
    for (String name : List.of("a.x", "sub/b.x", "pages/c.x")) {
      assertEquals(classes.resolve("pages"), folder.rootOf(classes.resolve("pages/" + name)));
    }
    assertNull(folder.rootOf(classes.resolve("secret.x")));
    thread.setContextClassLoader(inJar);
    Path inside = folder.find("sub/b.x");
    assertNotNull(inside);
    assertEquals(inside.getFileSystem().getPath("/pages"), folder.rootOf(inside));
    assertNull(folder.rootOf(inside.getFileSystem().getPath("/secret.x")));
    assertNull(folder.rootOf(classes.resolve("pages/a.x")));
  }
}
