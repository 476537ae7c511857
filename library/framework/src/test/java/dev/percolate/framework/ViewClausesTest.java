package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests clauses about views that no recorded scenario covers. */
final class ViewClausesTest {

  @TempDir private Path root;

  @Test
  @DisplayName("2.8-views-default: views is the working directory plus /views")
  void viewsIsTheWorkingDirectoryPlusViews() throws Exception {
    App app = new App().engine("tmpl", new CurlyEngine());
    Path views = Path.of(System.getProperty("user.dir"), "views");
    assertEquals(views.toString(), app.get("views"));
    boolean made = !Files.exists(views);
    Files.createDirectories(views);
    Path file = Files.createTempFile(views, "default", ".tmpl");
    try {
      Files.writeString(file, "found {{who}}");
      assertEquals("found me", app.render(file.getFileName().toString(), Map.of("who", "me")));
    } finally {
      Files.delete(file);
      if (made) {
        Files.delete(views);
      }
    }
  }

  @Test
  @DisplayName("2.9-locals-names: locals called name, length and arguments reach a template")
  void aLocalMayHaveAnyName() throws Exception {
    List<String> names = List.of("name", "length", "arguments", "caller", "prototype");
    Files.writeString(
        root.resolve("n.tmpl"), "{{name}} {{length}} {{arguments}} {{caller}} {{prototype}}");
    App app = new App().engine("tmpl", new CurlyEngine()).set("views", root.toString());
    names.forEach(name -> app.locals().put(name, "app." + name));
    assertEquals(
        "app.name app.length app.arguments app.caller app.prototype", app.render("n.tmpl"));
    assertEquals(
        "app.name 7 call app.caller app.prototype",
        app.render("n.tmpl", Map.of("length", 7, "arguments", "call")));
  }

  @Test
  @DisplayName("4.3-r10-load: an unregistered engine is loaded by the extension's name")
  void anEngineIsFoundByItsExtension() throws Exception {
    Files.writeString(root.resolve("v.loaded"), "");
    App app = new App().set("views", root.toString()).set("view engine", "loaded");
    assertThrows(IllegalStateException.class, () -> app.render("v.loaded"));
    Providers providers = new Providers(root, LoadedEngine.class);
    String text = "v.loaded by a provider asked 1 times";
    assertEquals(text, providers.during(() -> app.render("v")));
    assertThrows(
        IllegalStateException.class, () -> providers.during(() -> app.render("v.unknown")));
    app.engine("loaded", (file, locals) -> "registered");
    assertEquals("registered", app.render("v"));
  }

  @Test
  @DisplayName("4.3-r10-cache: the provider is asked once for two renderings")
  void theProviderIsLookedUpOnceForTwoRenderings() throws Exception {
    Files.writeString(root.resolve("v.loaded"), "");
    App app = new App().set("views", root.toString());
    Providers providers = new Providers(root, LoadedEngine.class);
    String text = "v.loaded by a provider asked 1 times";
    assertEquals(text, providers.during(() -> app.render("v.loaded")));
    assertEquals(text, providers.during(() -> app.render("v.loaded")));
    assertEquals(text, app.render("v.loaded"));
  }

  @Test
  void twoProvidersOfOneExtensionAreRejectedByName() throws Exception {
    Files.writeString(root.resolve("v.loaded"), "");
    App app = new App().set("views", root.toString());
    Providers providers = new Providers(root, LoadedEngine.class, OtherEngine.class);
    IllegalStateException rejected =
        assertThrows(
            IllegalStateException.class, () -> providers.during(() -> app.render("v.loaded")));
    assertTrue(rejected.getMessage().contains("OtherEngine"), rejected.getMessage());
  }

  /** A second engine for the same extension. */
  public static final class OtherEngine implements TemplateEngine {

    /** Creates the engine as a service provider. */
    public OtherEngine() {}

    @Override
    public String render(Path file, Map<String, Object> locals) {
      return "other";
    }

    @Override
    public List<String> extensions() {
      return List.of("loaded");
    }
  }
}
