package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import org.junit.jupiter.api.Test;

final class CookieJarTest {

  private final CookieJar jar = new CookieJar();

  /** Sets the cookie in the query, and responds with the cookies of the request. */
  private final Service echo =
      Chain.service(
          new Settings(),
          (Handler)
              (req, res) -> {
                String query = req.query().isEmpty() ? null : (String) req.query().get("set");
                if (query != null) {
                  res.set("Set-Cookie", query);
                }
                res.send(String.valueOf(req.get("Cookie")));
              });

  private String sent(String target) {
    return Call.get(target).with(jar).to(echo).text();
  }

  @Test
  void cookiesOfAResponseAreSentWithTheNextCall() {
    assertEquals("null", sent("/?set=a%3D1"));
    assertEquals("a=1", sent("/?set=b%3D2%3B%20Path%3D/%3B%20HttpOnly"));
    assertEquals("a=1; b=2", sent("/"));
    assertEquals("1", jar.get("a"));
    assertNull(jar.get("c"));
    assertEquals("null", Call.get("/").to(echo).text());
  }

  @Test
  void aCookieIsReplacedAndRemoved() {
    assertEquals("null", sent("/?set=a%3D1"));
    assertEquals("a=1", sent("/?set=a%3D2"));
    assertEquals("a=2", sent("/?set=a%3D%3B%20Max-Age%3D0"));
    assertEquals("null", sent("/?set=b%3D1%3B%20Max-Age%3D60"));
    assertEquals("b=1", sent("/?set=b%3D%3B%20Expires%3DThu,%2001%20Jan%201970%2000:00:00%20GMT"));
    assertEquals("null", sent("/"));
  }

  @Test
  void aCookieIsSentForItsPathOnly() {
    assertEquals("null", sent("/?set=all%3D1"));
    assertEquals("all=1", sent("/?set=in%3D2%3B%20Path%3D/admin"));
    assertEquals("in=2; all=1", sent("/admin"));
    assertEquals("in=2; all=1", sent("/admin/x?y"));
    assertEquals("all=1", sent("/administration"));
    assertEquals("all=1", sent("/deep/er?set=own%3D3"));
    assertEquals("own=3; all=1", sent("/deep/other"));
    assertEquals("all=1", sent("/deeper"));
  }

  @Test
  void cookiesOfAHeaderComeFirst() {
    jar.set("a", "1");
    assertEquals("b=2; a=1", Call.get("/").header("Cookie", "b=2").with(jar).to(echo).text());
    jar.clear();
    assertEquals("b=2", Call.get("/").header("Cookie", "b=2").with(jar).to(echo).text());
  }

  @Test
  void webSocketsAndEventStreamsSendCookies() {
    jar.set("a", "1");
    Service service =
        Chain.service(
            new Settings(),
            (Handler)
                (req, res) -> {
                  String cookies = String.valueOf(req.get("Cookie"));
                  res.set("X-Cookies", cookies).set("Content-Type", "text/event-stream");
                  res.send("data: " + cookies + "\n\n");
                });
    Call call = Call.get("/").header("Cookie", "b=2").with(jar);
    try (MemoryClient client = MemoryClient.of(service);
        TestEventStream events = client.events(call);
        TestWebSocket socket = client.webSocket(call)) {
      assertEquals("b=2; a=1", events.data());
      assertEquals("b=2; a=1", socket.head().header("X-Cookies"));
    }
  }

  @Test
  void redirectsAreFollowedWithCookies() {
    Service service =
        Chain.service(
            new Settings(),
            (Handler)
                (req, res) -> {
                  switch (req.path()) {
                    case "/login" -> res.set("Set-Cookie", "user=ann").redirect(303, "home?x=1");
                    case "/home" -> res.redirect(302, "/end");
                    default -> res.send(req.method() + " " + req.url() + " " + req.get("Cookie"));
                  }
                });
    Call login = Call.post("/login").form("name", "ann").with(jar);
    assertEquals(303, login.to(service).status());
    Reply end = login.followRedirects().to(service);
    assertEquals("GET /end user=ann", end.text());
    assertEquals(200, end.status());
  }

  @Test
  void aRedirectKeepsTheBodyIfItKeepsTheMethod() {
    Service service =
        Chain.service(
            new Settings(),
            (Handler)
                (req, res) -> {
                  int status = Integer.parseInt(req.path().substring(1));
                  if (status == 200) {
                    res.send(req.method() + " " + req.get("Content-Length"));
                  } else {
                    res.redirect(status, "/200");
                  }
                });
    assertEquals("POST 1", Call.post("/307").body("x").followRedirects().to(service).text());
    assertEquals("PUT 1", Call.put("/308").body("x").followRedirects().to(service).text());
    assertEquals("PUT 1", Call.put("/301").body("x").followRedirects().to(service).text());
    assertEquals("GET undefined", undefined(Call.post("/301").body("x"), service));
    assertEquals("GET undefined", undefined(Call.put("/303").body("x"), service));
  }

  private static String undefined(Call call, Service service) {
    return call.followRedirects().to(service).text().replace("null", "undefined");
  }

  @Test
  void redirectsToOtherHostsAndLoopsAreNotFollowed() {
    Service away =
        Chain.service(new Settings(), (Handler) (req, res) -> res.redirect("http://other.test/"));
    assertEquals(302, Call.get("/").followRedirects().to(away).status());
    Service circle = Chain.service(new Settings(), (Handler) (req, res) -> res.redirect("/again"));
    AssertionError error =
        assertThrows(AssertionError.class, () -> Call.get("/").followRedirects().to(circle));
    assertEquals("GET /: more than 20 redirects, the last one to /again", error.getMessage());
    assertTrue(Call.get("/").to(circle).header("Location").endsWith("/again"));
  }

  /** Redirects requests for a target, and responds to others with their target. */
  private static Service redirecting(String target, String location) {
    return Chain.service(
        new Settings(),
        (Handler)
            (req, res) -> {
              if (req.url().equals(target)) {
                res.status(302).set("Location", location).end();
              } else {
                res.send(req.url());
              }
            });
  }

  @Test
  void redirectsToTheServiceAreFollowed() {
    String[][] cases = {
      {"http://localhost/c?d#e", "/c?d"},
      {"HTTP://LOCALHOST:80", "/"},
      {"//localhost/c", "/c"},
      {"/c", "/c"},
      {"c", "/a/c"},
      {"../../c?d", "/c?d"},
      {"?page=2", "/a/b?page=2"}
    };
    for (String[] one : cases) {
      for (String target : new String[] {"/a/b", "/a/b?x={y|z}"}) {
        Service service = redirecting(target, one[0]);
        assertEquals(one[1], Call.get(target).followRedirects().to(service).text(), one[0]);
      }
    }
    Service shop = redirecting("/", "http://shop.test:81/c");
    Call call = Call.get("/").header("Host", "shop.test:81");
    assertEquals("/c", call.followRedirects().to(shop).text());
  }

  @Test
  void redirectsToOtherOriginsAreReturned() {
    String[] others = {
      "//other.test/", "https://localhost/", "http://localhost:81/", "mailto:x@localhost"
    };
    for (String location : others) {
      Reply reply = Call.get("/").followRedirects().to(redirecting("/", location));
      assertEquals(location, reply.header("Location"));
    }
  }
}
