package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.nio.CharBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FormatTextTest {

  private static String line(String format) {
    return Lines.of(format, Visit.of("PUT", "/u"));
  }

  private static void token(String name, Object value) {
    RequestLogger.token(name, (req, res) -> value);
  }

  @Test
  void aNameHasTwoCharactersAtLeast() {
    token("x", "no");
    assertEquals(":x : :x[y] :", line(":x : :x[y] :"));
  }

  @Test
  void aTokenMayFollowAnyCharacter() {
    assertEquals("x/u:PUT/uPUT", line("x:url::method:url:method"));
  }

  @Test
  void namesHoldLettersDigitsHyphensAndUnderscores() {
    token("T_ok-2", "A");
    token("30", "B");
    token("--", "C");
    assertEquals("A.x 12B C(", line(":T_ok-2.x 12:30 :--("));
  }

  @Test
  void matchingIsGreedyAndMindsLetterCase() {
    for (String unknown : new String[] {":method-:url", ":url_", ":Method", "host:80"}) {
      assertThrows(AssertionError.class, () -> line(unknown));
    }
  }

  @Test
  void anUnknownTokenIsNoErrorUntilALineIsMade() {
    assertThrows(
        IllegalArgumentException.class,
        () -> {
          LineFormat format = RequestLogger.compile(":t-unknown");
          format.line(tokens(), tokens().req, tokens().res);
        });
  }

  @Test
  void anArgumentEndsAtTheFirstBracketAndIsNotTrimmed() {
    RequestLogger.token("t-show", (req, res, args) -> Arrays.toString(args));
    assertEquals("[[:method]]", line(":t-show[[:method]]"));
    assertEquals("[ a b ]x", line(":t-show[ a b ]x"));
    assertEquals("[][]", line(":t-show[]"));
    assertEquals("[][open PUT", line(":t-show[open :method"));
    assertEquals("[][", line(":t-show["));
  }

  @Test
  void aTokenThatTakesNoArgumentIgnoresIt() {
    assertEquals("PUT", line(":method[x]"));
  }

  @Test
  void falsyValuesAreWrittenAsAHyphen() {
    Object[] none = {
      null, "", false, 0, 0L, 0.0, -0.0, Double.NaN, Float.NaN, BigDecimal.ZERO, CharBuffer.wrap("")
    };
    for (Object value : none) {
      token("t-none", value);
      assertEquals("-", line(":t-none"), () -> "for " + value);
    }
  }

  @Test
  void otherValuesAreWrittenAsText() {
    Object[] some = {"0", " ", 42, 1.5, 42.0, true, CharBuffer.wrap("sb"), 'c'};
    String[] texts = {"0", " ", "42", "1.5", "42", "true", "sb", "c"};
    for (int i = 0; i < some.length; i++) {
      token("t-some", some[i]);
      assertEquals(texts[i], line(":t-some"));
    }
  }

  @Test
  void literalTextIsWrittenUnchanged() {
    String literal = "\"\\ $1 %s ${x} \t\n\u0007 Zo\u00eb \u2028 \ud83d\ude00";
    assertEquals(literal, line(literal));
  }

  @Test
  void quotesBackslashesAndControlsOfAnArgumentArriveEscaped() {
    String[] got = new String[1];
    RequestLogger.token("t-arg", (req, res, args) -> got[0] = (String) args[0]);
    assertEquals("a\\\\\\\"b", line(":t-arg[a\"b]"));
    assertEquals("a\\\"b", got[0]);
    line(":t-arg[c\\d\n\t\u001f\u007f\u2028]");
    assertEquals("c\\\\d\\n\\t\\u001f\u007f\u2028", got[0]);
  }

  @Test
  void aTokenMayOccurTwiceAndAFormatMayBeEmpty() {
    assertEquals("PUTPUT", line(":method:method"));
    assertEquals("", Lines.of(RequestLogger.compile("")));
  }

  private static Tokens tokens() {
    Tokens[] seen = new Tokens[1];
    Lines.of(
        (tokens, req, res) -> {
          seen[0] = tokens;
          return "";
        });
    return seen[0];
  }
}
