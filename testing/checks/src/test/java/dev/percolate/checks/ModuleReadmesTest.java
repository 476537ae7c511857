package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that each published module has a short README that names its artifact, that the README of
 * a folder lists its modules, and that links resolve.
 */
final class ModuleReadmesTest {
  private static final int MOST_LINES = 30;
  private static final int MOST_LINES_OF_FOLDERS = 20;
  private static final int FEWEST_READMES = 25;

  /** Published without a descriptor. */
  private static final List<String> WITHOUT_CLASSES =
      List.of("bom", "archetype-app", "archetype-site", "archetype-api");

  private static final List<String> FOLDERS =
      List.of(
          "dist",
          "docs",
          "engines",
          "extensions",
          "library",
          "measure",
          "samples",
          "testing",
          "views");

  /** The path of a link within the project. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:)([^)\\s#]+)");

  @Test
  void eachPublishedModuleHasAShortReadmeThatNamesItsArtifact() throws IOException {
    List<String> modules = modules();
    assertTrue(modules.size() >= FEWEST_READMES, modules::toString);
    for (String module : modules) {
      Path file = readme(module);
      assertTrue(Files.exists(file), () -> file + " is missing");
      String text = Files.readString(file);
      String artifact = Modules.artifact(module);
      assertTrue(text.startsWith("# " + artifact + "\n"), () -> file + " needs # " + artifact);
      assertTrue(lines(text) <= MOST_LINES, () -> file + " has " + lines(text) + " lines");
    }
  }

  @Test
  void eachReadmeShowsTheDependency() throws IOException {
    for (String module : Modules.published()) {
      String dependency = "<artifactId>" + Modules.artifact(module) + "</artifactId>";
      assertTrue(Files.readString(readme(module)).contains(dependency), dependency);
    }
  }

  @Test
  void theReadmeOfAFolderListsItsModules() throws IOException {
    for (String module : modules()) {
      Path folder = Modules.folder(module);
      Path file = folder.resolveSibling("README.md");
      String row = "| [" + folder.getFileName() + "](";
      assertTrue(Files.readString(file).contains(row), () -> file + " has no row " + row);
    }
  }

  @Test
  void theReadmeOfAFolderIsShortAndLinkedFromTheRoot() throws IOException {
    String root = Files.readString(Modules.ROOT.resolve("README.md"));
    for (String folder : FOLDERS) {
      String text = Files.readString(Modules.ROOT.resolve(folder).resolve("README.md"));
      assertTrue(lines(text) <= MOST_LINES_OF_FOLDERS, folder);
      assertTrue(root.contains("| [" + folder + "](" + folder + "/README.md) |"), folder);
    }
  }

  @Test
  void linksResolve() throws IOException {
    List<Path> readmes = new ArrayList<>();
    readmes.add(Modules.ROOT.resolve("README.md"));
    FOLDERS.forEach(folder -> readmes.add(Modules.ROOT.resolve(folder).resolve("README.md")));
    modules().forEach(module -> readmes.add(readme(module)));
    int links = 0;
    List<String> broken = new ArrayList<>();
    for (Path file : readmes) {
      for (String link : links(Files.readString(file))) {
        links++;
        if (!Files.exists(file.resolveSibling(link))) {
          broken.add(Modules.ROOT.relativize(file) + ": " + link);
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links >= 2 * readmes.size(), links + " links");
  }

  @Test
  void linksAreFound() {
    assertEquals(
        List.of("../a.md", "b", "c.md"),
        links("[a](../a.md#part), [b](b), `x`\n[c](c.md), [d](https://example.com/d), (e), [f]"));
  }

  private static List<String> modules() {
    List<String> modules = new ArrayList<>(Modules.published());
    modules.addAll(WITHOUT_CLASSES);
    return modules;
  }

  private static Path readme(String module) {
    return Modules.folder(module).resolve("README.md");
  }

  private static long lines(String text) {
    return text.lines().count();
  }

  private static List<String> links(String text) {
    return LINK.matcher(text).results().map(link -> link.group(1)).toList();
  }
}
