package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Credentials are parsed as they were sent, and random text has none. */
final class BasicCredentialsFuzzTest {

  @FuzzTest
  void credentialsAreReadOrNone(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    BasicCredentials junk = BasicCredentials.parse(FuzzLines.text(data));
    assertTrue(junk == null || junk.username().indexOf(':') < 0);
    String logged = BasicCredentials.loggedUser(FuzzLines.text(data));
    assertTrue(logged == null || !logged.isEmpty());
    String token =
        Base64.getEncoder().encodeToString(("u:" + text).getBytes(StandardCharsets.UTF_8));
    BasicCredentials sent = BasicCredentials.parse("Basic " + token);
    boolean allowed = text.chars().noneMatch(c -> "\0\r\n\u2028\u2029".indexOf(c) >= 0);
    assertEquals(allowed ? new BasicCredentials("u", text) : null, sent);
  }
}
