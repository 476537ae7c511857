package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlencodedParserTest {

  private static final String FORM = "application/x-www-form-urlencoded";

  @Test
  void simpleFormsHaveNamesAndValues() {
    assertEquals(
        Map.of("a[b]", "1", "c", List.of("2", "3"), "d", "e f"),
        play("a[b]=1&c=2&c=3&d=e+f", BodyParsers.urlencoded()).body());
    assertEquals(Map.of(), play("", BodyParsers.urlencoded()).body());
  }

  @Test
  void extendedFormsNest() {
    UrlencodedParser parser = BodyParsers.urlencoded().extended(true);
    assertEquals(Map.of("a", Map.of("b", List.of("1"))), play("a[b][]=1", parser).body());
  }

  @Test
  void tooManyParametersAreRejected() {
    UrlencodedParser parser = BodyParsers.urlencoded().parameterLimit(2);
    assertEquals(Map.of("a", "1", "b", "2"), play("a=1&b=2", parser).body());
    Recorder seen = play("a=1&b=2&", parser);
    assertEquals("413 parameters.too.many too many parameters", seen.failure());
    assertEquals("a=1&b=2&", seen.error().field("body"));
    assertEquals(413, play("&".repeat(1000), BodyParsers.urlencoded()).error().status());
  }

  @Test // DECISIONS 5
  void onlyAnExplicitDepthRejectsDeeperNames() {
    String text = "a" + "[b]".repeat(33) + "=1";
    UrlencodedParser parser = BodyParsers.urlencoded().extended(true);
    assertDoesNotThrow(() -> play(text, parser).body());
    Recorder seen = play(text, parser.depth(32));
    assertEquals("400 querystring.parse.rangeError The input exceeded the depth", seen.failure());
    assertEquals(text, seen.error().field("body"));
    assertDoesNotThrow(() -> play(text, parser.depth(33)).body());
  }

  @Test
  void escapesFollowTheCharset() {
    UrlencodedParser parser = BodyParsers.urlencoded();
    assertEquals(Map.of("a", "\u00e9"), play("a=%C3%A9", parser).body());
    TestExchange latin = Post.of(FORM + "; charset=ISO-8859-1", "a=%E9");
    assertEquals(Map.of("a", "\u00e9"), Recorder.play(latin, parser).body());
    UrlencodedParser latinParser = parser.defaultCharset("iso-8859-1");
    assertEquals(Map.of("a", "\u00e9"), play("a=%E9", latinParser).body());
    TestExchange bytes = Post.of(FORM, "a=\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(Map.of("a", "\u00e9"), Recorder.play(bytes, latinParser).body());
  }

  @Test
  void sentinelAndEntitiesAreOptions() {
    UrlencodedParser parser = BodyParsers.urlencoded();
    assertEquals(
        Map.of("a", "\u00e9"),
        play("utf8=%26%2310003%3B&a=%E9", parser.charsetSentinel(true)).body());
    UrlencodedParser entities = parser.interpretNumericEntities(true).defaultCharset("iso-8859-1");
    assertEquals(Map.of("a", "\u263a"), play("a=%26%239786%3B", entities).body());
  }

  @ParameterizedTest // DECISIONS 10
  @DisplayName("BODY-17: other charsets are refused")
  @ValueSource(strings = {"utf-7", "koi8-r", "utf-16", "us-ascii", "windows-1252"})
  void otherCharsetsAreRejected(String charset) {
    TestExchange exchange = Post.of(FORM + "; charset=" + charset, "a=b");
    Recorder seen = Recorder.play(exchange, BodyParsers.urlencoded());
    String name = charset.toUpperCase(Locale.ROOT);
    assertEquals("415 charset.unsupported unsupported charset \"" + name + "\"", seen.failure());
    assertEquals(0, exchange.reads());
  }

  @Test // section 1
  void optionsAreCheckedWhenSet() {
    UrlencodedParser parser = BodyParsers.urlencoded();
    assertEquals(
        "defaultCharset must be utf-8 or iso-8859-1, was \"UTF-8\"",
        rejection(() -> parser.defaultCharset("UTF-8").limit(1)));
    assertEquals(
        "parameterLimit must be at least 1, was 0",
        rejection(() -> parser.parameterLimit(0).limit(1)));
    assertEquals(
        "depth must be at least 0, was -1",
        rejection(() -> parser.extended(true).depth(-1).limit(1)));
    assertEquals(
        "depth must be at least 0, was -1",
        rejection(() -> parser.depth(-1).extended(true).limit(1)));
    assertDoesNotThrow(() -> parser.depth(-1).limit(1));
  }

  private static String rejection(Executable option) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, option).getMessage());
  }

  private static Recorder play(String body, UrlencodedParser parser) {
    return Recorder.play(Post.of(FORM, body), parser);
  }
}
