package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.CookieOptions;
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
import org.junit.jupiter.params.provider.ValueSource;

final class CookieParserTest {

  private static final CookieParser PLAIN = CookieParser.of();
  private static final CookieParser CAT = CookieParser.of("cat");
  private static final Settings EXPRESS =
      new Settings().set("cookie signature", "express").set("json cookies", true);

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
  void valuesArePercentDecodedUnlessInvalid() {
    assertEquals(
        Map.of("u", "\u00e9t\u00e9", "v", "100%", "w", "%zz", "p", "a+b", "q", "\"x\""),
        parse("u=%C3%A9t%C3%A9; v=100%; w=%zz; p=a+b; q=%22x%22", PLAIN).cookies());
  }

  @Test
  void theDecoderCanBeReplaced() {
    CookieParser parser = CAT.decode(value -> URLDecoder.decode(value, StandardCharsets.UTF_8));
    Parsed parsed = parse("p=a+b; v=100%; s=" + "s:" + CookieSignature.sign("x", "cat"), parser);
    assertEquals(Map.of("p", "a b", "v", "100%"), parsed.cookies());
  }

  @Test
  void aValueIsUnchangedIfTheDecoderThrows() {
    CookieParser parser = PLAIN.decode(value -> value.substring(2)).json(false);
    assertEquals(Map.of("a", "x", "b", "y"), parse("a=12x; b=y", parser).cookies());
  }

  @Test
  void signedValuesMoveToTheSignedCookiesOrAreFalse() {
    String right = "s%3Amila.2Qr5hRK7%2F2dkMJ0g3Q94B4rse%2F9DvIbqmax4sfMABOU";
    String wrong = "s%3Amila.42TNE433ZPYtyKjuVTQL7B4OBdKj5feQLAVg%2B95UD14";
    String header = "plain=1; who=" + right + "; x=" + wrong + "; t=s:abc; v=s%3A";
    Parsed parsed = parse(EXPRESS, Call.get("/").header("Cookie", header), CAT);
    assertEquals(Map.of("plain", "1"), parsed.cookies());
    assertEquals(Map.of("who", "mila", "x", false, "t", false, "v", false), parsed.signed());
    assertEquals("cat", parsed.secret());
    assertEquals(
        Map.of("who", "s:mila.2Qr5hRK7/2dkMJ0g3Q94B4rse/9DvIbqmax4sfMABOU"),
        parse("who=" + right, PLAIN).cookies());
  }

  @Test
  void aValueIsSignedUpToItsLastDot() {
    String signed = CookieSignature.sign("cookie", "x", "a.b.", "cat");
    assertEquals(Map.of("x", "a.b."), parse("x=s:" + signed, CAT).signed());
  }

  @Test
  void aSignatureIsValidOnlyForItsCookie() {
    String ours = "s:" + CookieSignature.sign("cookie", "a", "v", "cat");
    String session = "s:" + CookieSignature.sign("session", "c", "v", "cat");
    String express = "s:" + CookieSignature.sign("v", "cat");
    String header = "a=" + ours + "; b=" + ours + "; c=" + session + "; d=" + express;
    assertEquals(Map.of("a", "v", "b", false, "c", false, "d", false), parse(header, CAT).signed());
    Call call = Call.get("/").header("Cookie", header);
    assertEquals(
        Map.of("a", false, "b", false, "c", false, "d", "v"), parse(EXPRESS, call, CAT).signed());
    Settings both = new Settings().set("cookie signature", "both");
    assertEquals(
        Map.of("a", "v", "b", false, "c", false, "d", "v"), parse(both, call, CAT).signed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"j:{\"admin\":true}", "s:x.y", "t:j:5", "t:dark", "plain", "j:", "", "t:"})
  void aStringIsRestoredAsTheSameString(String text) {
    for (boolean signed : new boolean[] {false, true}) {
      Handler set =
          (req, res) -> {
            Object ignored = res.cookie("x", text, CookieOptions.none().signed(signed));
            res.send("");
          };
      String line = String.valueOf(Played.reply(Call.get("/"), CAT, set).header("Set-Cookie"));
      Parsed parsed = parse(line.substring(0, line.indexOf(';')), CAT.json(true));
      assertEquals(text, (signed ? parsed.signed() : parsed.cookies()).get("x"), line);
      assertEquals(1, parsed.signed().size() + parsed.cookies().size(), line);
    }
  }

  @Test
  void aMapIsRestoredIfTheCookieIsSignedOrJsonIsEnabled() {
    Handler set =
        (req, res) -> {
          Object both =
              res.cookie("a", Map.of("n", 1), CookieOptions.none().signed(true))
                  .cookie("b", Map.of("n", 2));
          res.send("" + (both == res));
        };
    List<String> pairs = new ArrayList<>();
    for (String line : Played.reply(Call.get("/"), CAT, set).all("Set-Cookie")) {
      pairs.add(line.substring(0, line.indexOf(';')));
    }
    String header = String.join("; ", pairs);
    Parsed parsed = parse(header, CAT);
    assertEquals(Map.of("a", Map.of("n", 1)), parsed.signed());
    assertEquals(Map.of("b", "j:{\"n\":2}"), parsed.cookies());
    assertEquals(Map.of("b", Map.of("n", 2)), parse(header, CAT.json(true)).cookies());
  }

  @Test
  void theJsonOptionOverridesTheSetting() {
    Call call = Call.get("/").header("Cookie", "a=j:[1]");
    Settings reads = new Settings().set(CookieParser.JSON, true);
    assertEquals(List.of(1), parse(reads, call, PLAIN).cookies().get("a"));
    assertEquals("j:[1]", parse(reads, call, PLAIN.json(false)).cookies().get("a"));
    assertEquals("j:[1]", parse(new Settings(), call, PLAIN).cookies().get("a"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "j:0", "j:-0.0", "j:false", "j:null", "j:\"\"", "j:", "j:{bad", "J:5", "j:[", "xj:5"
      })
  void invalidOrFalsyJsonRemainsAString(String value) {
    assertEquals(Map.of("x", value), parse("x=" + value, PLAIN.json(true)).cookies());
  }

  @Test
  void jsonIsParsedInBothMaps() {
    String header = "o=j%3A%7B%22a%22%3A%5B1%2Ctrue%5D%7D; s=j:\"text\"; t=j:true; e=j:[]";
    Map<String, Object> cookies = parse(header, PLAIN.json(true)).cookies();
    assertEquals("{a=[1, true]} text true []", values(cookies, "o", "s", "t", "e"));
    String signed = CookieSignature.sign("cookie", "o", "j:{\"x\":\"y\"}", "cat");
    assertEquals("{x=y}", values(parse("o=s:" + signed, CAT).signed(), "o"));
    String bad = CookieSignature.sign("cookie", "o", "j:{nope", "cat");
    assertEquals("j:{nope", values(parse("o=s:" + bad, CAT).signed(), "o"));
  }

  @Test
  void aSecondParserDoesNothing() {
    String cookie = "o=s:" + CookieSignature.sign("cookie", "o", "v", "k");
    Parsed parsed = parse(cookie, PLAIN, CookieParser.of("k"));
    assertNull(parsed.secret());
    assertEquals(Map.of(), parsed.signed());
  }

  @Test
  void anEmptySecretIsRejected() {
    assertEquals(
        "CookieParser.of: the secret must not be empty",
        Played.rejection(() -> CookieParser.of("")));
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
    return parse(new Settings(), call, parsers);
  }

  private static Parsed parse(Settings settings, Call call, Middleware... parsers) {
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
    Service service = Chain.service(settings, steps.toArray(Middleware[]::new));
    assertEquals(200, call.to(lint.service(service)).status());
    lint.check();
    return parsed.get();
  }

  /** The attributes that a parser set. */
  private record Parsed(
      Map<String, Object> cookies, Map<String, Object> signed, @Nullable String secret) {}
}
