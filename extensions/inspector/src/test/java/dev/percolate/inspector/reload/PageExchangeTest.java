package dev.percolate.inspector.reload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.http.Headers;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestExchange;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageExchangeTest {

  private static final String SCRIPT = ReloadScript.element("7");

  private final App app = new App();

  private Reply page(String target, String... headers) {
    TestExchange exchange = TestExchange.of("GET", target).header("Host", "localhost");
    for (int i = 0; i < headers.length; i += 2) {
      exchange.header(headers[i], headers[i + 1]);
    }
    return exchange.serve(new Pages()).reply();
  }

  /** Serves all requests as pages. */
  private final class Pages implements Service {

    @Override
    public void serve(Exchange exchange) {
      app.serve(new PageExchange(exchange, "7"));
    }

    @Override
    public void onRejected(Exchange exchange, int status, Headers headers) {
      app.onRejected(exchange, status, headers);
    }
  }

  private void handle(Handler handler) {
    app.get("/", handler);
  }

  @Test
  void htmlGetsTheScript() {
    handle((req, res) -> res.send("<p>é"));
    Reply reply = page("/");
    assertEquals("<p>é" + SCRIPT, reply.text());
    assertEquals("" + reply.bytes().length, reply.header("Content-Length"));
    assertNull(reply.header("ETag"));
    assertEquals("no-store", reply.header("Cache-Control"));
  }

  @Test
  void streamedHtmlGetsTheScriptAtItsEnd() {
    handle(
        (req, res) -> {
          res.type("html").write("<p>a");
          res.write("<p>b");
          res.end();
        });
    assertEquals("<p>a<p>b" + SCRIPT, page("/").text());
  }

  @Test
  void compressedPagesAreSentPlain() {
    app.use(Compression.of().threshold(0));
    handle((req, res) -> res.send("<p>" + "a".repeat(5000)));
    Reply reply = page("/", "Accept-Encoding", "gzip");
    assertNull(reply.header("Content-Encoding"));
    assertTrue(reply.text().endsWith(SCRIPT), reply::text);
  }

  @Test
  void filesGetTheScript(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.html"), "<p>file");
    app.use(StaticFiles.of(folder));
    Reply reply =
        page("/a.html", "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT", "Range", "bytes=0-1");
    assertEquals(200, reply.status());
    assertEquals("<p>file" + SCRIPT, reply.text());
  }

  @Test
  void errorsGetTheScript() {
    assertTrue(page("/nowhere").text().endsWith(SCRIPT));
  }

  @Test
  void otherTypesAreUnchanged() {
    handle((req, res) -> res.json("<p>"));
    Reply reply = page("/");
    assertEquals("\"<p>\"", reply.text());
    assertFalse(reply.header("ETag").isEmpty());
  }

  @Test
  void encodedAndEmptyResponsesAreUnchanged() {
    app.get("/coded", (req, res) -> res.type("html").set("Content-Encoding", "x").end("coded"));
    app.get("/none", (req, res) -> res.status(204).end());
    assertEquals("coded", page("/coded").text());
    assertEquals("", page("/none").text());
  }

  @Test
  void onlyPagesOfBrowsersGetTheScript() {
    assertTrue(isPage("GET", "/", "Sec-Fetch-Dest", "document"));
    assertTrue(isPage("GET", "/", "Accept", "text/html,*/*"));
    assertFalse(isPage("GET", "/", "Accept", "*/*"));
    assertFalse(isPage("GET", "/", "Sec-Fetch-Dest", "empty"));
    assertFalse(isPage("HEAD", "/", "Sec-Fetch-Dest", "document"));
    assertFalse(isPage("POST", "/", "Sec-Fetch-Dest", "document"));
    assertFalse(isPage("GET", "/_percolate", "Sec-Fetch-Dest", "document"));
  }

  private static boolean isPage(String method, String target, String name, String value) {
    return LocalPage.isPage(TestExchange.of(method, target).header(name, value));
  }
}
