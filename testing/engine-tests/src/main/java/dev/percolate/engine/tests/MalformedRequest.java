package dev.percolate.engine.tests;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Bytes that a client may send, and the expected result.
 *
 * @param row the row of docs/security/rows.md
 * @param name what is wrong with the bytes
 * @param answers the expected status codes, each with accepted alternatives
 * @param entered how many requests may reach the handlers
 * @param bytes the bytes, one character each
 */
public record MalformedRequest(
    String row, String name, List<List<Integer>> answers, int entered, String bytes) {

  private static final String FILE = "MalformedRequestsContract.txt";

  /** Reads the corpus. Its first lines describe the format. */
  public static List<MalformedRequest> corpus() throws IOException {
    List<MalformedRequest> corpus = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(MalformedRequest.class.getResourceAsStream(FILE)),
                US_ASCII))) {
      String title = "";
      StringBuilder bytes = new StringBuilder();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("  ")) {
          bytes.append(unescape(line.strip()));
        } else if (!line.startsWith("#")) {
          if (!title.isEmpty()) {
            corpus.add(of(title, bytes.toString()));
          }
          title = line;
          bytes.setLength(0);
        }
      }
      corpus.add(of(title, bytes.toString()));
    }
    return corpus;
  }

  /** Creates an entry from its title, such as {@code ENG-14 400 enters 1: a sign before a size}. */
  static MalformedRequest of(String title, String bytes) {
    int colon = title.indexOf(": ");
    String[] words = title.substring(0, colon).split(" ", -1);
    List<List<Integer>> answers = new ArrayList<>();
    for (String answer : words[1].split(",", -1)) {
      answers.add(List.of(answer.split("\\|", -1)).stream().map(Integer::valueOf).toList());
    }
    int entered = Integer.parseInt(words[3]);
    return new MalformedRequest(words[0], title.substring(colon + 2), answers, entered, bytes);
  }

  /** Returns true if the received status codes are as expected. */
  boolean accepts(List<Integer> statuses) {
    boolean same = statuses.size() == answers.size();
    for (int i = 0; same && i < statuses.size(); i++) {
      same = answers.get(i).contains(statuses.get(i));
    }
    return same;
  }

  @Override
  public String toString() {
    return row + ": " + name;
  }

  private static String unescape(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char kind = line.charAt(++i);
      switch (kind) {
        case 'r' -> text.append('\r');
        case 'n' -> text.append('\n');
        case 't' -> text.append('\t');
        case 's' -> text.append(' ');
        case '\\' -> text.append('\\');
        case 'x' -> {
          text.append((char) Integer.parseInt(line.substring(i + 1, i + 3), 16));
          i += 2;
        }
        case '(' -> {
          int times = line.indexOf('*', i);
          int end = line.indexOf("\\)", times);
          String repeated = unescape(line.substring(times + 1, end));
          text.append(repeated.repeat(Integer.parseInt(line.substring(i + 1, times))));
          i = end + 1;
        }
        default -> throw new IllegalArgumentException(line);
      }
    }
    return text.toString();
  }
}
