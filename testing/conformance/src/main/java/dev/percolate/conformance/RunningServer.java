package dev.percolate.conformance;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays scenarios against a running server, whatever it is made of. Compares the responses, but
 * neither the building of the application nor logs.
 */
final class RunningServer {

  /** Placeholder for the directory of a scenario: there is none, so only times are masked. */
  private static final Path NOWHERE = Path.of("/nowhere/in/particular");

  private static final int IDLE_MILLIS = 30_000;
  private static final Pattern CHARSET = Pattern.compile("(?i)charset=[\\w-]+");

  private final InetSocketAddress address;
  private final RecordedSecrets secrets;

  private RunningServer(InetSocketAddress address, RecordedSecrets secrets) {
    this.address = address;
    this.secrets = secrets;
  }

  /**
   * Returns the server at an address.
   *
   * @param url an address such as {@code http://localhost:3000}
   * @param secrets the hidden values of the recording
   * @throws IllegalArgumentException if the address has another form
   */
  static RunningServer at(String url, RecordedSecrets secrets) {
    URI uri = URI.create(url);
    boolean plain = "http".equals(uri.getScheme()) && uri.getHost() != null;
    if (!plain || !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))) {
      throw new IllegalArgumentException(
          "--url " + url + ": must be an address such as http://localhost:3000");
    }
    int port = uri.getPort() < 0 ? 80 : uri.getPort();
    return new RunningServer(new InetSocketAddress(uri.getHost(), port), secrets);
  }

  /** Sends the requests of a scenario and compares the responses. */
  Result play(Scenario scenario) throws IOException, InterruptedException {
    List<Map<String, @Nullable Object>> answers = new ArrayList<>();
    List<@Nullable Object> expected = new ArrayList<>();
    try {
      for (int i = 0; i < scenario.requests().size(); i++) {
        var request = ScriptValues.map(secrets.filled(scenario.requests().get(i)));
        var wanted = masked(ScriptValues.map(scenario.expect().get(i)), scenario);
        var answer = Wire.exchange(address, oneHost(request), IDLE_MILLIS);
        var got = masked(answer, scenario);
        compareHidden(wanted, got);
        expected.add(wanted);
        answers.add(got);
      }
    } catch (MissingFeature e) {
      return new Result(scenario, e.getMessage(), null);
    } catch (ConnectException e) {
      return new Result(scenario, "cannot connect to " + address, null);
    }
    String difference = Comparison.difference(scenario.expecting(expected), answers, List.of());
    return new Result(scenario, difference, null);
  }

  /** Replaces the default host with a recorded one, whose name is in lower case. */
  private static Map<String, @Nullable Object> oneHost(Map<String, @Nullable Object> request) {
    if (request.get("headers") instanceof Map<?, ?> headers && headers.containsKey("host")) {
      Map<String, @Nullable Object> named = new LinkedHashMap<>(ScriptValues.map(headers));
      named.put("Host", named.remove("host"));
      request.put("headers", named);
    }
    return request;
  }

  /** Masks times, and changes names of charsets to lower case (RFC 9110 section 8.3.2). */
  private static Map<String, @Nullable Object> masked(
      Map<String, @Nullable Object> answer, Scenario scenario) {
    Map<String, @Nullable Object> masked = Masks.answer(answer, scenario.ignore(), NOWHERE);
    if (masked.get("headers") instanceof Map<?, ?> headers
        && headers.get("content-type") instanceof String type) {
      String same = CHARSET.matcher(type).replaceAll(name -> name.group().toLowerCase(Locale.ROOT));
      ScriptValues.map(headers).put("content-type", same);
    }
    return masked;
  }

  /** Accepts any value where the recording hides one, and stores it. */
  private void compareHidden(
      Map<String, @Nullable Object> wanted, Map<String, @Nullable Object> got) {
    Object recorded = wanted.get("body");
    if (RecordedSecrets.hidesSomething(recorded) && got.get("body") instanceof String came) {
      got.put("body", secrets.learned((String) ScriptValues.orUndefined(recorded), came));
      Masks.forgetLength(wanted);
      Masks.forgetLength(got);
    }
    if (wanted.get("headers") instanceof Map<?, ?> lines && got.containsKey("headers")) {
      Map<String, @Nullable Object> headers = new TreeMap<>(ScriptValues.map(got.get("headers")));
      lines.forEach(
          (name, line) -> {
            if (RecordedSecrets.hidesSomething(line) && headers.get(name) instanceof String came) {
              headers.put((String) name, secrets.learned((String) line, came));
            }
          });
      got.put("headers", headers);
    }
  }
}
