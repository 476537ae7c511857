package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Normalising twice changes nothing, and each prefix of a normal path has a received part. */
final class NormalPathFuzzTest {

  @FuzzTest
  void aPathHasOneNormalForm(byte[] data) {
    String path = "/" + Target.path("/" + new String(data, StandardCharsets.ISO_8859_1));
    String normal = NormalPath.of(path);
    assertEquals(normal, NormalPath.of(normal));
    assertTrue(normal.startsWith("/") && normal.length() <= path.length(), normal);
    for (String part : normal.substring(1).split("/", -1)) {
      assertFalse(part.equals(".") || part.equals(".."), normal);
    }
    assertFalse(normal.contains("//"), normal);
    for (int end = normal.indexOf('/', 1); end > 0; end = normal.indexOf('/', end + 1)) {
      String rest = path.substring(NormalPath.sentLength(path, end));
      assertEquals(normal.substring(end), NormalPath.of(rest), path);
    }
    String decoded = NormalPath.decoded(normal);
    assertTrue(decoded.startsWith("/") && !decoded.contains("//"), decoded);
    if (!NormalPath.isDoubtful(path)) {
      assertFalse(NormalPath.isDoubtful(normal), path);
    }
    int escape = NormalPath.doubtfulEscape(normal);
    boolean slash = escape >= 0 && "2F5C".contains(normal.substring(escape + 1, escape + 3));
    assertTrue(escape < 0 || slash || Percent.decode(normal) == null, normal);
  }
}
