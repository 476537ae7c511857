package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ViewCacheTest {

  private static final Map<String, Object> ON = Map.of("cache", true);
  private static final Map<String, Object> OFF = Map.of("cache", 0);

  @TempDir private Path root;
  private App app;

  @BeforeEach
  void anApplicationWithTwoDirectories() throws IOException {
    for (String directory : new String[] {"one", "two"}) {
      Path views = Files.createDirectory(root.resolve(directory));
      Files.writeString(views.resolve("v.tmpl"), directory + " {{n}}");
    }
    Files.writeString(root.resolve("two/w.tmpl"), "w");
    app = new App().engine("tmpl", new CurlyEngine());
    in("one");
  }

  private void in(String directory) {
    app.set("views", root.resolve(directory).toString());
  }

  @Test
  void aCachedViewIsLookedUpOnceAndRenderedEachTime() throws Exception {
    app.enable("view cache");
    assertEquals("one 1", app.render("v.tmpl", Map.of("n", 1)));
    in("two");
    Files.writeString(root.resolve("one/v.tmpl"), "changed {{n}}");
    app.engine("tmpl", (file, locals) -> "other engine").set("view engine", "none");
    assertEquals("changed 2", app.render("v.tmpl", Map.of("n", 2)));
  }

  @Test
  void withoutCacheEveryCallLooksUpTheView() throws Exception {
    assertEquals("one ", app.render("v.tmpl"));
    in("two");
    assertEquals("two ", app.render("v.tmpl", ON));
    in("one");
    assertEquals("one ", app.render("v.tmpl"));
    assertEquals("two ", app.render("v.tmpl", ON));
    app.enable("view cache");
    assertEquals("two ", app.render("v.tmpl"));
    assertEquals("one ", app.render("v.tmpl", OFF));
    assertEquals("two ", app.render("v.tmpl"));
  }

  @Test
  void aFailedLookupIsNotStored() throws Exception {
    app.enable("view cache");
    assertThrows(FileNotFoundException.class, () -> app.render("w.tmpl"));
    in("two");
    assertEquals("w", app.render("w.tmpl"));
  }

  @Test
  void theCacheUsesTheNameAsGiven() throws Exception {
    app.enable("view cache").set("view engine", "tmpl");
    assertEquals("one ", app.render("v"));
    in("two");
    assertEquals("one ", app.render("v"));
    assertEquals("two ", app.render("v.tmpl"));
    assertEquals("two ", app.render("./v"));
  }

  @Test
  void aLocalOfTheApplicationDecidesToo() throws Exception {
    app.locals(Map.of("cache", "yes"));
    assertEquals("one ", app.render("v.tmpl"));
    in("two");
    assertEquals("one ", app.render("v.tmpl"));
  }

  @Test
  void eachApplicationHasItsOwnCache() throws Exception {
    App inner = new App().set("views", root.resolve("two").toString());
    app.enable("view cache").use(inner);
    assertEquals("one ", app.render("v.tmpl"));
    assertEquals("two ", inner.render("v.tmpl"));
    assertEquals("one ", app.render("v.tmpl"));
  }
}
