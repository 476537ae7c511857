package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.HttpError;
import dev.percolate.core.Service;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    assertTrue(page.contains("<h1>Express</h1>"), page);
    assertTrue(page.contains("<h2><em>409</em> Error: &lt;b&gt;</h2>"), page);
    assertTrue(page.contains("<ul id=\"stacktrace\"><li>&#39;x&#39;</li></ul>"), page);
  }

  @Test
  void textIsTheStackTrace() {
    Reply reply = Played.reply(TEXT, failing(new IllegalStateException("boom")), PAGES);
    assertTrue(reply.text().startsWith("Error: boom\n    at "), reply.text());
    assertNull(reply.header("ETag"));
  }

  @Test
  void jsonHasTheFieldsInOrder() {
    HttpError error = new HttpError(418, "tea", "pot", null).with("b", 1).with("a", List.of(true));
    assertEquals(
        "{\"error\":{\"message\":\"tea\",\"b\":1,\"a\":[true],\"type\":\"pot\"}}",
        Played.reply(JSON, failing(error), PAGES).text());
    String own = Played.reply(JSON, failing(new IllegalStateException("boom")), PAGES).text();
    assertTrue(own.startsWith("{\"error\":{\"message\":\"boom\",\"stack\":\"Error: boom\\n"), own);
  }

  @Test
  void theStatusIsThatOfTheErrorElseOfTheResponseElse500() {
    assertEquals(500, status(200, new IllegalStateException()));
    assertEquals(404, status(404, new IllegalStateException()));
    assertEquals(500, status(302, new IllegalStateException()));
    assertEquals(410, status(404, new HttpError(410)));
  }

  @Test
  void nothingAcceptableGivesText() {
    Call image = Call.get("/").header("Accept", "image/png, text/html;q=0, text/plain;q=0");
    Reply reply = Played.reply(image, failing(new HttpError(400)), PAGES);
    assertEquals("text/plain; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void otherHeadersStayAndTheListenerIsTold() {
    List<String> told = new ArrayList<>();
    ErrorPages pages = PAGES.log((error, text, req, res) -> told.add(text + " " + res.status()));
    Handler handler =
        (req, res) -> {
          res.set("X-Before", "1");
          throw new HttpError(402, "pay");
        };
    assertEquals("1", Played.reply(TEXT, handler, pages).header("X-Before"));
    assertEquals(List.of("Error: pay 402"), told);
  }

  @Test
  void anAnswerThatHasBegunIsCut() {
    Handler handler =
        (req, res) -> {
          res.write("half");
          throw new IllegalStateException("late");
        };
    Reply reply = Call.get("/").to(Service.of(new Settings(), handler, PAGES));
    assertTrue(reply.aborted());
    assertFalse(reply.text().contains("late"));
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
