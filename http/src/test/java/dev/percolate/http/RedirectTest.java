package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedirectTest {

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
    "/caf\u00e9/\u20ac,/x,'',/caf\u00e9/%E2%82%AC",
    "/already%20there,/x,'',/already%20there"
  })
  void theLocationIsFromTheRootFromThePathOrBelowTheMountPath(
      String url, String path, String mountPath, String location) {
    assertEquals(location, Redirect.location(url, path, mountPath));
  }

  @Test
  void thePageLinksWhatItEscapes() {
    assertEquals(
        "<p>Found. Redirecting to <a href=\"/a?b&amp;&lt;c&gt;\">/a?b&amp;&lt;c&gt;</a></p>",
        Redirect.body(true, 302, "/a?b&<c>"));
    assertEquals(
        "Moved Permanently. Redirecting to /a?b&%3Cc%3E", Redirect.body(false, 301, "/a?b&<c>"));
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
  void scriptsAreNoLinks(String location) {
    assertEquals(
        "<p>Found. Redirecting to " + Html.escape(location) + "</p>",
        Redirect.body(true, 302, location));
  }

  @ParameterizedTest
  @CsvSource({"/javascript:x", "http://a/data:", "database"})
  void whatOnlyHasOneInItIsALink(String location) {
    assertEquals(
        "<p>Found. Redirecting to <a href=\"" + location + "\">" + location + "</a></p>",
        Redirect.body(true, 302, location));
  }
}
