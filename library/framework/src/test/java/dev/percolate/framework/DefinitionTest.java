package dev.percolate.framework;

import static dev.percolate.framework.Played.play;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that invalid definitions fail immediately, with the value in the message. */
@SuppressWarnings("NullAway") // nulls are among the invalid values
final class DefinitionTest {

  private static final Handler OK = (req, res) -> res.send("ok");

  private final App app = new App();

  private static String rejection(Executable definition) {
    return assertThrows(IllegalArgumentException.class, definition).getMessage();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "users",
        "users/:id",
        "users(s)?",
        "us?ers",
        "u(\\d+)",
        "a+",
        "%41",
        "7",
        ":a",
        "$x",
        "é"
      })
  void aPathStartsWithASlash(String path) {
    assertEquals(
        "get(\"" + path + "\", …): path must start with \"/\"", rejection(() -> app.get(path, OK)));
    assertEquals(Map.of(), app.routes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "*", "(/a)?/b", "a?/b", "a{0}/b", "a|/b", "[/]a", ".x"})
  void aPathWhoseOperatorsMayMatchASlashIsAccepted(String path) {
    app.get(path, OK);
    assertEquals(path, app.routes().get("get").get(0).path());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a(", "/a)", "/[b", "/a++", "/:x(a+"})
  void anInvalidExpressionIsRejectedWithItsPath(String path) {
    assertTrue(
        rejection(() -> app.get(path, OK)).startsWith("invalid route path \"" + path + "\": "));
  }

  @Test
  void aPathHasNoQuery() {
    assertEquals(
        "get(\"/a?b=c\", …): path must have no query; read it with req.query(\"b\")",
        rejection(() -> app.get("/a?b=c", OK)));
    assertEquals(
        "route(\"/a?page=:p\"): path must have no query; read it with req.query(\"page\")",
        rejection(() -> app.route("/a?page=:p")));
    assertEquals(
        "use(\"/a?b=c\", …): path must have no query; read it with req.query(\"b\")",
        rejection(() -> app.use("/a?b=c", OK)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/:", "/a/:", "/:/b", "/:(\\d+)", "/::id", "/a:-b"})
  void aParameterHasAName(String path) {
    assertEquals(
        "get(\""
            + path
            + "\", …): parameter needs a name, such as :id; write a literal colon as %3A",
        rejection(() -> app.get(path, OK)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/:größe", "/:é", "/x/:日本/y", "/:id·:naïve"})
  void theNameOfAParameterIsAscii(String path) {
    String rejection = rejection(() -> app.get(path, OK));
    assertTrue(rejection.contains("parameter name must contain only ASCII letters"), rejection);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a//b",
        "//a",
        "/:a//",
        "/a/./b",
        "/a/..",
        "/a/../:b",
        "/a/%2e",
        "/a/%2E%2e/b",
        "/a/.%2E/:b",
        "/a%5Cb",
        "/a%00"
      })
  void aPathThatIsNotNormalisedIsRejected(String path) {
    String rejection = rejection(() -> app.get(path, OK));
    assertTrue(rejection.startsWith("get(\"" + path + "\", …): path must not have"), rejection);
    app.set("ambiguous targets", "pass").get(path, OK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/(b)?/c",
        "/(a)/(b)",
        "/a/\\./b",
        "/.well-known/x",
        "/%2Ewell-known/x",
        "/a/%2e%2e%2e",
        "/a//?b",
        "/...",
        "/a..:b",
        "/**"
      })
  void aPathThatOnlyLooksNotNormalisedIsAccepted(String path) {
    app.get(path, OK);
    assertEquals(path, app.routes().get("get").get(0).path());
  }

  @Test
  void anExpressionThatCannotMatchASlashIsRejected() {
    assertEquals(
        "get(\"^users$\", …): path must start with \"/\"",
        rejection(() -> app.get(Pattern.compile("^users$"), OK)));
    app.get(Pattern.compile("users$"), OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/*", "/api/*", "/a*"})
  void aMountPathHasNoStar(String path) {
    assertEquals(
        "use(\""
            + path
            + "\", …): mount path must not have a *, it covers all paths below it;"
            + " write %2A for *",
        rejection(() -> app.use(path, OK)));
  }

  @Test
  void anEmptyPathIsRejectedByEveryVerb() {
    for (String verb : RequestMethod.ALL) {
      assertEquals(
          verb + "(\"\", …): path must not be empty", rejection(() -> app.method(verb, "", OK)));
    }
    assertEquals("all(\"\", …): path must not be empty", rejection(() -> app.all("")));
    assertEquals(
        "mkcol(\"\", …): path must not be empty", rejection(() -> app.method("MKCOL", "")));
    assertEquals("route(\"\"): path must not be empty", rejection(() -> app.route("")));
    assertEquals(Map.of(), app.routes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"users", "*", ":id", " /users", "http://h/users"})
  void aMountPathWithoutASlashIsRejected(String path) {
    String rejection = "use(\"" + path + "\", …): path must start with \"/\"";
    App inner = new App();
    assertEquals(rejection, rejection(() -> app.use(path, OK)));
    assertEquals(rejection, rejection(() -> app.use(path, inner)));
    assertEquals(rejection, rejection(() -> app.use(path)));
    assertNull(inner.parent());
    assertEquals(200, play(Call.get("/users"), app.use("", OK)).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/users/{id}",
        "/users/{id:\\d+}",
        "/{*id}",
        "/users/{id?}",
        "/users/<id>",
        "/users/<int:id>"
      })
  void parametersInOtherSyntaxesAreRejected(String path) {
    assertEquals(
        "get(\"" + path + "\", …): write the parameter as :id", rejection(() -> app.get(path, OK)));
    assertEquals(
        "route(\"" + path + "\"): write the parameter as :id", rejection(() -> app.route(path)));
    assertEquals(
        "use(\"" + path + "\", …): mount path must not have parameters; use all(\"…/:id*\", …)",
        rejection(() -> app.use(path, OK)));
    assertEquals(Map.of(), app.routes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a{2}",
        "/a{1,}b",
        "/\\{id\\}",
        "/x(?<id>a)",
        "/:id(a|{b})",
        "/[{]id[}]",
        "/a<b",
        "/a>b<"
      })
  void otherBracesAndAngleBracketsAreAccepted(String path) {
    app.get(path, OK);
    assertEquals(path, app.routes().get("get").get(0).path());
  }

  @Test
  void aRepeatedParameterNameIsRejected() {
    assertEquals(
        "get(\"/u/:id/:to/:id\", …): parameter :id occurs twice; use distinct names",
        rejection(() -> app.get("/u/:id/:to/:id", OK)));
    assertEquals(
        "all(\"/:a.:a?\", …): parameter :a occurs twice; use distinct names",
        rejection(() -> app.all("/:a.:a?", OK)));
    assertEquals(Map.of(), app.routes());
  }

  @Test
  void aMountPathHasNoParameters() {
    assertEquals(
        "use(\"/users/:user\", …): mount path must not have parameters; use all(\"…/:user*\", …)",
        rejection(() -> app.use("/users/:user", OK)));
    assertEquals(200, play(Call.get("/a:b"), app.use("/a:b", OK)).status());
  }

  @Test
  void aMissingPathIsRejected() {
    assertEquals("route path must not be null", rejection(() -> app.get((String) null, OK)));
    assertEquals("route path must not be null", rejection(() -> app.get((Pattern) null, OK)));
    assertEquals(
        "use(null, …): mount path must not be null", rejection(() -> app.use((String) null, OK)));
  }

  @Test
  void nullMiddlewareIsRejectedEverywhere() {
    Middleware none = null;
    assertEquals(
        "use(\"/\", …): middleware must not be null", rejection(() -> app.use((Handler) null)));
    assertEquals(
        "use(\"/\", …): middleware must not be null",
        rejection(() -> app.use((ErrorHandler) null)));
    assertEquals(
        "use(\"/x\", …): middleware must not be null", rejection(() -> app.use("/x", OK, none)));
    assertEquals(
        "get(\"/x\", …): middleware must not be null",
        rejection(() -> app.get("/x", (Handler) null)));
    assertEquals(
        "get(\"/x\", …): middleware must not be null", rejection(() -> app.get("/x", none, OK)));
    assertEquals(
        "all(\"/x\", …): middleware must not be null", rejection(() -> app.all("/x", OK, none)));
    assertEquals(
        "Chain.of(…): steps must not be null",
        rejection(() -> app.get("/x", Chain.of(OK, none), OK)));
    assertEquals(Map.of(), app.routes());
    assertEquals(404, play(Call.get("/x"), app).status());
  }

  @Test
  void aMissingErrorHandlerOrListenerIsRejected() {
    ErrorHandler.OfType<HttpError> none = null;
    Class<HttpError> noType = null;
    assertThrows(NullPointerException.class, () -> ErrorHandler.of(HttpError.class, none));
    assertThrows(
        NullPointerException.class, () -> ErrorHandler.of(noType, (error, req, res, next) -> {}));
    assertThrows(NullPointerException.class, () -> app.onMount(null));
    assertThrows(NullPointerException.class, () -> app.onClose(null));
  }

  @Test
  void theNameOfASettingDoesNotBeginWithASlash() {
    assertEquals(
        "get(\"/users\"): a route needs a handler, and a setting name must not start with \"/\"",
        rejection(() -> app.get("/users")));
    String set = "set(\"/users\", …): setting name must not start with \"/\"";
    assertEquals(set, rejection(() -> app.set("/users", 1)));
    assertEquals(set, rejection(() -> app.enable("/users")));
    assertNull(app.set("a/b", null).get("a/b"));
  }

  @Test
  void anInvalidSettingValueIsRejected() {
    assertEquals(
        "set(\"etag\", 7): must be \"weak\", \"strong\", true, false or an ETagFunction",
        rejection(() -> app.set("etag", 7)));
    assertTrue(rejection(() -> app.set("subdomain offset", "two")).contains("two"));
    assertTrue(rejection(() -> app.set("trust proxy", "my.host")).contains("my.host"));
    assertEquals("weak", app.get("etag"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "/", "a/b", "./x"})
  void anInvalidFileExtensionIsRejected(String extension) {
    assertEquals(
        "engine(\"" + extension + "\", …): invalid extension",
        rejection(() -> app.engine(extension, (file, locals) -> "")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ":", "::id", "user-id", "user.id", "a b", "ü", "/id", "id?", "*"})
  void anInvalidParameterNameIsRejected(String name) {
    String message =
        "param(\"" + name + "\", …): parameter name must contain only letters, digits and _";
    assertEquals(message, rejection(() -> app.param(name, (req, res, next, value) -> next.run())));
    assertEquals(message, rejection(() -> app.param(name, Pattern.compile("\\d+"))));
    assertEquals(
        message, rejection(() -> app.param(List.of("id", name), (q, r, next, v) -> next.run())));
  }

  @Test
  void aMissingParameterCallbackIsRejected() {
    assertEquals(
        "param(\"id\", null): value must be a ParamCallback or a Pattern",
        rejection(() -> app.param("id", (ParamHandler) null)));
    assertEquals(
        "param(\"id\", null): value must be a ParamCallback or a Pattern",
        rejection(() -> app.param(":id", (Pattern) null)));
    assertEquals("param([id], …) needs at least one callback", rejection(() -> app.param("id")));
    assertEquals(
        "param(…): function must not be null", rejection(() -> app.param((ParamFactory) null)));
    assertEquals(
        "param(null, …): parameter name must contain only letters, digits and _",
        rejection(() -> app.param((String) null, (req, res, next, value) -> next.run())));
  }
}
