package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.StaticFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.remote.RemoteWebDriver;

/** Tests redirects, downloads with any file name, modules and WebAssembly in a browser. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class NamesBrowserTest {

  private static final List<String> NAMES =
      List.of(
          "\u00e9t\u00e9.pdf",
          "\u00dcberblick 2026.csv",
          "na\u00efve \u20ac.txt",
          "\u65e5\u672c\u8a9e.txt",
          "\ud83d\ude00.txt",
          "50%25 100%.txt");

  private static final byte[] WASM = {0, 'a', 's', 'm', 1, 0, 0, 0};

  @TempDir private static Path folder;
  private static Path saved;
  private static Server server;
  private static Chromium chromium;

  @BeforeAll
  static void open() throws Exception {
    saved = Files.createDirectory(folder.resolve("saved"));
    ChromeOptions options = new ChromeOptions();
    options.setExperimentalOption(
        "prefs",
        Map.of(
            "download.default_directory",
            saved.toString(),
            "profile.default_content_setting_values.automatic_downloads",
            1));
    chromium = Chromium.start(options);
    Path files = Files.createDirectory(folder.resolve("files"));
    Path content = Files.writeString(files.resolve("content"), "content");
    Files.writeString(files.resolve("page.html"), "<script type=module src=m.mjs></script>");
    Files.writeString(files.resolve("m.mjs"), "document.title = 'module \u00e9'");
    Files.write(files.resolve("empty.wasm"), WASM);
    App app = new App();
    app.get("/go/:i", (req, res) -> res.redirect("/name/" + name(req.params().get("i"))));
    app.get("/name/:name", (req, res) -> res.send(req.params().get("name")));
    app.get("/download/:i", (req, res) -> res.download(content, name(req.params().get("i"))));
    app.use(StaticFiles.of(files));
    server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"));
  }

  @AfterAll
  static void close() {
    if (chromium != null) {
      chromium.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static String name(String index) {
    return NAMES.get(Integer.parseInt(index));
  }

  private static RemoteWebDriver visit(String path) {
    RemoteWebDriver browser = chromium.driver();
    browser.get(server.uri().resolve(path).toString());
    return browser;
  }

  @Test
  void aRedirectLeadsToTheName() {
    for (int i = 0; i < NAMES.size(); i++) {
      RemoteWebDriver browser = visit("/go/" + i);
      String shown = String.valueOf(browser.executeScript("return document.body.textContent"));
      assertEquals(NAMES.get(i).replace("%25", "%"), shown);
    }
  }

  @Test
  void aDownloadIsSavedUnderItsName() throws Exception {
    RemoteWebDriver browser = visit("/page.html");
    for (int i = 0; i < NAMES.size(); i++) {
      browser.executeScript("location.href = arguments[0]", "/download/" + i);
      Path file = saved.resolve(NAMES.get(i));
      for (int k = 0; k < 200 && !(Files.exists(file) && Files.size(file) > 0); k++) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
      try (var all = Files.list(saved)) {
        assertTrue(Files.exists(file), file + " is not in " + all.toList());
      }
      assertEquals("content", Files.readString(file));
    }
  }

  @Test
  void aModuleRunsAndWebAssemblyIsCompiledFromItsStream() {
    RemoteWebDriver browser = visit("/page.html");
    assertEquals("module \u00e9", browser.getTitle());
    Object compiled =
        browser.executeAsyncScript(
            "const done = arguments[0];"
                + "WebAssembly.compileStreaming(fetch('/empty.wasm'))"
                + ".then(() => done('compiled'), error => done(error.message))");
    assertEquals("compiled", compiled);
  }
}
