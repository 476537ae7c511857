package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PagesTest {

  private static final Middleware PASS = (req, res, next) -> next.run();
  private static final String SCRIPT = "<script>alert(1)</script>";

  private static final String SECRET = "hunter" + 2;

  private final App app = new App().use(Inspector.inDevelopment());

  private void fails() {
    app.all(
        "/boom",
        (req, res) -> {
          throw new IllegalStateException(SCRIPT, new RuntimeException("the real cause"));
        });
  }

  @Test
  @DisplayName("DEV-04: an error page has class, message, causes and source, as escaped text")
  void anErrorIsAPageWithClassMessageCausesAndSource() {
    fails();
    app.set("title", "Shop");
    Reply reply = page(Call.get("/boom").header("Authorization", "Basic abc"));
    assertEquals(500, reply.status());
    String html = reply.text();
    assertTrue(html.contains("<p>Shop</p>"), html);
    assertTrue(html.contains("<code>java.lang.IllegalStateException</code>"), html);
    assertTrue(html.contains("the real cause"), html);
    assertTrue(html.contains("Caused by"), html);
    assertTrue(html.contains("PagesTest.java:"), html);
    assertTrue(html.contains("<mark>"), "the source is shown");
    assertTrue(html.contains("frames from libraries"), html);
    assertTrue(html.contains("Authorization: masked"), html);
    assertTrue(html.contains("curl -i --path-as-is"), html);
    assertTrue(html.contains("threw java.lang.IllegalStateException"), html);
    assertFalse(html.contains(SCRIPT), "text is escaped");
    assertFalse(html.contains("Basic abc"), html);
  }

  @Test
  void framesAreShownOnceAndEmptyMessagesAreNot() {
    app.all(
        "/boom",
        (req, res) -> {
          throw new IllegalStateException(thrownElsewhere());
        });
    String html = page(Call.get("/boom")).text();
    String cause =
        html.substring(html.indexOf("<h2>Caused by</h2>"), html.indexOf("<h2>Request</h2>"));
    assertTrue(cause.contains("PagesTest.thrownElsewhere(PagesTest.java:"), cause);
    assertTrue(cause.contains("frames as in the error above</li>"), cause);
    assertFalse(cause.contains("frames from libraries"), cause);
    assertFalse(html.contains("<pre tabindex=\"0\"></pre>"), html);
  }

  private static RuntimeException thrownElsewhere() {
    return new RuntimeException("");
  }

  @Test
  @DisplayName("DEV-02: a site whose host name resolves to this machine gets no page")
  void sitesThatResolveToThisMachineGetNoPage() {
    fails();
    for (String path : new String[] {"/boom", "/nowhere"}) {
      String own = page(Call.get(path).header("Host", "localhost:3000")).text();
      assertTrue(own.startsWith("<!DOCTYPE html>"), own);
      String foreign = page(Call.get(path).header("Host", "evil.example:3000")).text();
      assertFalse(foreign.contains("<header>") || foreign.contains("PagesTest"), foreign);
      assertFalse(foreign.contains("real cause"), foreign);
    }
  }

  @Test
  void thePageReplacesThePolicyOfTheApplication() {
    app.use(
        (req, res, next) -> {
          res.set("Content-Security-Policy", "default-src 'self'");
          next.run();
        });
    fails();
    String policy = String.valueOf(page(Call.get("/boom")).header("Content-Security-Policy"));
    assertTrue(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
    assertFalse(policy.contains("unsafe"), policy);
  }

  @Test
  void theTitleIsPercolateUnlessSet() {
    fails();
    assertTrue(page(Call.get("/boom")).text().contains("<header><p>Percolate</p>"));
  }

  @Test
  void otherClientsGetTextOrJson() {
    fails();
    Reply text = Call.get("/boom").to(app);
    assertTrue(text.text().startsWith("java.lang.IllegalStateException: &lt;script"), text.text());
    Reply json = Call.get("/boom").header("Accept", "application/json").to(app);
    assertEquals("application/json; charset=utf-8", json.header("Content-Type"));
    assertTrue(json.text().startsWith("{\"error\":{\"message\":\"\\u003cscript"), json.text());
    assertTrue(json.text().contains("\"causes\":[\"java.lang.RuntimeException: the real cause\"]"));
  }

  @Test
  void explainsPathsWithoutARoute() {
    app.use("/api", PASS).post("/u/new", PASS).get("/users/:id", PASS);
    Reply reply = page(Call.get("/user/7?" + SCRIPT));
    assertEquals(404, reply.status());
    String html = reply.text();
    assertTrue(html.contains("mount: the path is not below /api"), html);
    assertTrue(html.contains("<li><code>get /users/:id at PagesTest.java:"), html);
    assertFalse(html.contains(SCRIPT), "text is escaped");
    assertTrue(Call.get("/user").to(app).text().startsWith("Cannot GET /user"));
  }

  @Test
  @DisplayName("DEV-03: a copied request has its body, but no secrets")
  void aRequestIsCopiedWithItsBodyAndWithoutItsSecrets() {
    app.use(
        (req, res, next) -> {
          byte[] raw =
              ("{\"a\":\"it's\",\"password\":\"" + SECRET + "\"}").getBytes(StandardCharsets.UTF_8);
          req.attr(Request.RAW, raw);
          next.run();
        });
    fails();
    Call call = Call.post("/boom?api_key=k&b=2").header("Content-Type", "application/json");
    String html = page(call.body("x")).text();
    assertTrue(
        html.contains(".header(&quot;Content-Type&quot;, &quot;application/json&quot;)"), html);
    assertTrue(html.contains("it&#39;\\&#39;&#39;s"), html);
    assertTrue(html.contains("/boom?api_key=masked&amp;b=2"), html);
    assertTrue(html.contains("\\&quot;password\\&quot;:\\&quot;masked\\&quot;"), html);
    assertFalse(html.contains(SECRET), html);
  }

  @Test
  @DisplayName("DEV-01: other machines and production get no page")
  void otherMachinesAndProductionGetNoPage() {
    fails();
    Call call = Call.get("/boom").header("Accept", "text/html");
    assertFalse(call.header("X-Forwarded-For", "1.2.3.4").to(app).text().contains("<header>"));
    app.set("env", "production");
    assertFalse(call.to(app).text().contains("<header>"));
  }

  private Reply page(Call call) {
    return call.header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8").to(app);
  }
}
