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
   * @param args files of scenarios; in front of them {@code --memory} for playing without sockets,
   *     or {@code --engine} and the name of one, or {@code --url} and the address of a running
   *     server, perhaps with {@code --secrets} and a file; and first {@code --defaults} for listing
   *     what differs with our own defaults, which is no failure
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> files = new ArrayList<>(List.of(args));
    boolean listsDefaults = files.remove("--defaults");
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (files.get(0).equals("--url")) {
      System.exit(againstServer(files, out) ? 0 : 1);
    }
    try (Player player = new Player(transport(files))) {
      List<Scenario> scenarios = scenarios(files);
      if (listsDefaults) {
        Defaults.of(player, scenarios).print(out);
        System.exit(0);
      }
      Report report = new Report();
      for (Scenario scenario : scenarios) {
        report.add(player.play(scenario));
      }
      report.print(out);
      System.exit(report.allAgree() ? 0 : 1);
    }
  }

  /** Plays against the server at an address, in the order of the recording. */
  private static boolean againstServer(List<String> args, PrintStream out)
      throws IOException, InterruptedException {
    args.remove(0);
    RecordedSecrets secrets = new RecordedSecrets();
    RunningServer server = RunningServer.at(args.remove(0), secrets);
    if (!args.isEmpty() && args.get(0).equals("--secrets")) {
      args.remove(0);
      secrets.read(Path.of(args.remove(0)));
    }
    Report report = new Report();
    for (Scenario scenario : scenarios(args)) {
      report.add(server.play(scenario));
    }
    report.print(out);
    return report.allAgree();
  }

  private static List<Scenario> scenarios(List<String> files) throws IOException {
    List<Scenario> scenarios = new ArrayList<>();
    for (String file : files) {
      scenarios.addAll(Scenario.read(Path.of(file)));
    }
    return scenarios;
  }

  /** Takes off the front what says how to play. */
  private static Transport transport(List<String> args) throws IOException {
    if (args.get(0).equals("--memory")) {
      args.remove(0);
      return new MemoryCalls();
    }
    if (args.get(0).equals("--engine")) {
      args.remove(0);
      return Engines.transport(args.remove(0));
    }
    return Engines.transport("nio");
  }
}
