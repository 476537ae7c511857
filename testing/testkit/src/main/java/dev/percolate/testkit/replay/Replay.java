package dev.percolate.testkit.replay;

import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Headers;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends recorded requests again, in their order, and compares the responses. Each option returns a
 * changed copy.
 *
 * <p>Values that one response gives and a later request sends are carried over: cookies, tokens
 * that the recording masks, ids and entity tags. Rules that allow differences are read from a file
 * with the name of the recording and the extension {@code .rules}, secrets from one with {@code
 * .secrets}, with lines {@code name=value}.
 *
 * <p>In tests, use {@link dev.percolate.testkit.Client#replay}.
 */
@CheckReturnValue
public final class Replay extends Copyable<Replay> {

  /** Headers that belong to a connection, or depend on the client. */
  private static final Set<String> UNSENT =
      Set.of(
          ("accept-encoding connection content-length expect host keep-alive transfer-encoding"
                  + " upgrade")
              .split(" "));

  private static final Pattern ORIGIN = Pattern.compile("^https?://[^/]+");

  private final List<Path> recordings;
  private @Nullable Path secrets;
  private @Nullable Path rules;

  private Replay(List<Path> recordings) {
    this.recordings = recordings;
  }

  /** Sends one request. */
  @FunctionalInterface
  public interface Sender {

    /**
     * Sends a request and waits for the response.
     *
     * @param method the method
     * @param target the request target, which begins with a slash or is an asterisk
     * @param headers the headers, without {@code Host} and the length of the body
     * @param body the body; null if there is none
     * @return the response
     * @throws IOException if the server cannot be reached
     * @throws AssertionError if the server does not respond, or the application reports a mistake
     */
    Reply send(String method, String target, Headers headers, byte @Nullable [] body)
        throws IOException;
  }

  /**
   * Creates a replay of a recording.
   *
   * @param recording a file, or a folder whose {@code .json} files are replayed in the order of
   *     their names
   */
  public static Replay of(Path recording) {
    try {
      if (!Files.isDirectory(recording)) {
        return new Replay(List.of(recording));
      }
      try (Stream<Path> files = Files.list(recording)) {
        return new Replay(
            files.filter(file -> file.toString().endsWith(".json")).sorted().toList());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sets the file of secrets that only clients know, such as passwords. Default: the file of the
   * recording with the extension {@code .secrets}, if it exists.
   *
   * @param file has lines {@code name=value}
   */
  public Replay secrets(Path file) {
    return with(copy -> copy.secrets = file);
  }

  /**
   * Sets the file of rules. Default: the file of the recording with the extension {@code .rules},
   * if it exists.
   *
   * @param file has one rule per line, as {@link ReplayReport#rules} returns them
   */
  public Replay rules(Path file) {
    return with(copy -> copy.rules = file);
  }

  /**
   * Returns a file with the name of a recording and another extension.
   *
   * @param recording the recording
   * @param extension the extension, such as {@code .rules}
   */
  public static Path beside(Path recording, String extension) {
    String name = String.valueOf(recording.getFileName());
    return recording.resolveSibling(name.replaceFirst("\\.json$", "") + extension);
  }

  /**
   * Sends the requests and compares the responses.
   *
   * @param origin the scheme and authority of the server, such as {@code http://localhost:3000}
   * @param sender sends each request to this server only
   * @return the differences
   * @throws IllegalArgumentException if a file is not a recording, or a file of rules or secrets is
   *     invalid
   * @throws UncheckedIOException if a file cannot be read, or the server cannot be reached
   */
  public ReplayReport run(String origin, Sender sender) {
    ReplayReport report = new ReplayReport();
    try {
      for (Path recording : recordings) {
        new Run(recording, origin, sender, report).all();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return report;
  }

  private static Path existing(@Nullable Path chosen, Path recording, String extension) {
    return chosen == null ? beside(recording, extension) : chosen;
  }

  /** One replay of a file. */
  private final class Run {

    private final Path recording;
    private final String origin;
    private final Sender sender;
    private final ReplayReport report;
    private final Rules allowed = new Rules();
    private final KnownValues known = new KnownValues();

    Run(Path recording, String origin, Sender sender, ReplayReport report) throws IOException {
      this.recording = recording;
      this.origin = origin;
      this.sender = sender;
      this.report = report;
      Path ruleFile = existing(rules, recording, ".rules");
      if (rules != null || Files.exists(ruleFile)) {
        allowed.read(ruleFile);
      }
      Path secretFile = existing(secrets, recording, ".secrets");
      if (secrets != null || Files.exists(secretFile)) {
        known.read(secretFile);
      }
    }

    void all() throws IOException {
      for (RecordedCall call : RecordedCall.read(recording)) {
        if (call.skipped() != null) {
          report.skip(call);
          continue;
        }
        List<Difference> differences = new ArrayList<>();
        try {
          Reply reply = send(call);
          differences.addAll(
              new Comparison(call, allowed, known, ownUrls(call)).differences(reply));
        } catch (AssertionError e) {
          String rule = "request " + call.method() + " " + Rules.pattern(call.path());
          if (!allowed.allows(rule)) {
            String message = String.valueOf(e.getMessage());
            differences.add(new Difference(rule, "response", "a response", message));
          }
        }
        report.add(call, differences);
      }
      report.missing(known.missing());
    }

    private Reply send(RecordedCall call) throws IOException {
      Headers headers = new Headers();
      call.headers()
          .forEach(
              (name, recorded) -> {
                String value = name.equals("cookie") ? knownCookies(recorded) : recorded;
                boolean gone = value.isEmpty() && !recorded.isEmpty();
                if (!UNSENT.contains(name) && !gone && !known.lacks(value)) {
                  String sent =
                      name.startsWith("if-")
                          ? known.withTags(value)
                          : known.filled(value, KnownValues.Syntax.PLAIN);
                  boolean own = name.equals("origin") || name.equals("referer");
                  headers.addReceived(name, own ? ORIGIN.matcher(sent).replaceFirst(origin) : sent);
                }
              });
      String target = known.filled(call.target(), KnownValues.Syntax.URL);
      return sender.send(call.method(), target, headers, body(call));
    }

    /**
     * Returns the cookies of a header that have a value. Others are set by scripts, or before the
     * recording.
     */
    private String knownCookies(String line) {
      return Stream.of(line.split("; *", -1))
          .filter(pair -> !known.lacks(pair))
          .collect(Collectors.joining("; "));
    }

    private byte @Nullable [] body(RecordedCall call) {
      byte[] body = call.body();
      String given = call.header("content-type");
      String type = given == null ? "" : given.toLowerCase(Locale.ROOT);
      if (body == null) {
        return null;
      }
      KnownValues.Syntax syntax =
          type.contains("json")
              ? KnownValues.Syntax.JSON
              : type.contains("urlencoded") ? KnownValues.Syntax.URL : KnownValues.Syntax.PLAIN;
      String text = new String(body, StandardCharsets.UTF_8);
      boolean binary = !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), body);
      Charset charset = binary ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
      boolean fills = !binary || type.startsWith("multipart/");
      return fills ? known.filled(new String(body, charset), syntax).getBytes(charset) : body;
    }

    /** Returns a function that replaces the addresses of the recorded server and of this one. */
    private UnaryOperator<String> ownUrls(RecordedCall call) {
      String host = call.header("host");
      String hosts = Pattern.quote(ORIGIN.matcher(origin).find() ? origin : "");
      String recorded = host == null ? "" : "|https?://" + Pattern.quote(host);
      Pattern own = Pattern.compile("(?:" + hosts + recorded + ")(?![\\w.:-])");
      String mark = Matcher.quoteReplacement("http://own.invalid");
      return text -> own.matcher(text).replaceAll(mark);
    }
  }
}
