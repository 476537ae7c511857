package dev.percolate.inspector.reload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReloadScriptTest {

  private static String hash() throws Exception {
    String element = ReloadScript.element("1");
    String text = element.substring(element.indexOf('>') + 1, element.indexOf("</script>"));
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "default-src 'self'                | default-src 'self'; script-src 'self' HASH",
        "default-src 'none'                | default-src 'none'; script-src HASH; connect-src 'self'",
        "script-src 'nonce-a'              | script-src 'nonce-a' HASH",
        "script-src 'self' 'unsafe-inline' | script-src 'self' 'unsafe-inline'",
        "script-src 'unsafe-inline' 'nonce-a' | script-src 'unsafe-inline' 'nonce-a' HASH",
        "script-src-elem a; script-src b   | script-src-elem a HASH; script-src b",
        "connect-src https://a; img-src *  | connect-src https://a 'self'; img-src *",
        "frame-ancestors 'none'            | frame-ancestors 'none'",
        "img-src *, default-src a          | img-src *, default-src a; script-src a HASH; connect-src a 'self'",
      })
  void policiesAllowTheScript(String policy, String expected) throws Exception {
    assertEquals(expected.replace("HASH", hash()), ReloadScript.allowedBy(policy));
  }

  @Test
  void theElementIsSafe() {
    String element = ReloadScript.element("\"><b>");
    assertTrue(element.startsWith("\n<script data-version=\"&quot;&gt;&lt;b&gt;\">"), element);
    assertEquals(1, element.split("</script>", -1).length - 1);
  }
}
