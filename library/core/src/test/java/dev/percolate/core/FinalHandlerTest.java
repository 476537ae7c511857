package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.HttpError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FinalHandlerTest {

  private final FakeExchange exchange = FakeExchange.of("GET", "/a?b=<i>&c=\"'");
  private final Request req = exchange.request();
  private final Response res = req.response();
  private final LogLines log = new LogLines();
  private @Nullable String before;

  @BeforeEach
  void rememberEnv() {
    before = System.getProperty("percolate.env");
    env("development");
    exchange.peer = "127.0.0.1";
  }

  @AfterEach
  void restoreEnv() {
    log.close();
    if (before == null) {
      System.clearProperty("percolate.env");
    } else {
      env(before);
    }
  }

  private static void env(String name) {
    System.setProperty("percolate.env", name);
  }

  private FinalHandler end() {
    return new FinalHandler(res);
  }

  private static RuntimeException thrown(@Nullable String message) {
    RuntimeException error = new RuntimeException(message);
    error.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("shop.Users", "<init>", "Users.java", 31),
          new StackTraceElement("shop.Main", "main", "Main.java", 4)
        });
    return error;
  }

  @ParameterizedTest
  @ValueSource(strings = {"development", "production", "test"})
  void withoutAResponseIts404WithMethodAndUrlEscaped(String env) {
    env(env);
    res.status(202);
    end().run();
    assertEquals(404, exchange.status);
    assertEquals("Cannot GET /a?b=&lt;i&gt;&amp;c=&quot;&#39;\n", exchange.body());
    assertEquals(List.of(), log.lines());
  }

  @Test
  void anErrorWithoutAStackTraceIsShownAsItsText() {
    RuntimeException bare =
        new RuntimeException("one\ntwo  <b>", null, true, false) {
          private static final long serialVersionUID = 1L;

          @Override
          @SuppressWarnings("OverrideThrowableToString") // the page shows it
          public String toString() {
            return getMessage();
          }
        };
    end().fail(bare);
    assertEquals("one<br>two &nbsp;&lt;b&gt;\n", exchange.body());
  }

  @Test
  void anHttpErrorBelow500IsShownByItsMessage() {
    end().fail(new HttpError(404, "no such cat"));
    assertEquals("dev.percolate.http.HttpError: no such cat\n", exchange.body());
  }

  @Test
  void thePageShowsTheChangedMethodAndTheOriginalUrl() {
    req.method("DELETE");
    req.url("/inner");
    end().run();
    assertTrue(exchange.body().startsWith("Cannot DELETE /a?b="), exchange.body());
  }

  @Test
  void headersOfThePageReplaceThoseSetBefore() {
    res.set("Content-Type", "text/plain").set("Content-Length", "3");
    res.set("X-Content-Type-Options", "x").set("Set-Cookie", "a=1").set("Vary", "Accept");
    end().run();
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("nosniff", exchange.header("X-Content-Type-Options"));
    assertEquals(String.valueOf(exchange.bytes().length), exchange.header("Content-Length"));
    assertEquals("a=1", exchange.header("Set-Cookie"));
    assertEquals("Accept", exchange.header("Vary"));
    assertNull(exchange.header("ETag"));
  }

  @Test
  void headGetsTheSameHeadersWithoutTheBody() {
    exchange.method = "HEAD";
    req.method("HEAD");
    end().run();
    assertEquals("", exchange.body());
    int length = "Cannot HEAD /a?b=&lt;i&gt;&amp;c=&quot;&#39;\n".length();
    assertEquals(String.valueOf(length), exchange.header("Content-Length"));
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
  }

  @ParameterizedTest
  @CsvSource({"200,500", "302,500", "399,500", "400,400", "503,503", "599,599"})
  void anErrorWithoutAStatusUsesTheStatusOfTheResponseFrom400(int set, int expected) {
    res.status(set);
    end().fail(thrown("x"));
    assertEquals(expected, exchange.status);
  }

  @Test
  void theStatusOfTheErrorTakesPrecedence() {
    res.status(503);
    end().fail(new HttpError(403));
    assertEquals(403, exchange.status);
  }

  @Test
  void thePageIsTheEscapedTraceWithItsSpacesAndLinesKept() {
    end().fail(thrown("a <b> \"c\"   d\ne"));
    assertEquals(
        "java.lang.RuntimeException: a &lt;b&gt; &quot;c&quot; &nbsp; d<br>e"
            + "<br> &nbsp; &nbsp;at shop.Users.&lt;init&gt;(Users.java:31)"
            + "<br> &nbsp; &nbsp;at shop.Main.main(Main.java:4)\n",
        exchange.body());
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals(String.valueOf(exchange.bytes().length), exchange.header("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/html,application/xhtml+xml,*/*;q=0.8", "*/*, text/html", "text/html"})
  void browsersGetADocument(String accept) {
    exchange.sent.add("Accept", accept);
    end().run();
    String page = exchange.body();
    assertTrue(page.startsWith("<!DOCTYPE html>\n"), page);
    assertTrue(page.contains("<meta name=\"viewport\" content=\"width=device-width"), page);
    assertTrue(
        page.contains("<h1>404 Not Found</h1>\n<pre>Cannot GET /a?b=&lt;i&gt;&amp;c="), page);
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("Accept", exchange.header("Vary"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"*/*", "text/plain", "application/json, text/plain, */*", "image/*,*/*;q=0.8"})
  void clientsThatAcceptAnythingGetPlainText(String accept) {
    exchange.sent.add("Accept", accept);
    end().run();
    assertEquals("Cannot GET /a?b=<i>&c=\"'\n", exchange.body());
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("nosniff", exchange.header("X-Content-Type-Options"));
    assertEquals("Accept", exchange.header("Vary"));
  }

  @Test
  void otherClientsGetTheFragmentOfTheOriginals() {
    exchange.sent.add("Accept", "application/json");
    end().run();
    assertTrue(exchange.body().startsWith("Cannot GET /a?b=&lt;i&gt;"), exchange.body());
    assertNull(exchange.header("Vary"));
  }

  @Test
  void theRulesOfExpressHaveOnePage() {
    exchange.setting("content negotiation", "express");
    exchange.sent.add("Accept", "*/*");
    end().run();
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
  }

  @Test
  void theHeadlineOfADocumentIsTheStatusWithoutAClass() {
    exchange.sent.add("Accept", "text/html");
    end().fail(new HttpError(409, "there <is> one"));
    String page = exchange.body();
    assertTrue(page.contains("<title>409 Conflict</title>"), page);
    assertTrue(page.contains("<h1>409 Conflict</h1>\n<pre>there &lt;is&gt; one</pre>\n"), page);
  }

  @Test
  void inProductionADocumentHasOnlyTheStatus() {
    env("production");
    exchange.sent.add("Accept", "text/html");
    end().fail(thrown("secret"));
    String page = exchange.body();
    assertTrue(page.contains("<h1>500 Internal Server Error</h1>\n</main>"), page);
  }

  @Test
  void anErrorWithoutAMessageIsNamedByItsClass() {
    end().fail(thrown(null));
    assertTrue(exchange.body().startsWith("java.lang.RuntimeException<br>"), exchange.body());
  }

  @Test
  void thePageHasTheClassAndTheWholeChainOfCauses() {
    Throwable last = new java.io.IOException("the real <cause>");
    Throwable middle = new IllegalArgumentException("in between", last);
    end().fail(new IllegalStateException("boom", middle));
    String page = exchange.body();
    assertTrue(
        page.startsWith("java.lang.IllegalStateException: boom<br> &nbsp; &nbsp;at dev."), page);
    int first =
        page.indexOf(
            "<br>Caused by: java.lang.IllegalArgumentException: in between<br> &nbsp; &nbsp;at ");
    int second = page.indexOf("<br>Caused by: java.io.IOException: the real &lt;cause&gt;<br>");
    assertTrue(first > 0 && second > first, page);
    assertFalse(page.contains("\t"), page);
  }

  @Test
  void causesOfAnErrorWithoutAStackTraceAreShown() {
    end().fail(new HttpError(400, "not JSON", null, new IllegalArgumentException("line 3")));
    assertTrue(
        exchange
            .body()
            .startsWith(
                "dev.percolate.http.HttpError: not JSON"
                    + "<br>Caused by: java.lang.IllegalArgumentException: line 3<br>"),
        exchange.body());
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,true",
    "127.9.8.7,true",
    "::1,true",
    "10.0.0.1,false",
    "192.0.2.1,false",
    "::2,false",
    "localhost,false",
    "'',false"
  })
  void tracesAreForClientsOnThisMachine(String peer, boolean shown) {
    exchange.peer = peer;
    end().fail(thrown("secret"));
    assertEquals(shown, exchange.body().contains("secret"), exchange.body());
    assertEquals(shown, !exchange.body().equals("Internal Server Error\n"), exchange.body());
    assertEquals(1, log.lines().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "Via", "x-real-ip", "X-Forwarded-Host"})
  void tracesAreNotForClientsBehindAProxyOnThisMachine(String header) {
    exchange.setting("trust proxy", true);
    exchange.sent.add(header, "127.0.0.1");
    end().fail(new HttpError(404, "secret"));
    assertEquals("Not Found\n", exchange.body());
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8080,true",
    "127.0.0.1:8080,true",
    "[::1]:8080,true",
    "app.localhost,true",
    "evil.example,false",
    "evil.example:8080,false",
    "localhost.evil.example,false",
    "'',false"
  })
  @DisplayName("DEV-02: a site whose name resolves to this machine gets no stack trace")
  void tracesAreNotForSitesWhoseNameResolvesToThisMachine(String host, boolean shown) {
    exchange.sent.add("Host", host);
    end().fail(thrown("secret"));
    assertEquals(shown, exchange.body().contains("secret"), exchange.body());
  }

  @ParameterizedTest
  @CsvSource({
    "all,192.0.2.1,development,true",
    "all,192.0.2.1,production,false",
    "none,127.0.0.1,development,false",
    "loopback,127.0.0.1,production,false",
    "loopback,127.0.0.1,test,true"
  })
  void aSettingSelectsWhichClientsGetTraces(String who, String peer, String env, boolean shown) {
    env(env);
    exchange.setting("stack traces", who);
    exchange.peer = peer;
    end().fail(thrown("secret"));
    assertEquals(shown, exchange.body().contains("secret"), exchange.body());
  }

  @ParameterizedTest
  @CsvSource({
    "500,Internal Server Error",
    "404,Not Found",
    "413,Payload Too Large",
    "418,I&#39;m a Teapot",
    "509,Bandwidth Limit Exceeded",
    "499,undefined",
    "599,undefined"
  })
  void inProductionThePageIsTheReasonPhrase(int status, String page) {
    env("production");
    end().fail(new HttpError(status, "secret"));
    assertEquals(status, exchange.status);
    assertEquals(page + "\n", exchange.body());
  }

  @ParameterizedTest
  @CsvSource({
    "development,production,loopback",
    "production,development,all",
    "production,production,loopback",
    "production,test,all",
    "test,production,loopback"
  })
  void tracesAreHiddenIfTheProcessOrTheApplicationIsInProduction(
      String process, String application, String who) {
    env(process);
    exchange.setting("env", application);
    exchange.setting("stack traces", who);
    end().fail(thrown("secret"));
    assertEquals("Internal Server Error\n", exchange.body());
  }

  @Test
  void withTheSettingAllTheApplicationMayBeInProduction() {
    env("test");
    exchange.setting("env", "production");
    exchange.setting("stack traces", "all");
    end().fail(thrown("secret"));
    assertTrue(exchange.body().contains("secret"), exchange.body());
  }

  @Test
  void errorsAreReportedExceptInTheEnvironmentTest() {
    env("test");
    end().fail(thrown("x"));
    assertEquals(List.of(), log.lines());
    env("production");
    end().fail(thrown("x"));
    assertEquals(1, log.lines().size());
    assertTrue(log.lines().get(0).startsWith("SEVERE GET /a"), log.lines().get(0));
  }

  @Test
  void aDisconnectedClientIsNotReported() {
    end().fail(new ClientDisconnectedException(null));
    assertEquals(List.of(), log.lines());
  }

  @Test
  void anErrorAfterTheStartClosesTheConnection() throws Exception {
    res.write("half");
    end().fail(thrown("x"));
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
    assertEquals("half", exchange.body());
  }

  @Test
  void withoutAnErrorAStartedResponseCanBeCompleted() throws Exception {
    res.write("half");
    end().run();
    assertEquals(List.of("start", "write"), exchange.calls);
    res.end(" whole");
    assertEquals("half whole", exchange.body());
  }

  @Test
  void anErrorDoesNotAffectACompleteResponse() {
    res.end("done");
    end().fail(thrown("x"));
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void leavingARouteOutsideOfOneIsAnError() {
    end().route();
    assertEquals(500, exchange.status);
  }

  @Test
  void aHookThatFailsOnTheErrorPageDoesNotPreventIt() {
    res.onHeaders(
        () -> {
          res.status(200);
          throw new IllegalStateException("hook");
        });
    end().fail(new HttpError(403));
    assertEquals(403, exchange.status);
    assertEquals(String.valueOf(exchange.bytes().length), exchange.header("Content-Length"));
    assertEquals(1, exchange.appState.counters().lateErrors());
    assertFalse(exchange.calls.contains("abort"));
  }

  @Test
  void aDisconnectedClientGetsNoPageAndNoLogEntry() {
    ClientDisconnectedException gone = new ClientDisconnectedException(null);
    end().fail(gone);
    end().fail(new HttpError(400, "request aborted", "request.aborted", gone));
    assertFalse(res.headersSent());
    assertEquals(List.of(), exchange.calls);
    assertEquals(List.of(), log.lines());
  }
}
