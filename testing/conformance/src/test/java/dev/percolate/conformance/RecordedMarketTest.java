package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.replay.Replay;
import dev.percolate.testkit.replay.ReplayReport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays the recording of the marketplace with the testkit, without rules. */
final class RecordedMarketTest {

  private static final Path RECORDING = Path.of("record", "market.json");
  private static final Path FILES = Path.of("record", "public");
  private static final String ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  /**
   * A fault of the port.
   *
   * @param seed adds middleware or routes before the port
   * @param requests the number of requests whose responses differ
   * @param places the places that the report shows
   */
  private record Fault(String name, Consumer<App> seed, int requests, List<String> places) {

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Fault> faults() {
    return Stream.of(
        fault(
            "a header is missing",
            on("GET /api/items.*", res -> res.remove("X-Total-Count")),
            5,
            "GET /api/items (get/0024) header x-total-count"),
        fault(
            "a status is another one",
            on("POST /api/items", res -> res.status(res.status() == 201 ? 200 : res.status())),
            1,
            "POST /api/items (post/0057) status"),
        fault(
            "a forbidden page seems to be missing",
            on("GET /orders/.*", res -> res.status(res.status() == 403 ? 404 : res.status())),
            1,
            "GET /orders/* (get/0124) status"),
        fault(
            "a key of JSON has another name",
            on("GET /api/stats.*", body("cheapest", "lowest")),
            2,
            "GET /api/stats (get/0045) body at /cheapest",
            "GET /api/stats (get/0045) body at /lowest",
            "GET /api/stats?callback=show.stats (get/0046) body at line 1, column 65"),
        fault(
            "a number is a string",
            on("GET /api/items.*", body("\"price\":2450", "\"price\":\"2450\"")),
            5,
            "GET /api/items (get/0024) body at /items/0/price",
            "GET /api/items/1 (get/0029) body at /price"),
        fault(
            "a page is off by one",
            asked("/api/items?page=2", query -> query.replace("page", "3")),
            1,
            "GET /api/items?page=2 (get/0025) header link",
            "GET /api/items?page=2 (get/0025) body at /items",
            "GET /api/items?page=2 (get/0025) body at /page"),
        fault(
            "a redirect leads to another page",
            on("POST /login", res -> replace(res, "Location", "/items/new", "/")),
            1,
            "POST /login (post/0077) header location"),
        fault(
            "scripts can read a cookie",
            on("GET /visits", res -> replace(res, "Set-Cookie", "; HttpOnly", "")),
            2,
            "GET /visits (get/0137) header set-cookie"),
        fault(
            "a cookie lasts shorter",
            on("GET /theme/dark", res -> replace(res, "Set-Cookie", "86400", "8640")),
            1,
            "GET /theme/dark (get/0112) header set-cookie"),
        fault(
            "a route is missing",
            app -> app.get("/language", (req, res) -> res.sendStatus(404)),
            5,
            "GET /language (get/0007) status"),
        fault(
            "a list has another order",
            asked("/items?q=tea&sort=price", query -> query.remove("sort")),
            1,
            "GET /items?q=tea&sort=price (get/0098) body at line 8, column 21"),
        fault(
            "a picture has another type",
            on("GET /items/6/picture", res -> replace(res, "Content-Type", "png", "jpeg")),
            1,
            "GET /items/6/picture (get/0088) header content-type"),
        fault(
            "a download is cut off",
            on("GET /admin/export.csv", body("6;\"Old radio\";110.00\n", "")),
            1,
            "GET /admin/export.csv (get/0157) body at line 4, column 1"),
        fault(
            "a flash message is lost",
            on("GET /orders/.*", body("<p class=\"flash\">Thank you [^\n]*\n", "")),
            1,
            "GET /orders/* (get/0120) body at line 6, column 2"),
        fault(
            "HTML is not escaped",
            on("GET /items/2/card", body("&amp;", "&")),
            1,
            "GET /items/2/card (get/0133) body at line 1, column 10"),
        fault(
            "an invoice is of another order",
            on("GET /orders/.*/invoice", body(ID, UUID.randomUUID().toString())),
            1,
            "GET /orders/*/invoice (get/0122) body at line 1, column 9"),
        fault(
            "entity tags are missing",
            app -> app.set("etag", false),
            2,
            "GET /api/items/1 (get/0030) status"),
        fault(
            "a logout does not end the session",
            app ->
                app.post("/logout", (req, res) -> res.vary("X-HTTP-Method-Override").redirect("/")),
            1,
            "GET / (get/0151) header set-cookie",
            "GET / (get/0151) body at line 5, column 59"));
  }

  @Test
  void thePortAgrees() {
    try (MemoryClient client = MemoryClient.of(Market.app(FILES))) {
      client.replay(RECORDING);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void aFaultOfThePortIsShownAtItsPlace(Fault fault) {
    App app = new App();
    fault.seed().accept(app);
    app.use(Market.app(FILES));
    try (MemoryClient client = MemoryClient.of(app)) {
      ReplayReport report = client.replay(Replay.of(RECORDING));
      List<String> shown =
          report
              .toString()
              .lines()
              .filter(line -> line.startsWith("differs: "))
              .map(line -> line.substring("differs: ".length()).replaceAll(ID, "*"))
              .toList();
      assertEquals(fault.places(), shown, report::toString);
      assertEquals(fault.requests(), report.total() - report.agreed(), report::toString);
    }
  }

  @Test
  void theRecordingContainsNoSecret() throws Exception {
    String recording = Files.readString(RECORDING);
    for (String secret : Files.readAllLines(Path.of("record", "market.secrets"))) {
      String value = secret.substring(secret.indexOf('=') + 1);
      assertTrue(!value.isEmpty() && !recording.contains(value), secret);
    }
    assertTrue(recording.contains("name=\\\"_csrf\\\" value=\\\"$SECRET{csrf-token"));
    assertTrue(!recording.matches("(?s).*Bearer \\w{20}.*"), "contains a token");
  }

  private static Fault fault(String name, Consumer<App> seed, int requests, String... places) {
    return new Fault(name, seed, requests, List.of(places));
  }

  /** Changes the responses of requests whose method and target match a pattern. */
  private static Consumer<App> on(String call, Consumer<Response> change) {
    return app ->
        app.use(
            (req, res, next) -> {
              if ((req.method() + " " + req.originalUrl()).matches(call)) {
                res.onHeaders(() -> change.accept(res));
              }
              next.run();
            });
  }

  /** Changes the query of requests for a target. */
  private static Consumer<App> asked(String target, Consumer<Map<String, Object>> change) {
    return app ->
        app.use(
            (req, res, next) -> {
              if (req.originalUrl().equals(target)) {
                change.accept(req.query());
              }
              next.run();
            });
  }

  private static void replace(Response res, String name, String text, String by) {
    String value = res.get(name);
    if (value != null) {
      res.remove(name).append(name, value.replace(text, by));
    }
  }

  /** Replaces text in bodies. */
  private static Consumer<Response> body(String pattern, String by) {
    return res ->
        res.remove("Content-Length")
            .filter(
                piece -> {
                  String body = StandardCharsets.UTF_8.decode(piece.duplicate()).toString();
                  byte[] changed = body.replaceAll(pattern, by).getBytes(StandardCharsets.UTF_8);
                  return ByteBuffer.wrap(changed);
                });
  }
}
