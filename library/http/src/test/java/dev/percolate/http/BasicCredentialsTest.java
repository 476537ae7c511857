package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BasicCredentialsTest {

  private static String header(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }

  @Test
  void nameAndPasswordAreSplitAtTheFirstColon() {
    assertEquals(new BasicCredentials("tj", "a:b"), BasicCredentials.parse(header("tj:a:b")));
    assertEquals(new BasicCredentials("", ""), BasicCredentials.parse(header(":")));
    assertEquals(
        new BasicCredentials("\u00e9", "\u2713"), BasicCredentials.parse(header("\u00e9:\u2713")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Basic dGo6cHc=", "basic dGo6cHc", "  BASIC   dGo6cHc==  ", "bAsIc d.Go6cHc="})
  void schemeSpacesAndPaddingAreParsedLeniently(String header) {
    assertEquals(new BasicCredentials("tj", "pw"), BasicCredentials.parse(header));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Basic",
        "Basic ",
        "Basic =",
        "BasicdGo6cHc=",
        "Bearer dGo6cHc=",
        "Ba\u017fic dGo6cHc=",
        "Basic\tdGo6cHc=",
        "\tBasic dGo6cHc=",
        "Basic dGo6cHc= x",
        "Basic dGo6=cHc",
        "Basic dGo,cHc",
        "Basic dGo6cHc=\t",
        "Basic \u00e9",
        "xBasic dGo6cHc="
      })
  void returnsNullForOtherHeaders(String header) {
    assertNull(BasicCredentials.parse(header));
    assertNull(BasicCredentials.loggedUser(header));
  }

  @Test
  void returnsNullForAbsentHeaders() {
    assertNull(BasicCredentials.parse(null));
    assertNull(BasicCredentials.loggedUser(null));
  }

  @Test
  void decodesTheUrlAlphabet() {
    assertEquals(
        new BasicCredentials("a", "\u00ff\u00be?"), BasicCredentials.parse("Basic YTrDv8K-Pw"));
    assertEquals(new BasicCredentials("a", "??"), BasicCredentials.parse("Basic YTo_Pw"));
  }

  @Test
  void aColonIsNeeded() {
    assertNull(BasicCredentials.parse(header("tj")));
    assertNull(BasicCredentials.loggedUser(header("tj")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\u2028", "\u2029"})
  void lineBreaksAreRejected(String lineBreak) {
    assertNull(BasicCredentials.parse(header("a" + lineBreak + ":b")));
    assertNull(BasicCredentials.parse(header("a:b" + lineBreak)));
    assertEquals("a" + lineBreak, BasicCredentials.loggedUser(header("a" + lineBreak + ":b")));
    assertNull(BasicCredentials.loggedUser(header("a:b" + lineBreak)));
  }

  @Test
  void theLoggedNameEndsAtTheFirstColonAndIsNotEmpty() {
    assertEquals("tj", BasicCredentials.loggedUser(header("tj:a:b")));
    assertNull(BasicCredentials.loggedUser(header(":pw")));
    assertEquals("a\ufffd", BasicCredentials.loggedUser("Basic Yf86"));
  }

  @Test
  void thePasswordIsNotShown() {
    assertFalse(new BasicCredentials("tj", "secret").toString().contains("secret"));
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    assertNull(BasicCredentials.parse(" ".repeat(100_000) + "x"));
    assertNull(BasicCredentials.parse("Basic a" + "=".repeat(100_000) + "a"));
    assertNull(BasicCredentials.parse("Basic " + "A".repeat(100_000)));
    assertNotNull(BasicCredentials.parse(header("a:" + ":".repeat(100_000))));
  }

  @Test
  void strictParsingAcceptsAnyLetterCaseAndAnyNumberOfSpaces() {
    assertEquals(new BasicCredentials("a", "b:c"), BasicCredentials.parseExactly("Basic YTpiOmM="));
    assertEquals(new BasicCredentials("", ""), BasicCredentials.parseExactly("Basic Og"));
    for (String scheme : new String[] {"basic", "BASIC", "bAsIc"}) {
      assertEquals(
          new BasicCredentials("a", "b"), BasicCredentials.parseExactly(scheme + " YTpi"), scheme);
    }
    for (String blanks : new String[] {"Basic  YTpi", "Basic     YTpi", "Basic YTpi  "}) {
      assertEquals(new BasicCredentials("a", "b"), BasicCredentials.parseExactly(blanks), blanks);
    }
    String longS = "Ba\u017Fic YTpi";
    for (String wrong :
        new String[] {
          "", "Basic", "Basic ", "Basi YTpi", "BasicYTpi", "Basic YTpi x", "Basic\tYTpi", longS
        }) {
      assertNull(BasicCredentials.parseExactly(wrong), wrong);
    }
    assertNull(BasicCredentials.parseExactly("Basic YQ=="));
  }

  @Test
  void manySpacesDoNotTakeQuadraticTime() {
    String spaces = " ".repeat(1_000_000); // would take an hour
    for (String wrong :
        new String[] {spaces + "Basic" + spaces + "x y", "Basic" + spaces + "x y"}) {
      Duration enough = Duration.ofSeconds(20);
      assertTimeoutPreemptively(enough, () -> assertNull(BasicCredentials.parse(wrong)));
      assertTimeoutPreemptively(enough, () -> assertNull(BasicCredentials.parseExactly(wrong)));
    }
  }
}
