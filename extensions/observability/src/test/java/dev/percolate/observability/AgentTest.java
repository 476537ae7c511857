package dev.percolate.observability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.LimitedProcess;
import dev.percolate.fixtures.RawSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the spans of the OpenTelemetry Java agent for requests to {@link TracedMain}. */
@Timeout(120)
final class AgentTest {

  private static final int CONNECTIONS = 8;
  private static final int ROUNDS = 3;
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String NO_SPAN = "0".repeat(16);
  private static final int SERVER_KIND = 2;
  private static final int CLIENT_KIND = 3;

  private static final List<String> AGENT =
      List.of(
          "-javaagent:" + Path.of("target", "agent", "opentelemetry-javaagent.jar"),
          "-Dotel.traces.exporter=logging-otlp", // the exporter that includes parents
          "-Dotel.metrics.exporter=none",
          "-Dotel.logs.exporter=none",
          "-Dotel.bsp.schedule.delay=100",
          "-Dotel.instrumentation.common.default-enabled=false", // halves the startup time
          "-Dotel.instrumentation.opentelemetry-api.enabled=true",
          "-Dotel.instrumentation.executors.enabled=true",
          "-Dotel.instrumentation.jdbc.enabled=true",
          "-XX:TieredStopAtLevel=1");

  @TempDir Path folder;

  /** A span as it was exported. */
  private record Exported(String trace, String id, String parent, String name, int kind) {

    private static Exported of(Map<?, ?> span) {
      return new Exported(
          text(span, "traceId"),
          text(span, "spanId"),
          text(span, "parentSpanId"),
          text(span, "name"),
          ((Number) Objects.requireNonNull(span.get("kind"))).intValue());
    }

    private static String text(Map<?, ?> span, String name) {
      Object value = span.get(name);
      return value == null ? "" : value.toString();
    }
  }

  /** A response, and the trace id of its request. */
  private record Answered(String trace, String path, String head) {

    private String header(String name) {
      int at = head.indexOf("\r\n" + name + ": ");
      assertTrue(at >= 0, head);
      return head.substring(at).replaceFirst("(?s)\r\n[^:]*: (.*?)\r\n.*", "$1");
    }
  }

  /** The responses, log lines and spans of servers in each thread mode. */
  private record Seen(List<Answered> answers, List<String> lines, List<Exported> spans) {}

  @Test
  void handlersQueriesAndTheLogLineShareOneSpanInEveryThreadMode() throws Exception {
    Seen seen = serve(AGENT);
    for (Answered response : seen.answers()) {
      List<Exported> trace =
          seen.spans().stream().filter(span -> span.trace().equals(response.trace())).toList();
      assertEquals(3, trace.size(), trace::toString);
      Exported server = only(trace, SERVER_KIND).get(0);
      assertEquals("GET /users/:id", server.name());
      assertEquals(CALLER, server.parent());
      List<Exported> queries = only(trace, CLIENT_KIND);
      assertEquals(2, queries.size(), trace::toString);
      queries.forEach(query -> assertEquals(server.id(), query.parent()));
      for (String step : List.of("X-First", "X-Second", "X-Third")) {
        assertEquals(server.id(), response.header(step), step);
      }
      assertTrue(seen.lines().contains("logged " + response.path() + " " + response.trace()));
    }
  }

  @Test
  void requestsHaveNoTraceWithoutTheAgent() throws Exception {
    Seen seen = serve(List.of("-XX:TieredStopAtLevel=1"));
    assertEquals(List.of(), seen.spans());
    for (Answered response : seen.answers()) {
      assertEquals(NO_SPAN, response.header("X-First"));
      assertEquals(NO_SPAN, response.header("X-Third"));
      assertTrue(seen.lines().contains("logged " + response.path() + " -"));
    }
  }

  private static List<Exported> only(List<Exported> spans, int kind) {
    return spans.stream().filter(span -> span.kind() == kind).toList();
  }

  /** Starts a process with a server in each thread mode, and sends all requests to it. */
  private Seen serve(List<String> options) throws Exception {
    String[] modes =
        Stream.of(ThreadMode.values())
            .filter(mode -> mode != ThreadMode.VIRTUAL || VirtualThreads.available())
            .map(ThreadMode::toString)
            .toArray(String[]::new);
    Path errors = folder.resolve("errors.txt");
    List<String> command = LimitedProcess.java(options, TracedMain.class, modes);
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      List<Answered> answers = new ArrayList<>();
      for (String mode : modes) {
        String port = output.readLine();
        assertTrue(port != null, () -> read(errors));
        answers.addAll(ask(Integer.parseInt(port), mode.replace(' ', '-')));
      }
      process.getOutputStream().close();
      List<String> lines = output.lines().toList();
      assertEquals(0, process.waitFor(), () -> read(errors));
      return new Seen(answers, lines, exported(read(errors)));
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<Answered> ask(int port, String mode) throws IOException {
    List<RawSocket> connections = new ArrayList<>();
    List<Answered> answers = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(new RawSocket(port));
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CONNECTIONS; i++) {
          connections.get(i).send(request(path(mode, round, i)));
        }
        for (int i = 0; i < CONNECTIONS; i++) {
          String path = path(mode, round, i);
          String head = connections.get(i).readTo("\r\n\r\n");
          assertTrue(head.startsWith("HTTP/1.1 200 "), head);
          assertEquals("2", connections.get(i).read(1));
          answers.add(new Answered(trace(path), path, head));
        }
      }
    } finally {
      for (RawSocket connection : connections) {
        connection.close();
      }
    }
    return answers;
  }

  private static String path(String mode, int round, int connection) {
    return "/users/" + mode + "-" + round + "-" + connection;
  }

  private static String request(String path) {
    return "GET "
        + path
        + " HTTP/1.1\r\nHost: a\r\ntraceparent: 00-"
        + trace(path)
        + "-"
        + CALLER
        + "-01\r\n\r\n";
  }

  /** Returns the trace id for the request to a path. */
  private static String trace(String path) {
    return "%032x".formatted(0x1234_0000_0000L + path.hashCode());
  }

  private static List<Exported> exported(String errors) {
    return errors
        .lines()
        .filter(line -> line.contains("OtlpJsonLoggingSpanExporter - {"))
        .map(line -> JsonCodec.find().read(line.substring(line.indexOf('{')), Map.class))
        .flatMap(batch -> inner((Map<?, ?>) batch, "scopeSpans"))
        .flatMap(scope -> inner(scope, "spans"))
        .map(Exported::of)
        .toList();
  }

  private static Stream<Map<?, ?>> inner(Map<?, ?> value, String name) {
    List<?> list = (List<?>) Objects.requireNonNull(value.get(name), name);
    return list.stream().map(one -> (Map<?, ?>) one);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
