package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.http.CookieSignature;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CookieParserTest {

  private static final CookieParser PLAIN = CookieParser.of();
  private static final CookieParser CAT = CookieParser.of("cat");

  @Test
  void withoutCookiesBothMapsAreEmpty() {
    Parsed none = parse(Call.get("/"), PLAIN);
    assertEquals(new Parsed(Map.of(), Map.of(), null), none);
    assertEquals(none, parse("", PLAIN));
    assertEquals(new Parsed(Map.of(), Map.of(), "cat"), parse("", CAT));
  }

  @Test
  void aHeaderIsSplitIntoNamesAndValues() {
    Map<String, Object> cookies =
        parse("a=\"q v\"; b = x ;c; =empty; d=; e=1=2; a=second; q=\"x;A=1", PLAIN).cookies();
    assertEquals(
        Map.of("a", "q v", "b", "x", "", "empty", "d", "", "e", "1=2", "q", "", "A", "1"), cookies);
    assertEquals(List.of("a", "b", "", "d", "e", "q", "A"), new ArrayList<>(cookies.keySet()));
  }

  @Test
  void valuesArePercentDecodedAndBrokenOnesStay() {
    assertEquals(
        Map.of("u", "\u00e9t\u00e9", "v", "100%", "w", "%zz", "p", "a+b", "q", "\"x\""),
        parse("u=%C3%A9t%C3%A9; v=100%; w=%zz; p=a+b; q=%22x%22", PLAIN).cookies());
  }

  @Test
  void anotherDecodingMayBeChosen() {
    CookieParser parser = CAT.decode(value -> URLDecoder.decode(value, StandardCharsets.UTF_8));
    Parsed parsed = parse("p=a+b; v=100%; s=" + "s:" + CookieSignature.sign("x", "cat"), parser);
    assertEquals(Map.of("p", "a b", "v", "100%"), parsed.cookies());
  }

  @Test
  void signedValuesMoveOrAreFalse() {
    String right = "s%3Amila.2Qr5hRK7%2F2dkMJ0g3Q94B4rse%2F9DvIbqmax4sfMABOU";
    String wrong = "s%3Amila.42TNE433ZPYtyKjuVTQL7B4OBdKj5feQLAVg%2B95UD14";
    Parsed parsed = parse("plain=1; who=" + right + "; x=" + wrong + "; t=s:abc; v=s%3A", CAT);
    assertEquals(Map.of("plain", "1"), parsed.cookies());
    assertEquals(Map.of("who", "mila", "x", false, "t", false, "v", false), parsed.signed());
    assertEquals("cat", parsed.secret());
    assertEquals(
        Map.of("who", "s:mila.2Qr5hRK7/2dkMJ0g3Q94B4rse/9DvIbqmax4sfMABOU"),
        parse("who=" + right, PLAIN).cookies());
  }

  @Test
  void aValueIsSignedUpToItsLastDot() {
    String signed = CookieSignature.sign("a.b.", "cat").replace("+", "%2B").replace("/", "%2F");
    assertEquals(Map.of("x", "a.b."), parse("x=s:" + signed, CAT).signed());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "j:0", "j:-0.0", "j:false", "j:null", "j:\"\"", "j:", "j:{bad", "J:5", "j:[", "xj:5"
      })
  void whatIsNoJsonOrMeansNothingStaysText(String value) {
    assertEquals(Map.of("x", value), parse("x=" + value, PLAIN).cookies());
  }

  @Test
  void jsonIsReadInBothMaps() {
    Map<String, Object> cookies =
        parse("o=j%3A%7B%22a%22%3A%5B1%2Ctrue%5D%7D; s=j:\"text\"; t=j:true; e=j:[]", PLAIN)
            .cookies();
    assertEquals("{a=[1, true]} text true []", values(cookies, "o", "s", "t", "e"));
    String signed = CookieSignature.sign("j:{\"x\":\"y\"}", "k").replace("+", "%2B");
    assertEquals("{x=y}", values(parse("o=s:" + signed, CookieParser.of("k")).signed(), "o"));
    String bad = CookieSignature.sign("j:{nope", "k").replace("+", "%2B");
    assertEquals("j:{nope", values(parse("o=s:" + bad, CookieParser.of("k")).signed(), "o"));
  }

  @Test
  void aSecondParserDoesNothing() {
    String cookie = "o=s:" + CookieSignature.sign("v", "k").replace("+", "%2B");
    Parsed parsed = parse(cookie, PLAIN, CookieParser.of("k"));
    assertNull(parsed.secret());
    assertEquals(Map.of(), parsed.signed());
  }

  @Test
  void anEmptySecretIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> CookieParser.of(""));
  }

  private static String values(Map<String, Object> map, String... names) {
    List<String> values = new ArrayList<>();
    for (String name : names) {
      values.add(String.valueOf(map.get(name)));
    }
    return String.join(" ", values);
  }

  private static Parsed parse(String cookie, Middleware... parsers) {
    return parse(Call.get("/").header("Cookie", cookie), parsers);
  }

  private static Parsed parse(Call call, Middleware... parsers) {
    AtomicReference<Parsed> parsed = new AtomicReference<>();
    Handler end =
        (req, res) -> {
          parsed.set(
              new Parsed(
                  req.attr(Request.COOKIES),
                  req.attr(Request.SIGNED_COOKIES),
                  req.attrOrNull(Request.SECRET)));
          res.send("");
        };
    Lint lint = new Lint();
    List<Middleware> steps = new ArrayList<>();
    for (Middleware parser : parsers) {
      steps.add(lint.around(parser));
    }
    steps.add(end);
    Service service = Service.of(new Settings(), steps.toArray(Middleware[]::new));
    assertEquals(200, call.to(lint.service(service)).status());
    lint.check();
    return parsed.get();
  }

  /** Holds what a parser left on the request. */
  private record Parsed(
      Map<String, Object> cookies, Map<String, Object> signed, @Nullable String secret) {}
}
