package dev.percolate.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of options in the Javadoc of a class. It has columns for the name, the default and the
 * meaning. A line without a name continues the previous one.
 */
final class OptionTable {

  private static final Pattern TABLE = Pattern.compile("<pre>\\n(.*?) \\* </pre>", Pattern.DOTALL);
  private static final String MARGIN = " *   ";

  private final List<String[]> rows = new ArrayList<>();

  private OptionTable(List<String> lines) {
    List<String> named = lines.stream().filter(line -> !line.startsWith(" ")).toList();
    int second = column(named, 1);
    int third = column(named, second + 1);
    for (String line : lines) {
      boolean fits = line.startsWith(" ") || (begins(line, second) && begins(line, third));
      String[] cells =
          fits
              ? new String[] {
                cell(line, 0, second), cell(line, second, third), cell(line, third, 999)
              }
              : line.split(" {2,}", 3);
      if (cells[0].isEmpty()) {
        String[] above = rows.get(rows.size() - 1);
        above[1] = (above[1] + " " + cells[1]).strip();
        above[2] = (above[2] + " " + cells[2]).strip();
      } else {
        rows.add(cells);
      }
    }
  }

  /** Finds the table in the source of a class. */
  static OptionTable of(String source) {
    return TABLE
        .matcher(source)
        .results()
        .map(OptionTable::lines)
        .filter(lines -> Character.isLetter(lines.get(0).charAt(0)))
        .findFirst()
        .map(OptionTable::new)
        .orElseThrow();
  }

  String markdown() {
    String head = "| option | default | meaning |\n|---|---|---|\n";
    return head
        + rows.stream()
            .filter(row -> !row[0].equals("option"))
            .map(row -> "| `" + row[0] + "` | " + row[1] + " | " + plain(row[2]) + " |")
            .collect(Collectors.joining("\n"));
  }

  private static List<String> lines(MatchResult table) {
    return table.group(1).lines().map(line -> line.substring(MARGIN.length())).toList();
  }

  /** Returns the start of the next column: a position after a space in nearly all lines. */
  private static int column(List<String> lines, int from) {
    int longest = lines.stream().mapToInt(String::length).max().orElse(0);
    return IntStream.range(from, longest)
        .filter(at -> lines.stream().filter(line -> !begins(line, at)).count() * 9 < lines.size())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no columns: " + lines));
  }

  private static boolean begins(String line, int at) {
    return at < line.length() && line.charAt(at) != ' ' && line.charAt(at - 1) == ' ';
  }

  private static String cell(String line, int from, int to) {
    return from < line.length() ? line.substring(from, Math.min(to, line.length())).strip() : "";
  }

  private static String plain(String text) {
    return text.replaceAll("\\{@(?:code|link)\\s+([^}]*)\\}", "`$1`").replace("|", "\\|");
  }
}
