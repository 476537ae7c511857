package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorPagesTest {

  private static final ErrorPages PAGES = ErrorPages.of().log(false);
  private static final Call TEXT = Call.get("/").header("Accept", "text/plain");
  private static final Call JSON = Call.get("/").header("Accept", "application/json");

  @Test
  void thePageIsEscaped() {
    Reply reply = Played.reply(Call.get("/"), failing(new HttpError(409, "<b>\n'x'")), PAGES);
    assertEquals(409, reply.status());
    assertEquals("nosniff", reply.header("X-Content-Type-Options"));
    String page = reply.text();
    assertTrue(
        page.contains("<h2><em>409</em> dev.percolate.http.HttpError: &lt;b&gt;</h2>"), page);
    assertTrue(page.contains("<ul id=\"stacktrace\"><li>&#39;x&#39;</li></ul>"), page);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "text/plain", "application/json", "image/png"})
  void aPageVariesByAcceptUnlessNegotiatedAsInExpress(String accept) {
    Call call = Call.get("/").header("Accept", accept);
    Handler failing = failing(new IllegalStateException("boom"));
    assertEquals("Accept", Played.reply(call, failing, PAGES).header("Vary"));
    Settings express = new Settings().set(Settings.CONTENT_NEGOTIATION, "express");
    assertNull(Played.reply(express, call, failing, PAGES).header("Vary"));
  }

  @Test
  void textIsTheStackTrace() {
    Reply reply = Played.reply(TEXT, failing(new IllegalStateException("boom")), PAGES);
    assertTrue(
        reply.text().startsWith("java.lang.IllegalStateException: boom\n    at "), reply.text());
    assertNull(reply.header("ETag"));
  }

  @Test
  void jsonHasTheFieldsInOrder() {
    HttpError error = new HttpError(418, "tea", "pot", null).with("b", 1).with("a", List.of(true));
    assertEquals(
        "{\"error\":{\"message\":\"tea\",\"stack\":\"dev.percolate.http.HttpError: tea\","
            + "\"b\":1,\"a\":[true],\"type\":\"pot\","
            + "\"status\":418,\"statusCode\":418,\"expose\":true}}",
        Played.reply(JSON, failing(error), PAGES).text());
    String own = Played.reply(JSON, failing(new IllegalStateException("boom")), PAGES).text();
    assertTrue(
        own.startsWith(
            "{\"error\":{\"message\":\"boom\",\"stack\":\"java.lang.IllegalStateException: boom\\n"),
        own);
  }

  @Test
  void classAndCausesAreInPageJsonTextAndLog() {
    List<String> logged = new ArrayList<>();
    ErrorPages pages = ErrorPages.of().log((error, text, req, res) -> logged.add(text));
    RuntimeException error = new IllegalStateException("boom", new IOException("the <real> cause"));
    String page = Played.reply(Call.get("/"), failing(error), pages).text();
    assertTrue(page.contains("<h2><em>500</em> java.lang.IllegalStateException: boom</h2>"), page);
    assertTrue(page.contains("<li>Caused by: java.io.IOException: the &lt;real&gt; cause</li>"));
    String json = Played.reply(JSON, failing(error), pages).text();
    assertTrue(json.contains("\\nCaused by: java.io.IOException: the <real> cause\\n"), json);
    String text = Played.reply(TEXT, failing(error), pages).text();
    assertTrue(text.contains("\nCaused by: java.io.IOException: the <real> cause\n    "), text);
    assertEquals(3, logged.size());
    assertTrue(logged.get(0).startsWith("java.lang.IllegalStateException: boom\n"));
    assertTrue(logged.get(0).contains("\nCaused by: java.io.IOException: the <real> cause\n"));
  }

  @Test
  void thePageHasTheTitleOfTheApplication() {
    assertTrue(page(new Settings()).contains("<title>Percolate</title>"));
    assertTrue(page(new Settings()).contains("<h1>Percolate</h1>"));
    String own = page(new Settings().set("title", "Tea & Cups"));
    assertTrue(own.contains("<title>Tea &amp; Cups</title>"), own);
    assertTrue(own.contains("<h1>Tea &amp; Cups</h1>"), own);
    assertTrue(page(new Settings().set("title", 42)).contains("<h1>42</h1>"));
  }

  @Test
  void clientsThatMayNotSeeTracesGetThePhrase() {
    HttpError error = new HttpError(409, "secret", "secret.type", null).with("secret", 1);
    List<String> logged = new ArrayList<>();
    ErrorPages pages = ErrorPages.of().log((failure, text, req, res) -> logged.add(text));
    Call text = TEXT.header("X-Forwarded-For", "127.0.0.1");
    assertEquals("409 Conflict", Played.outcome(text, failing(error), pages));
    Call json = JSON.header("Via", "1.1 proxy");
    assertEquals(
        "409 {\"error\":{\"message\":\"Conflict\"}}", Played.outcome(json, failing(error), pages));
    Call page = Call.get("/").header("X-Real-IP", "10.0.0.1");
    String html = Played.reply(page, failing(error), pages).text();
    assertTrue(html.contains("<h2><em>409</em> Conflict</h2>"), html);
    assertFalse(html.contains("secret"), html);
    assertEquals(3, logged.size());
    assertTrue(logged.get(0).contains("secret"), logged.get(0));
  }

  @Test
  void theStatusIsThatOfTheErrorElseOfTheResponseElse500() {
    assertEquals(500, status(200, new IllegalStateException()));
    assertEquals(404, status(404, new IllegalStateException()));
    assertEquals(500, status(302, new IllegalStateException()));
    assertEquals(410, status(404, new HttpError(410)));
  }

  @Test
  void textIsSentIfNoTypeIsAcceptable() {
    Call image = Call.get("/").header("Accept", "image/png, text/html;q=0, text/plain;q=0");
    Reply reply = Played.reply(image, failing(new HttpError(400)), PAGES);
    assertEquals("text/plain; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void otherHeadersRemainAndTheListenerIsCalled() {
    List<String> told = new ArrayList<>();
    ErrorPages pages = PAGES.log((error, text, req, res) -> told.add(text + " " + res.status()));
    Handler handler =
        (req, res) -> {
          res.set("X-Before", "1");
          throw new HttpError(402, "pay");
        };
    assertEquals("1", Played.reply(TEXT, handler, pages).header("X-Before"));
    assertEquals(List.of("dev.percolate.http.HttpError: pay 402"), told);
  }

  @Test
  void anErrorAfterTheResponseBeganIsLoggedAndClosesTheConnection() {
    List<String> called = new ArrayList<>();
    Handler handler =
        (req, res) -> {
          res.write("half");
          throw new IllegalStateException("late");
        };
    ErrorPages pages =
        ErrorPages.of()
            .log((error, text, req, res) -> called.add(text.lines().findFirst().orElse("")));
    ErrorHandler later = (error, req, res, next) -> called.add("later handler");
    Reply reply = Played.reply(Call.get("/"), handler, pages, later);
    assertTrue(reply.aborted());
    assertFalse(reply.text().contains("late"));
    assertEquals(List.of("java.lang.IllegalStateException: late"), called);
  }

  @Test
  void aCompleteResponseIsNotAborted() {
    List<String> called = new ArrayList<>();
    Middleware handler =
        (req, res, next) -> {
          res.end("whole");
          next.fail(new IllegalStateException("late"));
        };
    ErrorPages pages = ErrorPages.of().log((error, text, req, res) -> called.add(text));
    ErrorHandler later = (error, req, res, next) -> called.add("later handler");
    Reply reply = Played.reply(Call.get("/"), handler, pages, later);
    assertFalse(reply.aborted());
    assertEquals("whole", reply.text());
    assertEquals(1, called.size());
  }

  @Test
  void aDisconnectedClientIsNotLogged() {
    List<String> called = new ArrayList<>();
    Middleware handler =
        (req, res, next) -> {
          res.end("whole");
          next.fail(new ClientDisconnectedException(null));
        };
    ErrorPages pages = ErrorPages.of().log((error, text, req, res) -> called.add(text));
    assertEquals("whole", Played.reply(Call.get("/"), handler, pages).text());
    assertEquals(List.of(), called);
  }

  private static String page(Settings settings) {
    return Played.reply(settings, Call.get("/"), failing(new HttpError(500)), PAGES).text();
  }

  private static Handler failing(Exception error) {
    return (req, res) -> {
      throw error;
    };
  }

  private static int status(int before, Exception error) {
    Handler handler =
        (req, res) -> {
          res.status(before);
          throw error;
        };
    return Played.reply(TEXT, handler, PAGES).status();
  }
}
