package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that routes and mounts match requests whether text is written plain or percent-encoded (RFC
 * 3986 section 2.1; section 6.2.2 for the case of the digits).
 */
final class RouteSpellingTest {

  private static final Handler SHOW =
      (req, res) -> res.send(req.url() + " " + req.params().asMap());

  private final App app = new App();

  private int status(String target) {
    return play(Call.get(target), app).status();
  }

  private String text(String target) {
    return play(Call.get(target), app).text();
  }

  @ParameterizedTest
  @CsvSource({
    "/café, /caf%C3%A9",
    "/café, /caf%c3%a9",
    "/caf%C3%A9, /caf%C3%A9",
    "/caf%c3%a9, /caf%C3%A9",
    "/CAFé, /caf%C3%A9/",
    "/日本/東京, /%E6%97%A5%E6%9C%AC/%E6%9D%B1%E4%BA%AC",
    "/😀, /%F0%9F%98%80",
    "/a b, /a%20b",
    "/a%20b, /a%20b",
    "/a\"b, /a%22b",
    "/a\"b, /a\"b",
    "/a<b, /a%3Cb",
    "/a%b, /a%25b",
    "/100%, /100%25",
    "/100%25, /100%25",
    "/@me, /@me",
    "/@me, /%40me",
    "/%40me, /@me",
    "/a;b, /a%3Bb",
    "/a&b=c, /a%26b%3Dc",
    "/a'b, /a%27b",
    "/a#b, /a%23b",
    "/a%2Fb, /a%2fb",
    "/%61dmin, /admin",
    "/admin, /%61dmin",
  })
  void textMatchesPlainAndEncoded(String path, String target) {
    app.get(path, SHOW);
    assertEquals(200, status(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/$metadata, /$metadata",
    "/$metadata, /%24metadata",
    "/a$b, /a$b",
    "/a$b, /a%24b",
    "/price$, /price$",
    "/:set/$count, /People/$count",
    "/n^o, /n^o",
    "/n^o, /n%5Eo",
    "/n%5Eo, /n^o",
    "/a$b(c)?, /a$bc",
    "/a$/:id(\\d+), /a%24/7",
    "/c%2B%2B, /c++",
    "/what%3F, /what%3F",
    "/12%3A30, /12:30",
    "/a%2Ab, /a*b",
    "/a%2Eb%28c%29, /a.b(c)",
  })
  void signsThatOthersUseInPathsStandForThemselves(String path, String target) {
    app.get(path, SHOW);
    assertEquals(200, status(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/café, /caf%E9",
    "/café, /cafe",
    "/café, /caf%25C3%25A9",
    "/CAFÉ, /caf%C3%A9",
    "/a$b, /a",
    "/price$, /price",
    "/a%2Fb, /a/b",
    "/c%2B%2B, /ccc",
  })
  void otherTextDoesNotMatch(String path, String target) {
    app.get(path, SHOW);
    assertEquals(404, status(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/é/:id, /%C3%A9/7, id=7",
    "/é/:id, /%C3%A9/%C3%A9, id=é",
    "/é/:id, /%C3%A9/a%2Fb, id=a/b",
    "/é/:id, /%C3%A9/%2525, id=%25",
    "/日本*, /%E6%97%A5%E6%9C%AC/x, 0=/x",
    "/日本*, /%E6%97%A5%E6%9C%AC, 0=",
    "/:a-é-:b, /%C3%A9-%C3%A9-%20, 'a=é, b= '",
    "/é/:id?, /%C3%A9, ''",
    "/:name(é+|ñ), /%C3%A9%C3%A9, name=éé",
    "/caf(é|%C3%A8), /caf%C3%A8, 0=è",
    "/*/é, /a/b%20c/%C3%A9, 0=a/b c",
  })
  void parametersBesideSuchTextAreDecodedOnce(String path, String target, String params) {
    app.get(path, SHOW);
    assertTrue(text(target).endsWith(" {" + params + "}"), () -> text(target));
  }

  @Test
  void anExpressionIsComparedAsSentAndThenDecoded() {
    app.get(Pattern.compile("^/reé$"), SHOW);
    app.get(Pattern.compile("^/caf%C3%A9$"), SHOW);
    app.get(Pattern.compile("^/([\\p{IsHan}]+)$"), SHOW);
    assertEquals(200, status("/re%C3%A9"));
    assertEquals(200, status("/re%c3%a9"));
    assertEquals(200, status("/caf%c3%a9"));
    assertEquals("/%E6%97%A5 {0=日}", text("/%E6%97%A5"));
    assertEquals(404, status("/%C3%A9"));
  }

  @ParameterizedTest
  @CsvSource({
    "/mé, /m%C3%A9, /",
    "/mé, /m%c3%a9/x?y, /x?y",
    "/mé/, /M%C3%A9/x, /x",
    "/mé, /a/../m%C3%A9//x, //x",
    "/m%C3%A9, /m%C3%A9/x%20y, /x%20y",
    "/日本, /%E6%97%A5%E6%9C%AC.json, /.json",
    "/a b, /a%20b/x, /x",
    "/$metadata, /%24metadata/x, /x",
    "/a$b, /a$b/x, /x",
    "/100%, /100%25/x, /x",
    "/n^o, /n%5eo/x, /x",
  })
  void aMountPathMatchesPlainAndEncodedAndIsCut(String path, String target, String seen) {
    app.use(path, SHOW);
    assertEquals(seen + " {}", text(target));
  }

  @Test
  void theUrlIsRestoredAsSentAfterSuchAMount() {
    app.use("/mé", (req, res, next) -> next.run());
    app.use(SHOW);
    assertEquals("/m%c3%a9/x?y {}", text("/m%c3%a9/x?y"));
    assertEquals("/m%C3%A9 {}", text("/m%C3%A9"));
  }

  @Test
  void aGuardAtSuchAMountSeesEverySpelling() {
    app.use("/mé", (req, res) -> res.sendStatus(403));
    app.use((req, res) -> res.send("open"));
    for (String target :
        new String[] {"/m%C3%A9", "/m%c3%a9/x", "/./m%C3%A9/x", "/x/../M%C3%A9/", "//m%C3%A9"}) {
      assertEquals(403, status(target), target);
    }
    assertEquals(400, status("/m%C3%A9%2Fx"));
    assertEquals(200, status("/m%C3%A8"));
  }

  @Test
  void applicationsAndGroupsBelowSuchMountsFindTheirRoutes() {
    App inner = new App();
    inner.get("/ü/:id", SHOW);
    app.use("/é", inner).group("/日本", group -> group.get("/", SHOW));
    assertEquals("/%C3%BC/1 {id=1}", text("/%C3%A9/%C3%BC/1"));
    assertEquals("/ {}", text("/%E6%97%A5%E6%9C%AC"));
  }

  @Test
  void manyRoutesAreFoundInAllSpellings() {
    for (int i = 0; i < 40; i++) {
      app.get("/é" + i + "/:id", SHOW);
    }
    app.get("/caf%C3%A9", SHOW);
    assertEquals("/%C3%A939/1 {id=1}", text("/%C3%A939/1"));
    assertEquals(200, status("/caf%c3%a9"));
    assertEquals(404, status("/%C3%A940/1"));
  }

  @Test
  void aSegmentMatchesWhateverAClientEncodes() {
    String plain = "it's (50%) @ $5 + 日本 & more; a=b, c!";
    String route = "/" + plain.replace("%", "%25").replace("(", "%28").replace(")", "%29");
    app.get(route.replace("+", "%2B"), SHOW);
    StringBuilder all = new StringBuilder("/");
    for (byte one : plain.getBytes(StandardCharsets.UTF_8)) {
      all.append(String.format("%%%02x", one));
    }
    assertEquals(200, status(all.toString()));
    assertEquals(200, status(all.toString().replace("%27", "'").replace("%40", "@")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/café", "/a b", "/$metadata", "/%24metadata"})
  void inPassModeTargetsAreComparedAsSent(String path) {
    app.set("ambiguous targets", "pass");
    app.get(path, SHOW);
    assertEquals(404, status("/caf%C3%A9"));
    assertEquals(404, status("/a%20b"));
    assertEquals(404, status("/$metadata"));
    assertEquals(path.startsWith("/%") ? 200 : 404, status("/%24metadata"));
  }

  /** RFC 9112 section 3.2: a request target has no fragment. */
  @ParameterizedTest
  @ValueSource(strings = {"/a#b", "/a?x=1#b", "/#", "/a/#/b"})
  void aTargetWithAFragmentIsRejectedBeforeAnyLayer(String target) {
    app.use(SHOW);
    assertEquals(400, status(target));
  }

  @Test
  void inPassModeAFragmentIsRemoved() {
    app.set("ambiguous targets", "pass");
    app.get("/a", (req, res) -> res.send(req.path() + " " + req.query("x") + " " + req.url()));
    assertEquals("/a 1 /a?x=1#b", text("/a?x=1#b"));
    assertEquals("/a null /a#b?x=1", text("/a#b?x=1"));
    App inner = new App().get("/", SHOW);
    app.use("/in", inner);
    assertEquals("/#b {}", text("/in#b"));
  }

  @Test
  void explanationsMatchAllSpellings() {
    app.use("/mé", new App().get("/a$b", SHOW));
    assertTrue(app.explain("GET", "/m%C3%A9/a%24b").matches());
    assertTrue(app.explain("GET", "/m%C3%A9/a$b").matches());
  }

  @Test
  void optionsMatchAllSpellings() {
    app.put("/é", SHOW);
    assertEquals("PUT", play(Call.of("OPTIONS", "/%C3%A9"), app).text());
  }

  @Test
  void theRouteIsNamedAsItWasDefined() {
    app.get("/é/%20/:id", (req, res) -> res.send(req.routePath()));
    assertEquals("/é/%20/:id", text("/%C3%A9/%20/1"));
  }
}
