package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestCookiesTest {

  private final Request req = FakeExchange.of("GET", "/", "Cookie", "a=b").request();

  @Test
  void withoutAParserThereAreNoCookies() {
    assertNull(req.attrOrNull(Request.COOKIES));
    assertNull(req.attrOrNull(Request.SIGNED_COOKIES));
    assertNull(req.attrOrNull(Request.SECRET));
    String message = assertThrows(IllegalStateException.class, req::cookies).getMessage();
    assertTrue(
        message.startsWith("No cookies on this request. Add app.use(CookieParser.of())"), message);
    message = assertThrows(IllegalStateException.class, req::signedCookies).getMessage();
    assertTrue(message.startsWith("No signed cookies on this request."), message);
  }

  @Test
  void anyMiddlewareCanSetTheCookies() {
    req.attr(Request.COOKIES, Map.of("a", "b"));
    req.attr(Request.SIGNED_COOKIES, Map.of("bad", false));
    req.attr(Request.SECRET, "keep");
    assertEquals(Map.of("a", "b"), req.cookies());
    assertEquals(false, req.signedCookies().get("bad"));
    assertEquals("keep", req.attr(Key.of("secret", String.class)));
  }
}
