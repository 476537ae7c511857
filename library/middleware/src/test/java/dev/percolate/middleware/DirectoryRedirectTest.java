package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.http.Target;
import dev.percolate.middleware.files.DirectoryRedirect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DirectoryRedirectTest {

  @ParameterizedTest
  @CsvSource({
    "/users,/users/",
    "/users?x=%20&y,/users/?x=%20&y",
    "/users?,/users/?",
    "/a&b,/a&b/",
    "/it's,/it's/",
    "/x%20y,/x%20y/",
    "http://h/users?q,/users/?q"
  })
  void theLocationIsTheOriginalPathWithASlash(String target, String location) {
    assertEquals(location, location(target));
  }

  @ParameterizedTest // STA-08
  @CsvSource({
    "//users,/users/",
    "///users?x,/users/?x",
    "//evil.example/..,/evil.example/../",
    "/\\evil.example/..,/%5Cevil.example/../",
    "\\\\evil.example/..,/%5C%5Cevil.example/../",
    "//\\evil.example/%2e%2e,/%5Cevil.example/%2e%2e/"
  })
  void theLocationIsNeverAnotherHost(String target, String location) {
    assertEquals(location, location(target));
  }

  @Test
  void charactersThatAreInvalidInHeadersAreEscaped() {
    assertEquals("/%C3%BC%20%01/", location("/\u00fc \u0001"));
  }

  private static String location(String target) {
    return DirectoryRedirect.location(Target.path(target), Target.query(target));
  }
}
