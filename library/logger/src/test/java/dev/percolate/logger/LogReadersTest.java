package dev.percolate.logger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers of the combined format read each line of {@link HostileLog}, except lines that one of
 * their own rules rejects, which are listed with the rule. Readers that are not installed are
 * skipped.
 */
@Timeout(300)
class LogReadersTest {

  /** An expression like the one in fail2ban's filter nginx-botsearch, for any request. */
  private static final String EXPRESSION =
      "^<HOST> - \\S+ \\[\\] \"\\S+ \\S+ HTTP/\\S+\" (?:\\d{3}|-) (?:\\d+|-) \"";

  /** Rule of goaccess and fail2ban: the address is an IP address, or a name that resolves. */
  private static final List<String> ADDRESSES =
      List.of(
          "address client.example.org",
          "address unknown",
          "address a b c",
          "address 1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \\\"GET /forged HTTP/... 83",
          "address \\\"",
          "address [::1]:443",
          "address 1.2.3.4\\n5.6.7.8");

  @TempDir private Path folder;

  private final HostileLog hostile = new HostileLog();
  private final List<HostileLog.Entry> entries = hostile.entries();
  private Path log;

  @BeforeEach
  void write() {
    log = folder.resolve("access.log");
    hostile.writeTo(log);
  }

  @Test
  void aStrictGrammarReadsEachLine() throws Exception {
    List<String> lines = Files.readAllLines(log);
    assertEquals(entries.stream().map(HostileLog.Entry::line).toList(), lines);
    for (String line : lines) {
      CombinedLine ignored = CombinedLine.read(line);
    }
  }

  @Test
  void goaccess() throws Exception {
    installed("goaccess");
    Path invalid = folder.resolve("invalid");
    String ignored =
        run(
            "goaccess",
            log.toString(),
            "--no-global-config",
            "--log-format=COMBINED",
            "--invalid-requests=" + invalid,
            "-o",
            folder.resolve("report.json").toString());
    Set<String> lines =
        new HashSet<>(Files.exists(invalid) ? Files.readAllLines(invalid) : List.of());
    assertRejected(
        entry -> lines.contains(entry.line()),
        Stream.concat(
            ADDRESSES.stream(),
            Stream.of(
                // A line has at most 4,096 bytes.
                "target /uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu... 7001",
                // The status is a number from 100 to 599.
                "gone client",
                "status 600",
                "status 999")));
  }

  @Test
  void lnav() throws Exception {
    installed("lnav");
    String read =
        run(
            "lnav",
            "-n",
            "-c",
            ";SELECT log_line FROM access_log",
            "-c",
            ":write-csv-to -",
            log.toString());
    Set<Integer> numbers =
        read.lines()
            .filter(line -> line.matches("\\d+"))
            .map(Integer::valueOf)
            .collect(Collectors.toSet());
    assertRejected(entry -> !numbers.contains(entries.indexOf(entry)), Stream.of());
  }

  @Test
  void fail2ban() throws Exception {
    installed("fail2ban-regex");
    String missed = run("fail2ban-regex", "--print-all-missed", log.toString(), EXPRESSION);
    Set<String> lines =
        missed
            .lines()
            .filter(line -> line.startsWith("|  "))
            .map(line -> line.substring(3))
            .collect(Collectors.toSet());
    assertRejected(entry -> lines.contains(entry.line()), ADDRESSES.stream());
  }

  @Test
  void awstats() throws Exception {
    String program = "/usr/lib/cgi-bin/awstats.pl";
    assumeTrue(Files.isExecutable(Path.of(program)), "awstats is not installed");
    Files.writeString(
        folder.resolve("awstats.hostile.conf"),
        "LogFile=\""
            + log
            + "\"\nLogType=W\nLogFormat=1\nSiteDomain=\"localhost\"\nDNSLookup=0\n"
            + "DirData=\""
            + folder
            + "\"\n");
    String said =
        run(
            program,
            "-config=hostile",
            "-configdir=" + folder,
            "-update",
            "-showcorrupted",
            "-showdropped");
    Set<Integer> numbers = new HashSet<>();
    Set<String> dropped =
        said.lines()
            .filter(line -> line.startsWith("Dropped record "))
            .map(line -> line.replaceFirst(".*?\\): ", ""))
            .collect(Collectors.toSet());
    Matcher record = Pattern.compile("Corrupted record line (\\d+)").matcher(said);
    while (record.find()) {
      numbers.add(Integer.valueOf(record.group(1)));
    }
    // A method must be one that web servers usually log.
    assertRejected(
        entry -> dropped.contains(entry.line()) || numbers.contains(entries.indexOf(entry) + 1),
        Stream.of("method !#$%&'*+.^_`|~", "method M-SEARCH", "method PATCH", "method X"));
  }

  private void assertRejected(Predicate<HostileLog.Entry> unread, Stream<String> expected) {
    assertEquals(
        String.join("\n", expected.collect(Collectors.toCollection(TreeSet::new))),
        entries.stream()
            .filter(unread)
            .map(HostileLog.Entry::name)
            .sorted()
            .collect(Collectors.joining("\n")));
  }

  private static void installed(String program) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(found, program + " is not installed");
  }

  /** Runs a program to its end, and returns its output. */
  private String run(String... command) throws IOException, InterruptedException {
    Path said = folder.resolve("said");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command[0] + " did not end within 120 s");
    }
    return new String(Files.readAllBytes(said), UTF_8);
  }
}
