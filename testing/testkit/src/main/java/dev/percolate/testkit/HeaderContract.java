package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that headers made from text are ASCII (RFC 9110 section 5.5). */
abstract class HeaderContract extends ServiceTrial {

  private static final String NAME = "\u00e9 \u65e5\ud83d\ude00";
  private static final String ENCODED = "%C3%A9%20%E6%97%A5%F0%9F%98%80";

  HeaderContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void aRedirectToAnyNameIsAUriReference() throws Exception {
    Handler handler = (req, res) -> res.redirect("/u/" + NAME + "?q=" + NAME + "#" + NAME);
    Reply reply = Call.get("/").to(client(handler));
    assertEquals(302, reply.status());
    String url = "/u/" + ENCODED + "?q=" + ENCODED + "#" + ENCODED;
    assertEquals(url, reply.header("Location"));
    assertEquals("Found. Redirecting to " + url, reply.text());
    assertAscii(reply.headers());
  }

  @Test
  void aDownloadOfAnyNameHasItInUtf8(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.txt"), "content");
    Handler handler =
        (req, res) -> {
          if (req.url().equals("/attachment")) {
            res.attachment(NAME + ".txt").send("content");
          } else {
            res.download(file, NAME + ".txt");
          }
        };
    Client client = client(handler);
    for (String path : new String[] {"/attachment", "/download"}) {
      Reply reply = Call.get(path).to(client);
      assertEquals(
          "attachment; filename=\"? ???.txt\"; filename*=UTF-8''" + ENCODED + ".txt",
          reply.header("Content-Disposition"));
      assertEquals("content", reply.text());
      assertAscii(reply.headers());
    }
  }

  @Test
  void otherHeadersMadeFromTextAreAscii() throws Exception {
    CookieOptions options = CookieOptions.none().path("/" + NAME).domain("b\u00fccher.test");
    Middleware handler =
        (req, res, next) ->
            res.links(Map.of("next", "/" + NAME, "http://x/" + NAME, "http://b\u00fccher.test/"))
                .cookie("c", NAME, options)
                .set("Content-Location", "/" + NAME)
                .send("body");
    Reply reply = Call.get("/").to(client(handler));
    String links = String.valueOf(reply.header("Link"));
    assertTrue(links.contains("</" + ENCODED + ">; rel=\"next\""), links);
    assertTrue(links.contains("<http://xn--bcher-kva.test/>; rel=\"http://x/"), links);
    assertEquals("/" + ENCODED, reply.header("Content-Location"));
    assertAscii(reply.headers());
  }

  private static void assertAscii(Headers headers) {
    String lines = headers.toString();
    assertTrue(lines.chars().allMatch(c -> c < 0x7F), lines);
  }
}
