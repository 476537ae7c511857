package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Locale;

/** Relative URLs stay on their host, and only the own host is the same site. */
final class RelativeUrlFuzzTest {

  @FuzzTest
  void aRelativeUrlNamesNoOtherHost(byte[] data) {
    String[] lines = FuzzLines.of(data, 2);
    String folder = "/" + lines[0];
    String url = lines[1];
    if (url.startsWith(".")) {
      assertStays(RelativeUrl.resolve(folder, url));
    }
    if (!url.contains("://")) {
      assertStays(RelativeUrl.under("/mount", url));
      assertStays(RelativeUrl.under("", url));
    }
    if (Referrer.isSameSite(url, "http", "shop.test")) {
      boolean path = url.startsWith("/") && !url.startsWith("//") && !url.startsWith("/\\");
      String lower = url.toLowerCase(Locale.ROOT);
      assertTrue(
          path || lower.matches("(?s)https?://shop\\.test(:|:80|:443)?([/?#].*)?"), () -> url);
    }
  }

  private static void assertStays(String location) {
    assertTrue(location.startsWith("/"), location);
    assertFalse(location.startsWith("//") || location.startsWith("/\\"), location);
  }
}
