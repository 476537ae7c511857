package dev.percolate.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plays the scenarios of files; {@code conformance/play} starts it. */
final class Play {

  private Play() {}

  /**
   * Plays, prints, and exits with 0 only if everything agrees.
   *
   * @param args files of scenarios; {@code --memory} for playing without sockets
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> given = new ArrayList<>(List.of(args));
    boolean inMemory = given.remove("--memory");
    Report report = new Report();
    try (Player player = new Player(inMemory ? new MemoryCalls() : new WireClient())) {
      for (String file : given) {
        for (Scenario scenario : Scenario.read(Path.of(file))) {
          report.add(player.play(scenario));
        }
      }
    }
    report.print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
    System.exit(report.allAgree() ? 0 : 1);
  }
}
