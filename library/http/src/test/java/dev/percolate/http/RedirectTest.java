package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code Location} header (RFC 9110 section 10.2.2) and the body of redirects. */
class RedirectTest {

  private static String location(String url, String path, String mountPath) {
    return HeaderEncoding.ASCII.location(Redirect.resolve(url, path, mountPath));
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/a?b#c,/x,/mount,http://example.com/a?b#c",
    "//example.com/a,/x,/mount,//example.com/a",
    "/from/root,/x,/mount,/from/root",
    "foo,/x,'',/foo",
    "foo,/x/y,/mount,/mount/foo",
    "./foo,/x/y,/mount,/x/y/foo",
    "../foo,/x/y,/mount,/x/foo",
    "../foo,/x/y#../../z,/mount,/x/foo",
    "/caf\u00e9/\u20ac,/x,'',/caf%C3%A9/%E2%82%AC",
    "./caf\u00e9 100%,/x,'',/x/caf%C3%A9%20100%25",
    "/already%20there,/x,'',/already%20there",
    "com.example.app:/oauth?code=1,/x,/mount,com.example.app:/oauth?code=1",
    "com.example.app://oauth?code=1,/x,/mount,com.example.app://oauth?code=1",
    "http:/example.com,/x,/mount,/mount/http:/example.com",
    "a/b.c:/d,/x,/mount,/mount/a/b.c:/d",
    "./a.b:/c,/x,/mount,/x/a.b:/c"
  })
  void theLocationIsAbsoluteOrRelativeToThePathOrMountPath(
      String url, String path, String mountPath, String location) {
    assertEquals(location, location(url, path, mountPath));
  }

  /** Parses a URL as browsers do: removes tabs and line breaks, treats backslashes as slashes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/\\evil.com",
        "\\\\evil.com",
        "\\/evil.com",
        "/\t/evil.com",
        "\t//evil.com",
        "\t\\\\evil.com",
        "/\t\\evil.com",
        "https:\\\\evil.com",
        "\\\\evil.com/://",
        "/\\evil.com?://",
        "./\\evil.com",
        "/\\\t/evil.com",
        " //evil.com",
        "./\\\\evil.com",
        "\\\tevil.com/://",
        "/\\\\evil.com"
      })
  void backslashesAndTabsDoNotTurnAPathIntoAHost(String url) {
    for (String mount : List.of("", "/mount")) {
      String location = location(url, "/x", mount);
      assertEquals(-1, location.indexOf('\\'), location);
      assertEquals(-1, location.indexOf('\t'), location);
      URI read = URI.create("http://own.example/x").resolve(location);
      assertEquals("own.example", read.getHost(), location);
    }
  }

  @Test
  void theHtmlBodyHasAnEscapedLink() {
    assertEquals(
        "<p>Found. Redirecting to <a href=\"/a?b&amp;&lt;c&gt;\">/a?b&amp;&lt;c&gt;</a></p>",
        Redirect.body(true, 302, "/a?b&<c>"));
    assertEquals(
        "Moved Permanently. Redirecting to /a?b&%3Cc%3E", Redirect.body(false, 301, "/a?b&<c>"));
  }

  @Test
  void plainTextShowsTheUrlEncodedOnce() {
    assertEquals(
        "Found. Redirecting to /%E6%97%A5%20x", Redirect.body(false, 302, "/%E6%97%A5%20x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a\r\nX: y", "/a\nb", "/a\0", "/a\u007f"})
  void lineBreaksAreRejected(String url) {
    assertThrows(IllegalArgumentException.class, () -> HeaderEncoding.ASCII.location(url));
  }

  @ParameterizedTest
  @CsvSource({
    "/<lame>\u00e9,/<lame>\u00e9",
    "/\u20ac,/%E2%82%AC",
    "/\\evil.test,/%5Cevil.test",
    "http://a.test\\@evil.test,http://a.test/@evil.test"
  })
  void latin1LocationsAreNotEncoded(String url, String expected) {
    assertEquals(expected, HeaderEncoding.LATIN1.location(url));
  }

  @ParameterizedTest
  @CsvSource({
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "vbscript:x",
    "'data:text/html,x'",
    "' javascript:x'",
    "'java\tscript:x'"
  })
  void scriptUrlsAreNotLinks(String location) {
    assertEquals(
        "<p>Found. Redirecting to " + Html.escape(location) + "</p>",
        Redirect.body(true, 302, location));
  }

  @ParameterizedTest
  @CsvSource({"/javascript:x", "http://a/data:", "database"})
  void urlsThatContainAScriptSchemeAreLinks(String location) {
    assertEquals(
        "<p>Found. Redirecting to <a href=\"" + location + "\">" + location + "</a></p>",
        Redirect.body(true, 302, location));
  }
}
