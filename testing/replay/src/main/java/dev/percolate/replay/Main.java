package dev.percolate.replay;

import dev.percolate.testkit.Client;
import dev.percolate.testkit.replay.Replay;
import dev.percolate.testkit.replay.ReplayReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Replays recordings against a running server. */
final class Main {

  private static final String USAGE =
      """
      usage: java -jar percolate-replay.jar --url URL [--secrets FILE] [--rules FILE] [--accept] RECORDING...

      Sends the recorded requests to the server in their order, each on a new connection, and
      compares the responses. Prints each kind of difference once, with the rule that allows it.
      Exits with 0 if all responses agree, with 1 if some differ, with 2 if nothing can be replayed.

      --url      the address of the server, such as http://localhost:3000
      --secrets  lines name=value for the masked values that only clients know.
                 Default: the file beside the recording with the extension .secrets
      --rules    the allowed differences, one per line.
                 Default: the file beside the recording with the extension .rules
      --accept   adds the rules that allow all differences found to the file of rules
      """;

  private final List<Path> recordings = new ArrayList<>();
  private @Nullable URI url;
  private @Nullable Path secrets;
  private @Nullable Path rules;
  private boolean accepts;

  private Main(String... args) {
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--url" -> url = address(value(args, ++i));
        case "--secrets" -> secrets = Path.of(value(args, ++i));
        case "--rules" -> rules = Path.of(value(args, ++i));
        case "--accept" -> accepts = true;
        default -> {
          if (args[i].startsWith("-")) {
            throw new IllegalArgumentException("unknown option " + args[i]);
          }
          recordings.add(Path.of(args[i]));
        }
      }
    }
    if (url == null || recordings.isEmpty()) {
      throw new IllegalArgumentException("--url and a recording are required");
    }
  }

  /** Replays the recordings that the arguments name, and exits. */
  public static void main(String[] args) {
    System.exit(run(new PrintStream(System.out, true, StandardCharsets.UTF_8), args));
  }

  /** Returns the exit status. */
  static int run(PrintStream out, String... args) {
    Main main;
    try {
      main = new Main(args);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      out.print(USAGE);
      return 2;
    }
    try {
      return main.replay(out) ? 0 : 1;
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      String file = e.getCause() instanceof NoSuchFileException absent ? absent.getFile() : "";
      out.println(file.isEmpty() ? e.getMessage() : file + ": no such file");
      return 2;
    }
  }

  private boolean replay(PrintStream out) throws IOException {
    boolean agrees = true;
    for (Path recording : recordings) {
      Replay replay = Replay.of(recording);
      replay = secrets == null ? replay : replay.secrets(secrets);
      Path ruleFile = rules == null ? Replay.beside(recording, ".rules") : rules;
      if (rules != null && (!accepts || Files.exists(rules))) {
        replay = replay.rules(rules);
      }
      ReplayReport report;
      try (Client client = Client.of(Objects.requireNonNull(url))) {
        report = client.replay(replay);
      }
      out.println((recordings.size() > 1 ? recording + "\n" : "") + report);
      if (accepts && !report.rules().isEmpty()) {
        Files.write(ruleFile, report.rules(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        out.println("wrote " + report.rules().size() + " rules to " + ruleFile);
      }
      agrees &= report.agrees();
    }
    return agrees;
  }

  private static String value(String[] args, int index) {
    if (index >= args.length) {
      throw new IllegalArgumentException(args[index - 1] + " needs a value");
    }
    return args[index];
  }

  private static URI address(String url) {
    URI uri = URI.create(url);
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    boolean plain = "http".equals(uri.getScheme()) && uri.getHost() != null;
    if (!plain || !(path.isEmpty() || path.equals("/")) || uri.getRawQuery() != null) {
      throw new IllegalArgumentException(
          "--url " + url + ": must be an address such as http://localhost:3000");
    }
    return URI.create("http://" + uri.getHost() + ":" + (uri.getPort() < 0 ? 80 : uri.getPort()));
  }
}
