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

  private static final Path PAGES = Modules.ROOT.resolve("site/pages/reference");

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
    check("settings", "| setting | type | default | meaning |\n|---|---|---|---|\n" + table);
  }

  @Test
  void theTableOfLimitsIsThatOfListenOptions() throws IOException {
    Path source =
        Modules.ROOT.resolve("engine/src/main/java/dev/percolate/engine/ListenOptions.java");
    String doc = Files.readString(source);
    String pre = doc.substring(doc.indexOf("<pre>"), doc.indexOf("</pre>"));
    String table =
        pre.lines()
            .skip(2)
            .map(line -> line.replaceFirst("^ \\* +", "").strip())
            .filter(line -> !line.isEmpty() && !line.equals("*"))
            .map(line -> line.split(" {2,}", 3).length == 3 ? line : line.replaceFirst(" ", "  "))
            .map(line -> line.split(" {2,}", 3))
            .map(cells -> "| `" + cells[0] + "` | " + cells[1] + " | " + cells[2] + " |")
            .collect(Collectors.joining("\n"));
    assertTrue(table.contains("| `maxRequests` | 10000 |"), table);
    check("limits", "| option | default | meaning |\n|---|---|---|\n" + table);
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

  private static void check(String name, String table) throws IOException {
    Path page = PAGES.resolve(name + ".md");
    Pattern place =
        Pattern.compile("(<!-- " + name + " -->).*(<!-- /" + name + " -->)", Pattern.DOTALL);
    String found = Files.readString(page);
    String wanted =
        place.matcher(found).replaceFirst("$1\n\n" + Matcher.quoteReplacement(table) + "\n\n$2");
    if (Boolean.getBoolean("api.update")) {
      Files.writeString(page, wanted);
    }
    assertEquals(wanted, Files.readString(page), "-Dapi.update=true writes it anew");
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
