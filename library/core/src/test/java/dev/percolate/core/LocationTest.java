package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationTest {

  private static String location(String target, String mountPath, String url, String... headers) {
    Request req = FakeExchange.of("GET", target, headers).request();
    RequestControl.context(
        req,
        new AppContext() {
          @Override
          public Settings settings() {
            return new Settings();
          }

          @Override
          public String mountPath() {
            return mountPath;
          }
        });
    return req.response().location(url).get("Location");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://google.com",
        "//other.test/x",
        "/login?a=b#c",
        "/lame&'%20%C3%A9",
        "ftp://f.test",
        "./a?to=http://x",
        "/"
      })
  void urlsAndAbsolutePathsAreUnchanged(String url) {
    assertEquals(url, location("/x", "/blog", url));
  }

  @ParameterizedTest
  @CsvSource({
    "/post/1?q=../z,./edit,/post/1/edit",
    "/post/1,../new,/post/new",
    "http://h/post/1?q,./edit,/post/1/edit",
    "/a#b/c,./x,/a/x",
    "//evil.test,./x,/evil.test/x"
  })
  void aLeadingDotIsRelativeToThePathOfTheRequest(String target, String url, String expected) {
    assertEquals(expected, location(target, "/blog", url));
  }

  @ParameterizedTest
  @CsvSource({
    "'',login,/login",
    "/blog,login,/blog/login",
    "/blog/admin,a/../b?c=d,/blog/admin/a/../b?c=d",
    "/blog,?x=1,/blog/?x=1",
    "'',mailto:x@y.test,/mailto:x@y.test",
    "'',backs,/backs"
  })
  void everythingElseIsRelativeToTheMountPath(String mountPath, String url, String expected) {
    assertEquals(expected, location("/x/y", mountPath, url));
  }

  @Test
  void theRewrittenUrlDoesNotMatter() {
    Request req = FakeExchange.of("GET", "/blog/a").request();
    req.url("/a");
    assertEquals("/blog/a/x", req.response().location("./x").get("Location"));
  }

  @ParameterizedTest
  @CsvSource({
    "Referer,http://prev.test/p?q,/",
    "Referrer,/local,/local",
    "Referer,http://LOCALHOST:3000/p?q,http://LOCALHOST:3000/p?q",
    "Referer,http://localhost/p,/",
    "Referer,https://localhost:3000/p,https://localhost:3000/p",
    "Referer,//evil.test,/",
    "Referer,./here,/",
    "X-Other,/x,/"
  })
  void backIsAReferrerOnTheSameHostOrTheRoot(String name, String value, String expected) {
    assertEquals(expected, location("/x", "/m", "back", "Host", "localhost:3000", name, value));
  }

  @Test
  void charactersThatAreInvalidInUrlsAreEncoded() {
    assertEquals("/%3Clame%3E%22&'%20%C3%A9", location("/x", "/blog", "/<lame>\"&' \u00e9"));
    assertEquals("/x/%C3%A9", location("/x", "", "./\u00e9"));
    assertEquals("/b/%C3%A9", location("/x", "/b", "\u00e9"));
    assertEquals("/%C3%A9/x", location("/x", "/\u00e9", "x"));
  }

  @ParameterizedTest
  @CsvSource({"/\u00c3\u00a9,/%C3%A9", "/\u00e9,/%C3%A9", "/%C3%A9,/%C3%A9"})
  void backEncodesTheBytesOfTheReferrer(String referrer, String expected) {
    assertEquals(expected, location("/x", "/m", "back", "Host", "h", "Referer", referrer));
  }

  @Test
  void charactersThatAreInvalidInHeadersAreEncodedOrRejected() {
    assertEquals("/%E2%82%AC?%F0%9F%98%80", location("/", "", "/\u20ac?\uD83D\uDE00"));
    Response res = new FakeExchange().response();
    assertThrows(IllegalArgumentException.class, () -> res.location("/a\r\nX: y"));
    assertNull(res.get("Location"));
  }
}
