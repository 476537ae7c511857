package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.inspector.Inspector;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Cors;
import dev.percolate.middleware.RequestId;
import dev.percolate.middleware.ResponseTime;
import dev.percolate.middleware.SecureHeaders;
import dev.percolate.middleware.WebSockets;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestConnection;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.RemoteWebDriver;

/**
 * Row DEV-04: tests the pages for developers in a browser, on a desktop and in dark mode on a
 * phone, with scripts in all client input. Checks accessibility with axe. Screenshots are stored in
 * {@code target/screenshots}.
 */
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class InspectorPagesTest {

  private static final String SCRIPT = "<script>window.taken=1</script>";
  private static final String IMAGE = "<img/src=x/onerror=window.taken=1>";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");
  private static final String VIOLATIONS =
      "const done = arguments[arguments.length - 1];"
          + "axe.run({preload: false, ...arguments[0]}).then((found) =>"
          + " done(found.violations.map((one) =>"
          + " one.id + ': ' + one.nodes.map((node) => node.html).join(' '))));";
  private static final String PATHS =
      "return Array.from(document.querySelectorAll('#list .path'), (path) => path.textContent)";

  /** Sends a request, and waits until a second stream of events contains it. */
  private static final String REQUEST =
      "const [target, done] = arguments;"
          + "const events = new EventSource('/_percolate/events');"
          + "events.onopen = () => fetch(target);"
          + "events.onmessage = (event) => {"
          + " const request = JSON.parse(event.data);"
          + " if (request.target === target && !request.open) {"
          + "  events.close(); requestAnimationFrame(done); } };";

  private static final String WIDTH = "return document.documentElement.scrollWidth";

  private static final Middleware PASSES = (req, res, next) -> next.run();

  private Server server;

  @BeforeEach
  void listen() throws IOException {
    server = app().listen(ListenOptions.ofPort(0).host("127.0.0.1"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static App app() {
    App users = new App();
    users.get(
        "/users/:id", PASSES, (req, res) -> res.cookie("seen", req.params().get("id")).send("x"));
    App admin = new App();
    admin.use((req, res, next) -> next.fail(new IllegalStateException(IMAGE)));
    App app = new App().set(Settings.ENV, "development");
    app.use(Inspector.inDevelopment());
    app.use(RequestId.of());
    app.use(RequestLogger.of("dev").to((String line) -> {}));
    app.use(ResponseTime.of());
    app.use(SecureHeaders.of());
    app.use(Cors.of("https://shop.example.com"));
    app.use(CookieParser.of());
    app.use(BodyParsers.json()).use(BodyParsers.urlencoded()).use(BodyParsers.text());
    app.use(PASSES).use(PASSES);
    app.use("/api", users).use("/admin", admin);
    app.get("/talk", WebSockets.callbacks().onText((socket, text) -> socket.send(text)));
    app.get("/stream", (req, res) -> res.write("data: 1\n\n"));
    app.all(
        "/boom/*",
        (req, res) -> {
          throw new IllegalStateException(SCRIPT, new IOException(IMAGE));
        });
    return app;
  }

  @ParameterizedTest
  @ValueSource(ints = {1200, 390})
  void theyShowHostileRequestsAsText(int width) throws Exception {
    try (Client client = Client.of(server.uri());
        TestConnection stream = Call.get("/stream").open(client);
        TestWebSocket open = client.webSocket("/talk?" + IMAGE);
        TestWebSocket closed = client.webSocket("/talk");
        Chromium chromium = Chromium.start(screen(width))) {
      stream.await("data");
      open.send("a").text();
      closed.close(4000, IMAGE);
      closed.awaitEnd();
      requests(client);
      RemoteWebDriver browser = chromium.driver();
      Sight sight = new Sight(browser, server.uri(), width);
      inspector(sight);
      sight.shows("/boom/" + SCRIPT + "?a=" + IMAGE, "error", "Caused by");
      sight.shows("/api/user/" + SCRIPT + "?a=" + IMAGE, "not-found", "Similar routes");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1200, 390})
  void withoutTheInspectorPagesAreReadable(int width) throws Exception {
    App app = new App().set(Settings.ENV, "development");
    app.get(
        "/boom",
        (req, res) -> {
          throw new IllegalStateException(SCRIPT + "y".repeat(300), new IOException(IMAGE));
        });
    try (Server plain = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"));
        Chromium chromium = Chromium.start(screen(width))) {
      Sight sight = new Sight(chromium.driver(), plain.uri(), width);
      sight.shows("/nowhere/" + SCRIPT, "default-404", "404 Not Found");
      sight.shows("/boom", "default-500", "500 Internal Server Error");
    }
  }

  private static ChromeOptions screen(int width) {
    boolean phone = width < 500;
    ChromeOptions options = new ChromeOptions();
    options.setExperimentalOption(
        "mobileEmulation",
        Map.of("deviceMetrics", Map.of("width", width, "height", phone ? 2200 : 1400)));
    options.addArguments("--blink-settings=preferredColorScheme=" + (phone ? 0 : 1));
    return options;
  }

  @Test
  void requestsAreFilteredReplayedPausedAndCleared() throws Exception {
    try (Client client = Client.of(server.uri());
        Chromium chromium = Chromium.start()) {
      RemoteWebDriver browser = chromium.driver();
      Sight sight = new Sight(browser, server.uri(), 1200);
      Call.get("/api/users/7").header("X-A", "1").to(client);
      Call.get("/nowhere").to(client);
      sight.opens("/_percolate");
      sight.awaits("detail", "GET /nowhere");
      String row = "\\d\\d:\\d\\d:\\d\\d\\s+GET\\s+/api/users/7\\s+200\\s+[\\d.]+ ms\\s+1 B";
      assertTrue(sight.rows().get(1).matches(row), sight.rows()::toString);

      WebElement text = browser.findElement(By.id("text"));
      text.sendKeys("users");
      sight.awaitsRows("/api/users/7");
      text.sendKeys(Keys.chord(Keys.CONTROL, "a"), "-users");
      sight.awaitsRows("/nowhere");
      text.sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE);
      browser.findElement(By.id("status")).sendKeys("2xx");
      sight.awaitsRows("/api/users/7");
      browser.findElement(By.id("status")).sendKeys(Keys.HOME);
      sight.awaitsRows("/nowhere", "/api/users/7");

      browser.findElement(By.cssSelector("#list li:nth-child(2) button")).click();
      sight.awaits("detail", "GET /api/users/7");
      browser.findElement(By.xpath("//button[.='Replay']")).click();
      sight.awaitsRows("/api/users/7", "/nowhere", "/api/users/7");
      sight.awaits("#list li:first-child button[aria-current=true]");
      sight.awaits("detail", "X-A: 1");

      WebElement pause = browser.findElement(By.id("pause"));
      pause.click();
      browser.executeAsyncScript(REQUEST, "/paused");
      assertEquals(3, sight.rows().size(), "a paused list does not change");
      pause.click();
      sight.awaitsRows("/paused", "/api/users/7", "/nowhere", "/api/users/7");

      browser.findElement(By.id("clear")).click();
      sight.awaits("detail", "No requests to show.");
      Call.get("/after").to(client);
      sight.awaitsRows("/after");
      sight.awaits("detail", "GET /after");
    }
  }

  private static void requests(Client client) {
    Call.get("/api/users/7?a=" + SCRIPT).header("X-A", IMAGE).to(client);
    Call.get("/admin/" + IMAGE).header("User-Agent", SCRIPT).to(client);
    Call.post("/boom/x").header("Content-Type", "text/plain").body(SCRIPT + IMAGE).to(client);
    Call.of("MX", "/nowhere/" + "y".repeat(300)).to(client);
  }

  private static void inspector(Sight sight) throws IOException {
    RemoteWebDriver browser = sight.browser();
    sight.opens("/_percolate");
    sight.awaits("#list li:nth-child(7) button");
    sight.awaits("detail", "MX /nowhere/");
    WebElement failed =
        browser.findElement(By.xpath("//ul[@id='list']//button[contains(., 'POST /boom/x')]"));
    failed.sendKeys(Keys.ENTER);
    sight.awaits("detail", "POST /boom/x");
    assertEquals(
        browser.findElement(By.id("detail")), browser.switchTo().activeElement(), "the focus");
    sight.is("requests", "As a test");
    sight.press("live", "messages");
    assertTrue(browser.findElement(By.id("live")).getText().contains("closed with 4000 " + IMAGE));
    sight.is("live", "open");
    sight.press("map", "/users/:id");
    sight.is("map", "/users/:id");
    sight.press("counters", "open connections");
    sight.is("counters", "request bodies in memory, limit");
  }

  /** Checks the content and the accessibility of a page. */
  record Sight(RemoteWebDriver browser, URI server, int width) {

    void opens(String target) {
      browser.get(server + target);
    }

    void shows(String target, String name, String text) throws IOException {
      opens(target.replace(" ", "%20"));
      is(name, text);
    }

    void press(String view, String text) {
      browser.findElement(By.id("tab-" + view)).sendKeys(Keys.SPACE);
      awaits(view, text);
    }

    void awaits(String id, String text) {
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            while (!browser.findElement(By.id(id)).getText().contains(text)) {
              Thread.sleep(50);
            }
          },
          () -> "no " + text + " in " + browser.findElement(By.id(id)).getText());
    }

    List<String> rows() {
      return browser.findElements(By.cssSelector("#list li")).stream()
          .map(WebElement::getText)
          .toList();
    }

    /** Waits until the list has exactly these paths. */
    void awaitsRows(String... paths) {
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            while (!List.of(paths).equals(browser.executeScript(PATHS))) {
              Thread.sleep(50);
            }
          },
          () -> rows().toString());
    }

    void awaits(String selector) {
      assertTimeoutPreemptively(
          PATIENCE,
          () -> {
            while (browser.findElements(By.cssSelector(selector)).isEmpty()) {
              Thread.sleep(50);
            }
          });
    }

    void is(String name, String text) throws IOException {
      Files.createDirectories(SCREENSHOTS);
      Files.write(
          SCREENSHOTS.resolve(name + "-" + width + ".png"),
          browser.getScreenshotAs(OutputType.BYTES));
      String all = browser.findElement(By.tagName("body")).getText();
      assertTrue(all.contains(text), () -> name + ": " + all);
      assertEquals(width, ((Number) browser.executeScript(WIDTH)).intValue(), name + " is wider");
      assertEquals(true, browser.executeScript("return window.taken === undefined"), name);
      browser.executeScript(axe());
      Object rules = width < 500 ? Map.of("runOnly", List.of("color-contrast")) : Map.of();
      assertEquals(List.of(), browser.executeAsyncScript(VIOLATIONS, rules), name);
    }

    private static String axe() throws IOException {
      try (InputStream in = Sight.class.getResourceAsStream("/axe.min.js")) {
        return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
