package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VirtualHostTest {

  private static final Handler MATCH =
      (req, res) -> {
        VirtualHost.Match match = req.attr(VirtualHost.MATCH);
        res.send(match.host() + " " + match.hostname() + " " + match.groups());
      };
  private static final Handler NONE = (req, res) -> res.send("none");

  @ParameterizedTest
  @CsvSource({
    "*, any.where:80, true",
    "a*c, ac, true",
    "a*c, abbc, true",
    "a*c, abcd, false",
    "*.a.*, x.a.b.a.y, true",
    "*.a.*, a.b, false",
    "[::1], [::1]:8080, true",
    "UPPER.x, upper.X, true",
    "a.b, a_b, false",
    "a.b, a.b., false",
    "m\u00fcnchen.example, xn--mnchen-3ya.example, true",
  })
  void aStarMatchesAnyText(String name, String host, boolean meant) {
    assertEquals(meant, !reply(VirtualHost.of(name, MATCH), host).equals("200 none"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a.example:80",
        "http://a.example",
        "a.example/b",
        "a b",
        "*.m\u00fcnchen.example"
      })
  void namesThatNoHostCanMatchAreRejected(String name) {
    assertEquals(
        "host \"" + name + "\" must be a name such as www.example.com, without a port",
        Played.rejection(() -> VirtualHost.of(name, MATCH)));
  }

  @Test
  void aPlainNameHasNoGroups() {
    assertEquals("200 b.a:1 b.a []", reply(VirtualHost.of("*.a", MATCH), "b.a:1"));
  }

  @Test
  void anExpressionMatchesTheWholeNameInAnyCase() {
    assertEquals(
        "200 X.Y X.Y [X]", reply(VirtualHost.of(Pattern.compile("(x)\\.y"), MATCH), "X.Y"));
    assertEquals("200 none", reply(VirtualHost.of(Pattern.compile("x"), MATCH), "xx"));
    assertEquals("200 none", reply(VirtualHost.of(Pattern.compile("^x$"), MATCH), "ax"));
    assertEquals("200 none", reply(VirtualHost.of(Pattern.compile("x\\$"), MATCH), "x$y"));
    assertEquals("200 b b [null]", reply(VirtualHost.of(Pattern.compile("(a)?b"), MATCH), "b"));
  }

  @ParameterizedTest
  @CsvSource({
    "a\\.example|b\\.example, a.example, true",
    "a\\.example|b\\.example, B.EXAMPLE:80, true",
    "a\\.example|b\\.example, a.example.evil.com, false",
    "a\\.example|b\\.example, evilb.example, false",
    "^a\\.example|b\\.example$, evilb.example, false",
    "a|ab, ab, true",
    "(?:a|b)\\.example$, xa.example, false",
  })
  void eachAlternativeOfAnExpressionMustMatchTheWholeName(
      String expression, String host, boolean meant) {
    Middleware virtual = VirtualHost.of(Pattern.compile(expression), MATCH);
    assertEquals(meant, !reply(virtual, host).equals("200 none"));
  }

  @Test
  @DisplayName("REQ-03: the host that middleware sees is matched")
  void theHostThatMiddlewareSeesIsMatched() {
    Handler host = (req, res) -> res.send(req.host() + " " + req.attr(VirtualHost.MATCH).host());
    Middleware a = VirtualHost.of("a.example", host);
    Middleware b = VirtualHost.of(Pattern.compile("b\\.example"), host);
    Call absolute = Call.get("http://b.example:81/x").header("Host", "a.example");
    assertEquals("200 b.example b.example:81", Played.outcome(absolute, a, b, NONE));
    Call forwarded =
        Call.get("/").header("Host", "a.example").header("X-Forwarded-Host", "b.example");
    assertEquals("200 a.example a.example", Played.outcome(forwarded, a, b, NONE));
    Settings trusting = new Settings().set("trust proxy", true);
    assertEquals("b.example b.example", Played.reply(trusting, forwarded, a, b, NONE).text());
  }

  @Test
  void aRequestWithoutHostContinues() {
    assertEquals("200 none", reply(VirtualHost.of("*", MATCH), ""));
  }

  @Test
  void tooLongNamesAreNotMatched() {
    Middleware slow = VirtualHost.of(Pattern.compile("(\\w+)+x"), MATCH);
    assertEquals("200 none", reply(slow, "a".repeat(256)));
  }

  private static String reply(Middleware host, String name) {
    return Played.outcome(Call.get("/").header("Host", name), host, NONE);
  }
}
