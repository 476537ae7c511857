package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Settings;
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

/**
 * Checks the tables of the site that are generated from code; {@code -Dapi.update=true} writes
 * them.
 */
final class SitePagesTest {

  private static final Pattern SETTINGS =
      Pattern.compile("(<!-- settings -->).*(<!-- /settings -->)", Pattern.DOTALL);
  private static final Pattern OPTIONS =
      Pattern.compile("(<!-- options ([\\w-]+) (\\w+) -->).*?(<!-- /options -->)", Pattern.DOTALL);

  private static final Pattern KEY =
      Pattern.compile(
          "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public static final Key<([^=;]+)>\\s+\\w+\\s*="
              + "\\s*Key\\.of\\(\\s*\"([^\"]+)\",([^;]*)\\);",
          Pattern.DOTALL);

  /** Keys of request attributes; all others are settings. */
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "body passed on",
          "body taken",
          "client",
          "cookies",
          "errors as problems",
          "form fields",
          "form files",
          "idempotency key",
          "originalMethod",
          "raw body",
          "remoteUser",
          "request id",
          "secret",
          "session",
          "signed cookies",
          "timeout",
          "trace id",
          "uploaded files",
          "user",
          "vhost");

  /** Settings without a public key. */
  private static final Map<String, String> PLAIN =
      Map.of(
          "check responses",
          "`Boolean` | false in production, else true | Whether responses are compared with the"
              + " descriptions of their routes (`Api`).");

  /** Defaults that are not in the declaration of the key. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("conversions", "the standard ones"),
          Map.entry("env", "that of the process, else `development`"),
          Map.entry("etag", "`weak`"),
          Map.entry("slow request warning", "2 s"),
          Map.entry("json codec", "that of the process"),
          Map.entry("json replacer", "none"),
          Map.entry("json spaces", "2 in development, 0 in production"),
          Map.entry("lint ignore", "none"),
          Map.entry("mime types", "the standard ones"),
          Map.entry("session overlap", "10 s"),
          Map.entry("stream limit", "10 MiB"),
          Map.entry("trust proxy", "`false`"),
          Map.entry("validation", "that of the process"),
          Map.entry("view cache", "`true` in production, else `false`"),
          Map.entry("view engine", "none"),
          Map.entry("views", "`views`"));

  private static final Pattern FALLBACK =
      Pattern.compile("[\\w.]+\\.class,\\s*(.+)", Pattern.DOTALL);

  private record Row(String name, String rest) {}

  @Test
  void theTableOfSettingsMatchesTheCode() throws IOException {
    String head = "| setting | type | default | meaning |\n|---|---|---|---|\n";
    String table =
        rows().entrySet().stream()
            .map(row -> "| `" + row.getKey() + "` | " + row.getValue() + " |")
            .collect(Collectors.joining("\n"));
    Path page = Modules.ROOT.resolve("docs/site/pages/reference/settings.md");
    String wanted = "$1\n\n" + Matcher.quoteReplacement(head + table) + "\n\n$2";
    check(page, SETTINGS.matcher(Files.readString(page)).replaceFirst(wanted));
  }

  @Test
  void eachSettingHasItsRow() throws IOException {
    assertEquals(Settings.known(), rows().keySet());
  }

  @Test
  void eachRowHasAllItsCellsInOneLine() throws IOException {
    for (Map.Entry<String, String> row : rows().entrySet()) {
      String[] cells = row.getValue().split(" (?<!\\\\)\\| ", -1);
      assertEquals(3, cells.length, row::toString);
      for (String cell : cells) {
        assertFalse(cell.isBlank() || cell.equals("``"), row::toString);
        assertFalse(cell.contains("\n") || cell.contains("Key"), row::toString);
      }
      assertTrue(cells[2].endsWith("."), row::toString);
    }
  }

  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new TreeMap<>(PLAIN);
    for (Path source : sources()) {
      KEY.matcher(Files.readString(source))
          .results()
          .map(SitePagesTest::row)
          .filter(row -> !ATTRIBUTES.contains(row.name()))
          .forEach(row -> rows.put(row.name(), row.rest()));
    }
    return rows;
  }

  @Test
  void theTablesOfOptionsMatchTheirClasses() throws IOException {
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
    String name = key.group(3);
    String fallback = DEFAULTS.getOrDefault(name, fallback(key.group(4)));
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
    return new Row(name, "`" + type + "` | " + fallback + " | " + sentence);
  }

  /** Returns the third argument of a key, which comes after its type. */
  private static String fallback(String arguments) {
    Matcher given = FALLBACK.matcher(arguments.strip());
    return given.matches() ? "`" + given.group(1).replace("\"", "") + "`" : "";
  }

  private static void check(Path page, String wanted) throws IOException {
    if (Boolean.getBoolean("api.update")) {
      Files.writeString(page, wanted);
    }
    assertEquals(wanted, Files.readString(page), "-Dapi.update=true writes it");
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(Modules.ROOT.resolve("docs/site/pages"))) {
      List<Path> pages = files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
      assertTrue(pages.size() >= 45, pages::toString);
      return pages;
    }
  }

  /** Reads the source of a public class of a module. */
  private static String source(String module, String name) throws IOException {
    try (Stream<Path> files = Files.walk(Modules.sources(module))) {
      Path file = files.filter(one -> one.endsWith(name + ".java")).findFirst().orElseThrow();
      return Files.readString(file);
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : Modules.published()) {
      try (Stream<Path> files = Files.walk(Modules.sources(module))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
      }
    }
    return all;
  }
}
