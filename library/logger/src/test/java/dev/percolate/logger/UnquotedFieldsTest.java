package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Unquoted fields whose values clients choose remain one field: {@code host ident authuser [date]}
 * of the Common Log Format has spaces between its fields, and brackets around its date.
 */
final class UnquotedFieldsTest {

  private static String basic(String user) {
    byte[] pair = (user + ":p").getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static String user(String format, String user) {
    return Lines.of(format, "/", "Authorization", basic(user));
  }

  private static String address(String format, String address) {
    Visit visit = new Visit("/");
    visit.exchange.remoteAddress(address);
    return Lines.of(format, visit);
  }

  @Test
  void blanksAndBracketsOfAUserAreEscaped() {
    assertEquals("john\\u0020doe", user(":remote-user", "john doe"));
    assertEquals("a\\u005bb\\u005d", user(":remote-user", "a[b]"));
    assertEquals("\\u0020", user(":remote-user", " "));
    assertEquals("HTTP\\u002fhost", user(":remote-user", "HTTP/host"));
  }

  @Test
  void blanksOfUnicodeAreEscaped() {
    assertEquals(
        "a\\u00a0b\\u2003c\\u3000d\\u1680", user(":remote-user", "a\u00a0b\u2003c\u3000d\u1680"));
  }

  @Test
  void theStrictGrammarRestoresTheUser() {
    for (String user : List.of("john doe", "a[b]", "] \"", "x\n- [10/Oct/2000 +0000] \"")) {
      assertEquals(user, CombinedLine.read(user("combined", user)).user());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"combined", "common", "short", "default"})
  @DisplayName("LOG-01: no address poses as the beginning of a line")
  void noAddressPosesAsTheBeginningOfALine(String format) {
    String forged = "1.2.3.4 - - [10/Oct/2000:13:55:36 +0000] \"GET /forged HTTP/1.1\" 200 1";
    String line = address(format, forged);
    assertTrue(line.startsWith("1.2.3.4\\u0020-\\u0020-\\u0020\\u005b10\\u002fOct"), line);
    assertEquals("-", line.split(" ", -1)[1]);
  }

  @Test
  void theTargetIsOneWordWithinItsQuotes() {
    assertEquals("\"GET /a\\u0020b HTTP/1.1\"", Lines.of("\":method :url HTTP/1.1\"", "/a b"));
    assertEquals("/a?b[c]=1", Lines.of(":url", "/a?b[c]=1"));
  }

  @Test
  void withinBracketsOnlyBracketsAreEscaped() {
    assertEquals("[j d\\u005d]", user("[:remote-user]", "j d]"));
  }

  @Test
  void withinQuotesNeitherIsEscaped() {
    assertEquals("\"j d]\" j\\u0020d\\u005d", user("\":remote-user\" :remote-user", "j d]"));
  }

  @Test
  void aCustomTokenOfThatNameIsEscapedToo() {
    Lines lines = new Lines();
    RequestLogger logger =
        lines.logger("- :remote-user [").with("remote-user", (req, res, args) -> "Ana Lu");
    new Visit("/").through(logger, Lines.OK);
    assertEquals("- Ana\\u0020Lu [", lines.only());
  }

  @Test
  void structuredLinesAndFormatFunctionsKeepBlanks() {
    Lines lines = new Lines();
    Visit visit = new Visit("/", "Authorization", basic("john doe"));
    visit.through(lines.logger(StructuredFormat.json().fields("remote-user")), Lines.OK);
    assertEquals("{\"remote_user\":\"john doe\"}", lines.only());
    lines.all.clear();
    visit = new Visit("/", "Authorization", basic("john doe"));
    visit.through(lines.logger((tokens, req, res) -> tokens.get("remote-user")), Lines.OK);
    assertEquals("john doe", lines.only());
  }

  @Test
  void manyBlanksTakeLinearTime() {
    StringBuilder line = new StringBuilder("x").append(" ".repeat(1_000_000));
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> FormatText.LineField.BARE.close(line, 1));
    assertEquals("x" + "\\u0020".repeat(1_000_000), line.toString());
  }
}
