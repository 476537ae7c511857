package dev.percolate.conformance;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plays the scenarios in files. Started by {@code conformance/play}. */
final class Play {

  private Play() {}

  /**
   * Plays scenarios, prints the result, and exits with 0 only if all agree.
   *
   * @param args files of scenarios, preceded by {@code --memory} to play without sockets, or {@code
   *     --engine} and a name, or {@code --url} and the address of a running server, optionally with
   *     {@code --secrets} and a file. With {@code --defaults} as the first argument, lists the
   *     differences with our own defaults and exits with 0
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

  /** Plays scenarios against a running server, in the order of the recording. */
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

  /** Removes the leading options, and returns their transport. */
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
