package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ViewLookupTest {

  @TempDir private Path root;
  private App app;

  @BeforeEach
  void anApplicationWithViews() {
    app = new App().set("views", root.toString()).engine("tmpl", new CurlyEngine());
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @ParameterizedTest
  @CsvSource({
    "a, ''",
    "a.b, .b",
    "a.b/c, ''",
    "a.b/c.d, .d",
    ".x, ''",
    "a/.x, ''",
    ".x.y, .y",
    "mail.v2.tmpl, .tmpl",
    "mail.v2, .v2",
    "a., .",
    ".., ''",
    "a/.., ''",
    "'', ''",
    "a.b/, ''",
  })
  void theExtensionIsTheLastSegmentFromItsLastDotOn(String name, String extension) {
    assertEquals(extension, View.extensionOf(name));
  }

  @Test
  void theViewEngineIsAppendedToANameWithoutExtensionOnly() throws Exception {
    file("a.tmpl", "a");
    file("mail.v2.tmpl", "mail");
    file("a.b/c.tmpl", "c");
    for (String engine : new String[] {"tmpl", ".tmpl"}) {
      app.set("view engine", engine);
      assertEquals("a", app.render("a"));
      assertEquals("a", app.render("a.tmpl"));
      assertEquals("mail", app.render("mail.v2.tmpl"));
      assertEquals("c", app.render("a.b/c"));
      assertThrows(IllegalStateException.class, () -> app.render("mail.v2"));
    }
  }

  @Test
  void theExtensionChoosesTheEngineWhateverTheSetting() throws Exception {
    file("a.tmpl", "tmpl");
    file("a.html", "html");
    app.engine(".html", (file, locals) -> "html engine").set("view engine", "html");
    assertEquals("html engine", app.render("a"));
    assertEquals("html engine", app.render("a.html"));
    assertEquals("tmpl", app.render("a.tmpl"));
  }

  @Test
  void aFileIsPreferredToTheIndexOfADirectory() throws Exception {
    file("blog/post/index.tmpl", "index");
    app.set("view engine", "tmpl");
    assertEquals("index", app.render("blog/post"));
    assertEquals("index", app.render("blog/post.tmpl"));
    file("blog/post.tmpl", "file");
    assertEquals("file", app.render("blog/post"));
    assertEquals("file", app.render("blog/post.tmpl"));
  }

  @Test
  @DisplayName("VW-01 as recorded: names are normalised, and may leave the directory")
  void namesAreNormalisedAndMayLeaveTheDirectory() throws Exception {
    file("plain.tmpl", "plain");
    file("in/side.tmpl", "side");
    app.set("views", root.resolve("in").toString());
    assertEquals("plain", app.render("../plain.tmpl"));
    assertEquals("side", app.render("./absent/..//side.tmpl"));
    assertEquals("plain", app.render("no/../../plain.tmpl"));
  }

  @Test
  @DisplayName("VW-01 as recorded: an absolute name is used unchanged")
  void anAbsoluteNameIsUsedUnchanged() throws Exception {
    file("plain.tmpl", "plain");
    file("index.tmpl", "index");
    app.set("views", root.resolve("elsewhere").toString()).set("view engine", "tmpl");
    assertEquals("plain", app.render(root.resolve("plain.tmpl").toString()));
    assertEquals("plain", app.render(root.resolve("plain").toString()));
    assertEquals("index", app.render(root.toString()));
  }

  @Test
  void theEngineGetsTheAbsolutePathOfTheFile() throws Exception {
    file("a.path", "");
    app.engine("path", (file, locals) -> file.toString());
    assertEquals(root.resolve("a.path").toString(), app.render("x/../a.path"));
    Path relative = Path.of("").toAbsolutePath().relativize(root);
    app.set("views", relative.toString());
    assertEquals(root.resolve("a.path").toString(), app.render("a.path"));
    app.set("views", relative);
    assertEquals(root.resolve("a.path").toString(), app.render("a.path"));
  }

  @ParameterizedTest
  @CsvSource({"none.tmpl", "deep/none.tmpl", "none", "/none", "../none.tmpl", "no\0ne.tmpl"})
  void aMissingViewIsNamedAsGivenWithTheWholePathOfTheDirectory(String name) {
    app.set("views", "some//where/.").set("view engine", "tmpl");
    String directory = Path.of("").toAbsolutePath() + "/some//where/.";
    String message =
        "Failed to lookup view \"" + name + "\" in views directory \"" + directory + "\"";
    assertEquals(
        message, assertThrows(FileNotFoundException.class, () -> app.render(name)).getMessage());
    app.render(
        name,
        Map.of(),
        (error, text) -> {
          assertTrue(error instanceof FileNotFoundException);
          assertEquals(message, error.getMessage());
          assertEquals(null, text);
        });
  }

  @Test
  void withoutExtensionAndViewEngineTheCallThrows() {
    for (Object none : new Object[] {"", false}) {
      app.set("view engine", none);
      String message = "render(\"a\"): the name has no extension; add one or set \"view engine\"";
      assertEquals(
          message, assertThrows(IllegalStateException.class, () -> app.render("a")).getMessage());
      assertEquals(
          message,
          assertThrows(
                  IllegalStateException.class,
                  () -> app.render("a", Map.of(), (error, text) -> assertTrue(false)))
              .getMessage());
    }
  }

  @Test
  void theEngineIsSelectedBeforeTheFile() throws Exception {
    file("a.unknown", "");
    for (String name : new String[] {"a.unknown", "absent.unknown", "absent."}) {
      assertThrows(
          IllegalStateException.class,
          () -> app.render(name, Map.of(), (error, text) -> assertTrue(false)));
    }
  }

  @Test
  void theDirectoryIsReadAtTheTimeOfRendering() throws Exception {
    file("one/v.tmpl", "one");
    file("two/v.tmpl", "two");
    app.set("views", root.resolve("one").toString());
    assertEquals("one", app.render("v.tmpl"));
    app.set("views", root.resolve("two").toString());
    assertEquals("two", app.render("v.tmpl"));
  }

  @Test
  void theDirectoryAndTheViewEngineAreInherited() throws Exception {
    file("own/v.tmpl", "own");
    file("v.tmpl", "parent");
    App inner = new App();
    app.set("view engine", "tmpl").use("/i", inner);
    assertEquals("parent", inner.render("v"));
    inner.set("views", root.resolve("own").toString());
    assertEquals("own", inner.render("v"));
  }

  @Test
  void enginesOfParentsAreInheritedAndOwnOnesComeFirst() throws Exception {
    file("v.tmpl", "parent");
    App middle = new App();
    App inner = new App().set("views", root.toString());
    app.use(middle.use(inner));
    assertEquals("parent", inner.render("v.tmpl"));
    middle.engine("tmpl", (file, locals) -> "middle");
    assertEquals("middle", inner.render("v.tmpl"));
    inner.engine("tmpl", (file, locals) -> "inner");
    assertEquals("inner", inner.render("v.tmpl"));
    assertEquals("parent", app.render("v.tmpl"));
    inner.engine(".tmpl", (file, locals) -> "later");
    assertEquals("later", inner.render("v.tmpl"));
  }

  @Test
  @SuppressWarnings("NullAway")
  void anEngineMustNotBeNull() {
    assertEquals(
        "engine(\"html\", null): engine must not be null",
        assertThrows(IllegalArgumentException.class, () -> app.engine("html", null)).getMessage());
  }
}
