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

/** The differences that are known, and why each is right; its first lines say how it is written. */
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
      throw new IllegalArgumentException("no explanation by a rule: " + line);
    }
    Difference.Kind kind = Difference.Kind.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
    return new Explanation(kind, List.of(parts.group(2).split(",", -1)), parts.group(3));
  }

  /** Returns the names of all rules that explain something. */
  List<String> rules() {
    return all.stream().map(Explanation::rule).distinct().sorted().toList();
  }

  /** Returns the rule that explains how a reader differs; null if nothing does. */
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
