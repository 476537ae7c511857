package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
    FakeExchange named = FakeExchange.of(TEXT + "; Charset=\"ISO-8859-1\"", latin);
    assertEquals("\u00e9", Recorder.play(named, BodyParsers.text()).body());
    TextParser parser = BodyParsers.text().defaultCharset("latin1");
    assertEquals("\u00e9", Recorder.play(FakeExchange.of(TEXT, latin), parser).body());
    FakeExchange empty = FakeExchange.of(TEXT + ";charset=", latin);
    assertEquals("\u00e9", Recorder.play(empty, parser).body());
  }

  @Test
  void unknownDefaultCharsetRefusesOnlyRequestsThatNeedIt() {
    TextParser parser = BodyParsers.text().defaultCharset("nosuch");
    Recorder seen = Recorder.play(FakeExchange.of(TEXT, "x"), parser);
    assertEquals("415 charset.unsupported unsupported charset \"NOSUCH\"", seen.failure());
    FakeExchange named = FakeExchange.of(TEXT + ";charset=utf-8", "x");
    assertEquals("x", Recorder.play(named, parser).body());
  }

  @Test
  void characterMayBeSplitBetweenPieces() {
    FakeExchange exchange = FakeExchange.of(TEXT, "\u00e9\ud83d\ude00").cut(1);
    assertEquals("\u00e9\ud83d\ude00", Recorder.play(exchange, BodyParsers.text()).body());
  }

  private static Recorder play(String type, String body) {
    return Recorder.play(FakeExchange.of(type, body), BodyParsers.text());
  }
}
