package dev.percolate.reliability.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The accepted differences with their reasons; the first lines of their file show the format. */
final class Explanations {

  private static final Pattern LINE = Pattern.compile("(\\w+) (\\S+) ([\\w-]+): (.+)");

  private final List<Explanation> all = new ArrayList<>();

  private record Explanation(Difference.Kind kind, List<String> readers, String rule) {}

  Explanations(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        all.add(explanation(line));
      }
    }
  }

  private static Explanation explanation(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches() || !Rules.names().contains(parts.group(3))) {
      throw new IllegalArgumentException("invalid line or unknown rule: " + line);
    }
    Difference.Kind kind = Difference.Kind.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
    return new Explanation(kind, List.of(parts.group(2).split(",", -1)), parts.group(3));
  }

  /** Returns the names of all rules that explain a difference. */
  List<String> rules() {
    return all.stream().map(Explanation::rule).distinct().sorted().toList();
  }

  /** Returns the rule that explains the difference of a reader, or null. */
  @Nullable String rule(String reader, Difference difference) {
    for (Explanation known : all) {
      if (known.kind == difference.kind()
          && known.readers.contains(reader)
          && Rules.holds(known.rule, difference)) {
        return known.rule;
      }
    }
    return null;
  }
}
