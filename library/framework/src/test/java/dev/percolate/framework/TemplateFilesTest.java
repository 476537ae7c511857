package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Settings;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TemplateFilesTest {

  @TempDir private Path folder;
  private Path views;
  private Path view;
  private TemplateFiles files;

  @BeforeEach
  void aDirectoryOfViews() throws IOException {
    views = folder.resolve("views");
    view = file("views/sub/page.x");
    files = new TemplateFiles(views, false);
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }

  @Test
  void aTemplateIsFoundNextToTheReferringOneElseInTheRoot() throws IOException {
    Path far = file("views/part.x");
    assertEquals(far, files.find("part.x", view));
    Path near = file("views/sub/part.x");
    assertEquals(near, files.find("part.x", view));
    assertEquals(near, files.find("sub/part.x", view));
    assertEquals(far, files.find("../part.x", view));
  }

  @Test
  void aNameWithoutExtensionGetsThatOfTheReferringTemplate() throws IOException {
    Path part = file("views/sub/part.x");
    file("views/sub/part");
    assertEquals(part, files.find("part", view));
    assertEquals(part, files.find("./part", view));
    Path other = file("views/part.y");
    assertEquals(other, files.find("part.y", view));
  }

  @Test
  void aPathInTheRootIsUsedUnchanged() throws IOException {
    assertEquals(view, files.find("sub/page.x"));
    assertEquals(view, files.find("a/../sub/./page.x"));
    assertThrows(FileNotFoundException.class, () -> files.find("sub/page"));
    assertThrows(FileNotFoundException.class, () -> files.find("page.x"));
    assertThrows(FileNotFoundException.class, () -> files.find("sub"));
  }

  @Test
  void aDirectoryIsNotATemplate() throws IOException {
    Files.createDirectories(views.resolve("sub/part.x"));
    Path part = file("views/part.x");
    assertEquals(part, files.find("part.x", view));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../../secret.x", "../../secret", "x/../../../secret.x", "../../views-b/secret.x"})
  void noNameLeavesTheRoot(String name) throws IOException {
    file("secret.x");
    file("views-b/secret.x");
    Exception error = assertThrows(FileNotFoundException.class, () -> files.find(name, view));
    assertEquals(
        "No template \""
            + (name.endsWith("x") ? name : name + ".x")
            + "\" in the directory \""
            + views
            + "\"",
        error.getMessage());
    String absolute = folder.resolve("secret.x").toString();
    assertThrows(FileNotFoundException.class, () -> files.find(absolute, view));
    assertThrows(FileNotFoundException.class, () -> files.find(absolute));
    assertThrows(FileNotFoundException.class, () -> files.find("sub/" + name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "none.x", "a\0b", "/"})
  void otherNamesAreAbsentToo(String name) {
    assertThrows(FileNotFoundException.class, () -> files.find(name, view));
  }

  @Test
  void theRootIsTheSettingViewsIfItContainsTheView() throws IOException {
    Map<String, Settings> locals =
        Map.of("settings", new Settings().set("views", folder + "/x/../views"));
    assertEquals(views, TemplateFiles.of(view, locals).root());
    Path elsewhere = file("views-b/page.x");
    assertEquals(elsewhere.getParent(), TemplateFiles.of(elsewhere, locals).root());
    assertEquals(view.getParent(), TemplateFiles.of(view, Map.of()).root());
  }

  @Test
  void aMapNamedSettingsIsIgnored() {
    Map<String, Object> locals = Map.of("settings", Map.of("views", folder.toString()));
    assertEquals(view.getParent(), TemplateFiles.of(view, locals).root());
  }

  @Test
  void cachingIsOnlyOnForTrue() {
    assertTrue(TemplateFiles.of(view, Map.of("cache", true)).cached());
    assertFalse(TemplateFiles.of(view, Map.of("cache", "true")).cached());
    assertFalse(TemplateFiles.of(view, Map.of()).cached());
  }
}
