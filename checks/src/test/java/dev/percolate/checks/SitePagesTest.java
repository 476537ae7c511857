package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tables of the site that are made from the code; {@code -Dapi.update=true} writes them anew. */
final class SitePagesTest {

  private static final Pattern SETTINGS =
      Pattern.compile("(<!-- settings -->).*(<!-- /settings -->)", Pattern.DOTALL);
  private static final Pattern OPTIONS =
      Pattern.compile("(<!-- options ([\\w-]+) (\\w+) -->).*?(<!-- /options -->)", Pattern.DOTALL);

  private static final Pattern KEY =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public static final Key<(.+?)> \\w+ =\\s*"
              + "Key\\.of\\(\\s*\"([^\"]+)\",\\s*(?:[\\w\\[\\].]+\\.class|new TypeRef<.*?>\\(\\) \\{\\})"
              + "(?:,\\s*([^)]+?))?\\s*\\);",
          Pattern.DOTALL);

  /** Keys of what is kept on a request; all others are settings. */
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "body taken",
          "client",
          "cookies",
          "originalMethod",
          "raw body",
          "remoteUser",
          "secret",
          "session",
          "signed cookies",
          "timeout",
          "uploaded files",
          "user",
          "vhost");

  /** Settings without a key. */
  private static final Map<String, String> PLAIN =
      Map.of(
          "case sensitive routing", "boolean | false | Whether the letter case of paths matters.",
          "strict routing", "boolean | false | Whether a slash at the end of a path matters.",
          "view cache", "boolean | true in production | Whether views are found once and kept.",
          "view engine", "String | none | The extension of views whose name has none.",
          "views", "String | `views` | Where views are: a directory, or `classpath:/views`.");

  private record Row(String name, String rest) {}

  @Test
  void theTableOfSettingsIsThatOfTheCode() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      KEY.matcher(text)
          .results()
          .map(SitePagesTest::row)
          .forEach(row -> rows.put(row.name(), row.rest()));
    }
    rows.keySet().removeAll(ATTRIBUTES);
    assertTrue(rows.size() > 15, rows::toString);
    String framework = text(Modules.ROOT.resolve("framework/src/main/java"));
    for (String name : PLAIN.keySet()) {
      assertTrue(framework.contains("\"" + name + "\""), name);
    }
    rows.putAll(PLAIN);
    String table =
        rows.entrySet().stream()
            .map(row -> "| `" + row.getKey() + "` | " + row.getValue() + " |")
            .collect(Collectors.joining("\n"));
    Path page = Modules.ROOT.resolve("site/pages/reference/settings.md");
    String head = "| setting | type | default | meaning |\n|---|---|---|---|\n";
    String wanted = "$1\n\n" + Matcher.quoteReplacement(head + table) + "\n\n$2";
    check(page, SETTINGS.matcher(Files.readString(page)).replaceFirst(wanted));
  }

  @Test
  void theTablesOfOptionsAreThoseOfTheirClasses() throws IOException {
    int tables = 0;
    for (Path page : pages()) {
      String found = Files.readString(page);
      Matcher place = OPTIONS.matcher(found);
      StringBuilder wanted = new StringBuilder();
      while (place.find()) {
        tables++;
        String table = OptionTable.of(source(place.group(2), place.group(3))).markdown();
        place.appendReplacement(
            wanted, Matcher.quoteReplacement(place.group(1) + "\n\n" + table + "\n\n"));
        wanted.append(place.group(4));
      }
      place.appendTail(wanted);
      check(page, wanted.toString());
    }
    assertTrue(tables >= 5, "" + tables);
  }

  private static Row row(MatchResult key) {
    String fallback = key.group(4) == null ? "" : "`" + key.group(4).replace("\"", "") + "`";
    String sentence =
        key.group(1)
            .replaceAll("\\n\\s*\\*", " ")
            .replaceAll("\\{@linkplain\\s+\\S+\\s+([^}]*)\\}", "$1")
            .replaceAll("\\{@(?:code|link)\\s+([^}]*)\\}", "`$1`")
            .replace("#", ".")
            .strip()
            .replaceAll("\\s+", " ")
            .replaceFirst("(?:\\. |:? ?<(?:p|pre)>).*", ".")
            .replaceAll("([^.])$", "$1.")
            .replace("`.", "`")
            .replaceAll("`$", "`.")
            .replace("|", "\\|");
    String type = key.group(2).replaceAll("(\\w+\\.)+", "");
    return new Row(key.group(3), "`" + type + "` | " + fallback + " | " + sentence);
  }

  private static void check(Path page, String wanted) throws IOException {
    if (Boolean.getBoolean("api.update")) {
      Files.writeString(page, wanted);
    }
    assertEquals(wanted, Files.readString(page), "-Dapi.update=true writes it anew");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(Modules.ROOT.resolve("site/pages"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** Reads the source of a public class of a module. */
  private static String source(String module, String name) throws IOException {
    try (Stream<Path> files = Files.walk(Modules.ROOT.resolve(module).resolve("src/main/java"))) {
      Path file = files.filter(one -> one.endsWith(name + ".java")).findFirst().orElseThrow();
      return Files.readString(file);
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : Modules.published()) {
      try (Stream<Path> files = Files.walk(Modules.ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
      }
    }
    return all;
  }

  private static String text(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
