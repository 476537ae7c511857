package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks rules for source files that no compiler checks, in all modules. */
final class TreeTest {
  private static final int MOST_LINES = 500;

  /** Classes that are one file each, because users would not look for a part of them. */
  private static final Set<String> NOUNS = Set.of("Request.java", "Response.java", "App.java");

  /** The maximum number of lines with imports; ProgramsTest counts the lines of code. */
  private static final Map<String, Integer> WHOLE_PROGRAMS =
      Map.ofEntries(
          Map.entry("Articles.java", 260),
          Map.entry("BookApi.java", 150),
          Map.entry("Books.java", 135),
          Map.entry("Catalog.java", 180),
          Map.entry("Chat.java", 85),
          Map.entry("Conduit.java", 130),
          Map.entry("Database.java", 135),
          Map.entry("Migrations.java", 65),
          Map.entry("Notes.java", 105),
          Map.entry("PhotoSite.java", 115),
          Map.entry("Readers.java", 75),
          Map.entry("Stock.java", 155),
          Map.entry("Transaction.java", 170),
          Map.entry("Users.java", 150));

  private static final Pattern EMPTY_NAME =
      Pattern.compile(".*(?:Util|Utils|Helper|Helpers|Manager|Impl)(?:Test)?\\.java");
  private static final Pattern NULL_MARKED =
      Pattern.compile("^@(?:org\\.jspecify\\.annotations\\.)?NullMarked\\b", Pattern.MULTILINE);

  private static final List<Path> SOURCES = sources();

  @Test
  void sourcesOfAllModulesAreFound() {
    assertTrue(SOURCES.size() >= 1_500, SOURCES::toString);
    assertTrue(
        SOURCES.contains(Path.of("library/core/src/main/java/module-info.java")),
        SOURCES::toString);
    assertTrue(
        SOURCES.contains(
            Path.of("testing/checks/src/test/java/dev/percolate/checks/TreeTest.java")),
        SOURCES::toString);
  }

  @Test
  void examplesHaveAtMostSixtyLinesExceptPrograms() {
    List<Path> examples =
        SOURCES.stream().filter(source -> source.startsWith("samples/examples/src/main")).toList();
    assertTrue(examples.size() > 10, examples::toString);
    assertNone(
        source ->
            examples.contains(source)
                && text(source).lines().count() > WHOLE_PROGRAMS.getOrDefault(name(source), 60));
  }

  @Test
  void filesHaveAtMostFiveHundredLinesExceptThreeClasses() {
    assertNone(
        source -> !NOUNS.contains(name(source)) && text(source).lines().count() > MOST_LINES);
  }

  @Test
  void noFileNameEndsWithAnEmptyWord() {
    assertNone(source -> EMPTY_NAME.matcher(name(source)).matches());
  }

  @Test
  void everyModuleIsNullMarked() {
    assertNone(
        source ->
            name(source).equals("module-info.java") && !NULL_MARKED.matcher(text(source)).find());
  }

  @Test
  void everyLibraryModuleHasADescriptor() {
    for (String module :
        List.of(
            "http",
            "engine",
            "core",
            "json",
            "logger",
            "parsers",
            "slf4j",
            "openapi",
            "auth",
            "zstd",
            "multipart",
            "middleware",
            "redis",
            "jdbc",
            "framework",
            "inspector",
            "observability",
            "views-pebble",
            "views-handlebars",
            "views-mustache",
            "views-freemarker",
            "views-thymeleaf",
            "views-jte",
            "views-pug",
            "nio",
            "http2",
            "servlet",
            "percolate",
            "testkit")) {
      Path descriptor =
          Modules.ROOT.relativize(Modules.sources(module).resolve("module-info.java"));
      assertTrue(SOURCES.contains(descriptor), descriptor::toString);
    }
  }

  private static void assertNone(Predicate<Path> breaksTheRule) {
    assertEquals(List.of(), SOURCES.stream().filter(breaksTheRule).toList());
  }

  private static String name(Path source) {
    return source.getFileName().toString();
  }

  private static String text(Path source) {
    try {
      return Files.readString(Modules.ROOT.resolve(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the main and test sources of all modules, relative to the root of the project. */
  private static List<Path> sources() {
    var wanted = FileSystems.getDefault().getPathMatcher("glob:*/*/src/{main,test}/java/**.java");
    try (Stream<Path> files = Files.walk(Modules.ROOT)) {
      return files.map(Modules.ROOT::relativize).filter(wanted::matches).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
