package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.remote.RemoteWebDriver;

/** Tests the guest book in a browser. The result does not depend on the JDK. */
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class BrowserTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String ANSWERED =
      "return !window.before && document.readyState === 'complete'";

  private static final String PROTOCOL =
      "return performance.getEntriesByType('navigation')[0].nextHopProtocol";

  private static Chromium chromium;
  private static RemoteWebDriver browser;

  private OpenBook book;
  private Server server;

  @BeforeAll
  static void start() throws Exception {
    chromium = Chromium.start();
    browser = chromium.driver();
  }

  @AfterAll
  static void stop() {
    if (chromium != null) {
      chromium.close();
    }
  }

  /** Opens the first page of an empty book, as a new visitor. */
  @BeforeEach
  void open() throws Exception {
    book = new OpenBook();
    server = book.app().listen();
    browser.get(server.uri().toString());
    browser.manage().deleteAllCookies();
    browser.navigate().refresh();
  }

  @AfterEach
  void close() throws Exception {
    browser.get("about:blank"); // ends its connections
    if (server != null) {
      server.close();
    }
    if (book != null) {
      book.close();
    }
  }

  @Test
  void aVisitorWritesAnEntryAndSeesIt() {
    assertEquals("Guest book", browser.getTitle());
    fill("Ann", "Such a warm welcome!\nWe will be back.");
    WebElement entry = browser.findElement(By.id("entry-1"));
    assertEquals("Ann", entry.findElement(By.tagName("h3")).getText());
    assertEquals(
        "Such a warm welcome!\nWe will be back.",
        entry.findElement(By.className("message")).getText());
    assertEquals("entry-1", URI.create(String.valueOf(browser.getCurrentUrl())).getFragment());
  }

  @Test
  void errorsAreShownBelowTheirFieldsAndTheInputIsKept() {
    fill("", "Only a message");
    WebElement name = browser.findElement(By.id("name"));
    WebElement error = browser.findElement(By.id("name-error"));
    assertEquals("Please tell us your name.", error.getText());
    assertTrue(error.getLocation().getY() > name.getLocation().getY());
    assertEquals(name, browser.switchTo().activeElement());
    assertEquals("Only a message", browser.findElement(By.id("message")).getDomProperty("value"));
    name.sendKeys("Bob");
    submit();
    assertEquals("Bob", browser.findElement(By.cssSelector("#entry-1 h3")).getText());
  }

  @Test
  void scriptsOfVisitorsDoNotRun() {
    String script = "<script>document.title='taken'</script><img src=x onerror=document.title=1>";
    fill("Eve", script);
    assertEquals(script, browser.findElement(By.className("message")).getText());
    assertEquals("Guest book", browser.getTitle());
  }

  @Test
  void theStyleIsApplied() {
    WebElement button = browser.findElement(By.cssSelector("form button"));
    assertEquals("rgba(140, 47, 57, 1)", button.getCssValue("background-color"));
  }

  @Test
  void servesHttp2OverTls(@TempDir Path folder) throws Exception {
    ListenOptions https = ListenOptions.ofPort(0).tls(OwnCertificate.in(folder));
    try (Server secure = book.app().listen(https)) {
      browser.get("https://localhost:" + secure.port());
      assertEquals("Guest book", browser.getTitle());
      assertEquals("h2", browser.executeScript(PROTOCOL));
    }
  }

  private void fill(String name, String message) {
    browser.findElement(By.id("name")).sendKeys(name);
    browser.findElement(By.id("message")).sendKeys(message);
    submit();
  }

  /**
   * Submits the form, and waits for the next page, since a click may return before it is loaded.
   */
  private void submit() {
    browser.executeScript("window.before = true");
    browser.findElement(By.cssSelector("form button")).click();
    assertTimeoutPreemptively(
        PATIENCE,
        () -> {
          while (!Boolean.TRUE.equals(browser.executeScript(ANSWERED))) {
            Thread.sleep(10);
          }
        },
        "no page was loaded");
  }
}
