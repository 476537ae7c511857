package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the files that a registry requires of a release. {@code release/bundle} checks the rest.
 */
final class ReleaseTest {

  /** Published without a descriptor: a list of versions, parents, and new projects. */
  private static final Set<String> WITHOUT_CLASSES =
      Set.of(
          "bom",
          "library",
          "views",
          "archetype",
          "archetype-app",
          "archetype-site",
          "archetype-api");

  private static final Pattern MODULE = Pattern.compile("\\bmodule\\s+([\\w.]+)\\s*\\{");
  private static final Pattern EXPORTS = Pattern.compile("exports\\s+([\\w.]+)\\s*;");
  private static final Pattern SECTION = Pattern.compile("^###? (.*)$", Pattern.MULTILINE);
  private static final Set<String> SECTIONS =
      Set.of("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security");

  private static final String ROOT_POM = read("pom.xml");

  static List<String> modules() {
    return Modules.ofBuild();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void onlyPublishedModulesAreDeployed(String module) throws IOException {
    boolean deployed = !Modules.pom(module).contains("<maven.deploy.skip>true");
    boolean wanted = Modules.published().contains(module) || WITHOUT_CLASSES.contains(module);
    assertEquals(wanted, deployed, module);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void eachModuleHasANameAndADescription(String module) throws IOException {
    String pom = Modules.pom(module);
    assertEquals(1, found("(?m)^  <name>(Percolate[^<]*)</name>", pom).size(), module);
    assertEquals(1, found("(?m)^  <description>([^<]+)</description>", pom).size(), module);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "dist/bom/pom.xml"})
  void pomsHaveDevelopersUrlsAndLicences(String file) {
    String pom = read(file);
    assertEquals(List.of("https://percolate.dev"), found("(?m)^  <url>([^<]+)</url>", pom));
    for (String part :
        List.of("<licenses>.*<url>.*</licenses>", "<developers>.*<name>.*</developers>")) {
      assertTrue(Pattern.compile(part, Pattern.DOTALL).matcher(pom).find(), part);
    }
    for (String part : List.of("connection", "developerConnection")) {
      assertEquals(1, found("<" + part + ">(scm:git:https://[^<]+)<", pom).size(), part);
    }
  }

  @Test
  void theListOfPackagesMatchesTheDescriptors() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String module : Modules.published().stream().sorted().toList()) {
      String descriptor = Files.readString(Modules.sources(module).resolve("module-info.java"));
      Matcher name = MODULE.matcher(descriptor);
      assertTrue(name.find(), module);
      lines.add("module:" + name.group(1));
      EXPORTS.matcher(descriptor).results().forEach(found -> lines.add(found.group(1)));
    }
    Path list = Modules.ROOT.resolve("dist/release/packages/element-list");
    if (Boolean.getBoolean("api.update")) {
      Files.writeString(list, String.join("\n", lines) + "\n");
    }
    assertEquals(lines, Files.readAllLines(list), "-Dapi.update=true writes it");
  }

  @Test
  void theBaselineIsACommit() {
    assertEquals(1, found("<api.baseline>([0-9a-f]{8,40})</api.baseline>", ROOT_POM).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"maven-gpg-plugin", "maven-deploy-plugin"})
  void theBomUsesTheSamePlugins(String plugin) {
    String version = "<artifactId>" + plugin + "</artifactId>\\s*<version>([^<]+)</version>";
    assertEquals(found(version, ROOT_POM), found(version, read("dist/bom/pom.xml")));
  }

  @Test
  void theChangelogHasTheUsualSections() {
    String changelog = read("CHANGELOG.md");
    assertTrue(changelog.startsWith("# Changelog\n"));
    List<String> titles =
        SECTION.matcher(changelog).results().map(found -> found.group(1)).toList();
    assertEquals("[Unreleased]", titles.get(0));
    for (String title : titles) {
      boolean release =
          title.matches("\\[\\d+\\.\\d+\\.\\d+] - \\d{4}-\\d\\d-\\d\\d|\\[Unreleased]");
      assertTrue(release || SECTIONS.contains(title), title);
    }
  }

  @Test
  void theReadmeIsShortAndItsSnippetHasTheVersionOfTheBuild() throws IOException {
    String version = found("<version>([^<]+)</version>", ROOT_POM).get(0);
    String readme = read("README.md");
    assertTrue(readme.lines().count() <= 120);
    assertTrue(readme.contains("<version>" + version + "</version>"));
    assertTrue(readme.contains("dev.percolate:percolate:" + version));
  }

  @Test
  void pagesAndReadmesNameTheVersionOfTheBuild() throws IOException {
    Set<String> version = Set.of(found("<version>([^<]+)</version>", ROOT_POM).get(0));
    String named =
        "(?:<artifactId>percolate[\\w-]*</artifactId>\\s*<version>|percolate[\\w-]*:|archetypeVersion=)(\\d[\\w.-]+)";
    int versions = 0;
    for (Path page : pagesAndReadmes()) {
      List<String> found = found(named, Files.readString(page));
      assertTrue(version.containsAll(found), page::toString);
      versions += found.size();
    }
    assertTrue(versions >= 30, versions + " versions");
  }

  private static List<Path> pagesAndReadmes() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> pages = Files.walk(Modules.ROOT.resolve("docs/site/pages"))) {
      pages.filter(one -> one.toString().endsWith(".md")).forEach(all::add);
    }
    Modules.ofBuild().stream()
        .map(module -> Modules.folder(module).resolve("README.md"))
        .filter(Files::exists)
        .forEach(all::add);
    return all;
  }

  private static List<String> found(String expression, String text) {
    return Pattern.compile(expression)
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toList());
  }

  private static String read(String file) {
    try {
      return Files.readString(Modules.ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
