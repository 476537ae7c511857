package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextParserTest {

  private static final String TEXT = "text/plain";

  @Test
  void bodyIsTextAlsoWhenEmpty() {
    assertEquals("\u00e9", play(TEXT, "\u00e9").body());
    assertEquals("", play(TEXT, "").body());
    assertNull(play("text/html", "x").body());
  }

  @Test
  void charsetIsThatOfTheTypeElseTheDefault() {
    byte[] latin = "\u00e9".getBytes(StandardCharsets.ISO_8859_1);
    TestExchange named = Post.of(TEXT + "; Charset=\"ISO-8859-1\"", latin);
    assertEquals("\u00e9", Recorder.play(named, BodyParsers.text()).body());
    TextParser parser = BodyParsers.text().defaultCharset("latin1");
    assertEquals("\u00e9", Recorder.play(Post.of(TEXT, latin), parser).body());
    TestExchange empty = Post.of(TEXT + ";charset=", latin);
    assertEquals("\u00e9", Recorder.play(empty, parser).body());
  }

  @Test
  void unknownDefaultCharsetRejectsOnlyRequestsThatNeedIt() {
    TextParser parser = BodyParsers.text().defaultCharset("nosuch");
    Recorder seen = Recorder.play(Post.of(TEXT, "x"), parser);
    assertEquals("415 charset.unsupported unsupported charset \"NOSUCH\"", seen.failure());
    TestExchange named = Post.of(TEXT + ";charset=utf-8", "x");
    assertEquals("x", Recorder.play(named, parser).body());
  }

  @Test
  void characterMayBeSplitBetweenPieces() {
    TestExchange exchange = Post.of(TEXT, "\u00e9\ud83d\ude00").chunkSize(1);
    assertEquals("\u00e9\ud83d\ude00", Recorder.play(exchange, BodyParsers.text()).body());
  }

  private static Recorder play(String type, String body) {
    return Recorder.play(Post.of(type, body), BodyParsers.text());
  }
}
