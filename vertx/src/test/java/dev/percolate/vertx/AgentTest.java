package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.engine.tests.LimitedProcess;
import dev.percolate.engine.tests.RawSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the agent of OpenTelemetry sees of steps; {@link TracedMain} serves. */
@Timeout(120)
final class AgentTest {

  private static final int CONNECTIONS = 16;
  private static final int ROUNDS = 5;

  private final List<RawSocket> sockets = new ArrayList<>();
  private @Nullable Process process;

  @AfterEach
  void end() throws Exception {
    for (RawSocket socket : sockets) {
      socket.close();
    }
    if (process == null) {
      return;
    }
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private BufferedReader start(List<ThreadMode> modes) throws IOException {
    List<String> command =
        LimitedProcess.java(
            List.of(
                "-javaagent:" + Path.of("target", "agent", "opentelemetry-javaagent.jar"),
                "-Dotel.javaagent.logging=none",
                "-Dotel.traces.exporter=none",
                "-Dotel.metrics.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dotel.instrumentation.common.default-enabled=false", // it starts in half the time
                "-Dotel.instrumentation.executors.enabled=true",
                "-Dotel.instrumentation.netty.enabled=true",
                "-XX:TieredStopAtLevel=1"),
            TracedMain.class,
            modes.stream().map(ThreadMode::toString).toArray(String[]::new));
    Process started = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
    process = started;
    return started.inputReader(StandardCharsets.UTF_8);
  }

  @Test
  void inEachModeAStepBelongsToTheTraceOfItsRequest() throws Exception {
    List<ThreadMode> modes = new ArrayList<>(List.of(ThreadMode.values()));
    if (!VirtualThreads.available()) {
      modes.remove(ThreadMode.VIRTUAL);
    }
    BufferedReader ports = start(modes);
    for (ThreadMode mode : modes) {
      tryOut(Integer.parseInt(Objects.requireNonNull(ports.readLine(), "it died")), mode);
    }
  }

  private void tryOut(int port, ThreadMode mode) throws IOException {
    List<RawSocket> connections = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(new RawSocket(port));
    }
    sockets.addAll(connections);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.get(i).send(request(i, id(round, i), mode));
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        String answer = connections.get(i).readTo("\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertEquals(id(round, i), header(answer, "X-First"), mode::toString);
        assertEquals(id(round, i), header(answer, "X-Second"), mode::toString);
      }
    }
  }

  private static String id(int round, int connection) {
    return "%032x".formatted(0x1234_5678_0000L + round * 256L + connection);
  }

  /** Writes one of three requests: one that is answered at once, one that hops, one with a body. */
  private static String request(int number, String id, ThreadMode mode) {
    String traced = " HTTP/1.1\r\nHost: a\r\ntraceparent: 00-" + id + "-00f067aa0ba902b7-01\r\n";
    return switch (number % 3) {
      case 0 -> "GET /" + traced + "\r\n";
      case 1 -> "GET /hop" + traced + "\r\n";
      default ->
          mode == ThreadMode.EVENT_LOOP
              ? "GET /" + traced + "\r\n"
              : "POST /" + traced + "Content-Length: 4\r\n\r\nbody";
    };
  }

  private static String header(String answer, String name) {
    int at = answer.indexOf(name + ": ") + name.length() + 2;
    return answer.substring(at, answer.indexOf("\r\n", at));
  }
}
