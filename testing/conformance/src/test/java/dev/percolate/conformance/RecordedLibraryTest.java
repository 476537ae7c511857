package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.percolate.core.BodyFilter;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.replay.Replay;
import dev.percolate.testkit.replay.ReplayReport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the recording of the Express application with the testkit, without rules. */
final class RecordedLibraryTest {

  private static final Path RECORDING = Path.of("record", "library.json");

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("header x-total", res -> res.remove("X-Total")),
        fault("header location", res -> replace(res, "Location", "/books/", "/book/")),
        fault("header set-cookie", res -> replace(res, "Set-Cookie", "; HttpOnly", "")),
        fault("header content-type", res -> replace(res, "Content-Type", "plain", "html")),
        fault("header www-authenticate", res -> res.remove("WWW-Authenticate")),
        fault("status 201 200", res -> res.status(res.status() == 201 ? 200 : res.status())),
        fault("json /*/title", body("Ulysses", "Odyssey")),
        fault("json /*/by", body("\"by\"", "\"of\"")),
        fault("json /loans/*", body("\"loans\":[2]", "\"loans\":[3]")),
        fault("body GET /books/*/title", body("<b>", "<i>")),
        fault("status 200 401", body("\"token\"", "\"taken\"")));
  }

  @Test
  void thePortAgrees() {
    try (MemoryClient client = MemoryClient.of(Library.app())) {
      client.replay(RECORDING);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void aFaultOfThePortIsFound(String rule, Consumer<Response> change) {
    App app = new App();
    app.use(
        (req, res, next) -> {
          res.onHeaders(() -> change.accept(res));
          next.run();
        });
    app.use(Library.app());
    try (MemoryClient client = MemoryClient.of(app)) {
      ReplayReport report = client.replay(Replay.of(RECORDING));
      assertFalse(report.agrees());
      assertTrue(report.rules().contains(rule), report::toString);
      assertEquals(48, report.total());
    }
  }

  private static Arguments fault(String rule, Consumer<Response> change) {
    return arguments(rule, change);
  }

  private static void replace(Response res, String name, String text, String by) {
    String value = res.get(name);
    if (value != null) {
      res.set(name, value.replace(text, by));
    }
  }

  /** Replaces text in bodies by other text of the same length. */
  private static Consumer<Response> body(String text, String by) {
    BodyFilter filter =
        piece -> {
          String body = StandardCharsets.UTF_8.decode(piece.duplicate()).toString();
          return ByteBuffer.wrap(body.replace(text, by).getBytes(StandardCharsets.UTF_8));
        };
    return res -> res.filter(filter);
  }
}
