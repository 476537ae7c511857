package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class BomTest {

  private static final Pattern ARTIFACT =
      Pattern.compile("<groupId>dev\\.percolate</groupId>\\s*<artifactId>([^<]+)</artifactId>");

  private final String bom = Files.readString(Modules.ROOT.resolve("dist/bom/pom.xml"));
  private final String root = Files.readString(Modules.ROOT.resolve("pom.xml"));

  BomTest() throws IOException {}

  @Test
  void allPublishedModulesAreInTheBom() throws IOException {
    List<String> pinned =
        ARTIFACT
            .matcher(bom)
            .results()
            .map(found -> found.group(1))
            .filter(artifact -> !artifact.equals("percolate-bom"))
            .sorted()
            .toList();
    List<String> published = Modules.published().stream().map(Modules::artifact).sorted().toList();
    assertEquals(published, pinned);
  }

  @Test
  void theBuildImportsTheBom() {
    Matcher imported =
        Pattern.compile("<artifactId>percolate-bom</artifactId>.*?</dependency>", Pattern.DOTALL)
            .matcher(root);
    assertTrue(imported.find());
    assertTrue(imported.group().contains("<scope>import</scope>"));
  }

  @Test
  void slf4jHasTheVersionOfTheBuild() {
    assertEquals(value(root, "slf4j.version"), value(bom, "slf4j.version"));
  }

  @Test
  void ourVersionIsThatOfTheBuild() {
    assertEquals(value(root, "version"), value(bom, "version"));
    Matcher versions =
        Pattern.compile("dev\\.percolate</groupId>\\s*.*\\s*<version>([^<]+)").matcher(bom);
    assertEquals(
        List.of(value(root, "version"), "${project.version}"),
        versions.results().map(found -> found.group(1)).distinct().toList());
  }

  private static String value(String pom, String element) {
    Matcher found = Pattern.compile("<" + element + ">([^<]+)</").matcher(pom);
    return found.find() ? found.group(1) : "none";
  }
}
