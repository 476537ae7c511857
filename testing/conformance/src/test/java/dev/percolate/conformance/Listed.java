package dev.percolate.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The scenarios that differ: an ID on each line, then a reason. After {@code memory} the scenario
 * differs only in memory, after {@code sockets} only over sockets. Text after # is a comment.
 *
 * @param lines the words of each line
 */
record Listed(List<List<String>> lines) {

  private static final String MEMORY = "memory";
  private static final String SOCKETS = "sockets";

  static Listed read(Path file) throws IOException {
    return new Listed(
        Files.readAllLines(file).stream()
            .map(line -> line.split("#", 2)[0].strip())
            .filter(line -> !line.isEmpty())
            .map(line -> List.of(line.split("\\s+")))
            .toList());
  }

  List<String> ids() {
    return lines.stream().map(words -> words.get(isMarked(words) ? 1 : 0)).toList();
  }

  boolean contains(String id, boolean inMemory) {
    String other = inMemory ? SOCKETS : MEMORY;
    return lines.stream()
        .anyMatch(
            words -> words.get(isMarked(words) ? 1 : 0).equals(id) && !words.get(0).equals(other));
  }

  private static boolean isMarked(List<String> words) {
    return words.get(0).equals(MEMORY) || words.get(0).equals(SOCKETS);
  }
}
