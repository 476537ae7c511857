package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the malformed requests of the tests; the first lines of their file show the format. */
final class Corpus {

  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:x([0-9a-fA-F]{2})|\\((\\d+)\\*(.*?)\\\\\\)|(.))");
  private static final String LETTERS = "rnts\\";
  private static final String MEANT = "\r\n\t \\";

  private Corpus() {}

  /** Returns the bytes of each entry, one character each. */
  static List<String> read(Path file) throws IOException {
    List<String> entries = new ArrayList<>();
    StringBuilder entry = new StringBuilder();
    for (String line : Files.readAllLines(file, US_ASCII)) {
      if (line.startsWith("  ")) {
        entry.append(unescape(line.strip()));
      } else if (!entry.isEmpty()) {
        entries.add(entry.toString());
        entry.setLength(0);
      }
    }
    entries.add(entry.toString());
    return entries;
  }

  private static String unescape(String text) {
    return ESCAPE.matcher(text).replaceAll(hit -> Matcher.quoteReplacement(meaning(hit)));
  }

  private static String meaning(MatchResult hit) {
    if (hit.group(1) != null) {
      return String.valueOf((char) Integer.parseInt(hit.group(1), 16));
    }
    if (hit.group(2) != null) {
      return unescape(hit.group(3)).repeat(Integer.parseInt(hit.group(2)));
    }
    return String.valueOf(MEANT.charAt(LETTERS.indexOf(hit.group(4))));
  }
}
