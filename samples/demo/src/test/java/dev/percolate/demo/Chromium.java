package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.RemoteWebDriver;

/**
 * A headless browser. Tests are skipped if Chromium and its driver are not on the {@code PATH},
 * unless the environment variable or system property {@code BROWSER_REQUIRED} is {@code true}.
 */
final class Chromium implements AutoCloseable {

  private static final boolean NO_TRACING = false;

  private final ChromeDriverService service;
  private final RemoteWebDriver driver;

  private Chromium(ChromeDriverService service, RemoteWebDriver driver) {
    this.service = service;
    this.driver = driver;
  }

  /** Starts a browser that accepts any certificate, with the window size of a desktop. */
  static Chromium start() throws IOException {
    ChromeOptions options = new ChromeOptions();
    options.setAcceptInsecureCerts(true);
    options.addArguments("--window-size=1200,900");
    return start(options);
  }

  static Chromium start(ChromeOptions options) throws IOException {
    Path chromium = onPath("chromium", "chromium-browser", "google-chrome");
    Path found = onPath("chromedriver");
    boolean both = chromium != null && found != null;
    assumeTrue(both || required(), "skipped: no chromium and chromedriver on the PATH");
    assertTrue(both, "BROWSER_REQUIRED, but no chromium and chromedriver on the PATH");
    options.setBinary(chromium.toFile());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage");
    // With an explicit driver, Selenium does not search for one.
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(found.toFile())
            .usingAnyFreePort()
            .build();
    service.start();
    try {
      return new Chromium(service, new RemoteWebDriver(service.getUrl(), options, NO_TRACING));
    } catch (RuntimeException e) {
      service.stop();
      throw e;
    }
  }

  RemoteWebDriver driver() {
    return driver;
  }

  @Override
  public void close() {
    driver.quit();
    service.stop();
  }

  private static boolean required() {
    String variable = System.getenv("BROWSER_REQUIRED");
    return Boolean.parseBoolean(System.getProperty("BROWSER_REQUIRED", variable));
  }

  private static @Nullable Path onPath(String... names) {
    List<String> folders = List.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator));
    return Stream.of(names)
        .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }
}
