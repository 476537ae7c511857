package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PagesTest {

  private final OpenBook book = new OpenBook();

  PagesTest() throws SQLException, IOException {}

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void anEmptyBookInvitesToWrite() {
    Reply reply = book.get("/");
    assertEquals(200, reply.status());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    assertTrue(reply.text().contains("still blank"), reply.text());
    assertTrue(reply.text().contains("name=\"entry[name]\""), reply.text());
    assertTrue(reply.text().contains("<label for=\"message\">"), reply.text());
  }

  @Test
  void anEntryIsWrittenAndShownWithItsTime() throws SQLException, IOException {
    Reply reply = book.visitor().write(" Ann ", "Lovely place & kind people.\r\nSee you!");
    assertEquals(303, reply.status());
    assertEquals("/#entry-1", reply.header("Location"));
    assertEquals(
        "Lovely place & kind people.\nSee you!",
        book.entries().page(null, 9).entries().get(0).message());
    String page = book.get("/").text();
    assertTrue(page.contains("id=\"entry-1\""), page);
    assertTrue(page.contains(">Ann</h3>"), page);
    assertTrue(page.contains("Lovely place &amp; kind people.\nSee you!"), page);
    assertTrue(
        page.contains("<time datetime=\"2026-11-21T16:05:06.789Z\">21 November 2026, 16:05 UTC"),
        page);
  }

  @Test
  void inputIsEscaped() {
    book.visitor().write("<b title='x'>Eve\"", "<script>alert(1)</script>");
    String page = book.get("/").text();
    assertFalse(page.contains("<script>"), page);
    assertFalse(page.contains("<b title"), page);
    assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), page);
  }

  @Test
  void errorsAreShownAtTheirFieldsAndTheInputIsKept() throws SQLException, IOException {
    Reply reply = book.visitor().write("\"><script>alert(1)</script>", "   ");
    assertEquals(422, reply.status());
    String page = reply.text();
    assertTrue(page.contains("id=\"message-error\">Please write a few words.<"), page);
    assertFalse(page.contains("id=\"name-error\""), page);
    assertTrue(page.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""), page);
    assertFalse(page.contains("<script>"), page);
    assertEquals(0, book.entries().count());
  }

  @Test
  void theMessageIsKeptWhenTheNameIsMissing() {
    String page = book.visitor().write("", "</textarea><script>alert(1)</script>").text();
    assertTrue(page.contains("id=\"name-error\">Please tell us your name.<"), page);
    assertFalse(page.contains("id=\"message-error\""), page);
    assertTrue(
        page.contains("&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>"), page);
  }

  @Test
  void nestedFieldsAreRejected() {
    OpenBook.Visitor visitor = book.visitor();
    String token = "_csrf=" + OpenBook.Visitor.encoded(visitor.token());
    assertEquals(422, visitor.send("/entries", token).status());
    assertEquals(400, visitor.send("/entries", token + "&entry=x").status());
    assertEquals(
        400, visitor.send("/entries", token + "&entry[name][]=a&entry[message][x]=b").status());
  }

  @Test
  void olderEntriesAreOnOtherPages() throws SQLException, IOException {
    for (int i = 1; i <= 21; i++) {
      book.entries().add("Guest", "number " + i + ".");
    }
    String first = book.get("/").text();
    assertTrue(first.contains("number 21.") && first.contains("number 12."), first);
    assertFalse(first.contains("number 11."), first);
    assertTrue(first.contains("href=\"/?before=12\""), first);
    String second = book.get("/?before=12").text();
    assertTrue(second.contains("number 11.") && second.contains("number 2."), second);
    assertTrue(second.contains("href=\"/?before=2\""), second);
    assertFalse(second.contains("<form"), second);
    String last = book.get("/?before=2").text();
    assertTrue(last.contains("number 1."), last);
    assertFalse(last.contains("rel=\"next\""), last);
  }

  @Test
  void invalidPagesAreRejected() {
    for (String before : new String[] {"x", "+1", "1.5", "12345678901234567890"}) {
      assertEquals(400, book.get("/?before=" + before).status(), before);
    }
  }

  @Test
  void aReloadAfterErrorsRedirectsToThePage() {
    Reply reply = book.get("/entries");
    assertEquals(302, reply.status());
    assertEquals("/", reply.header("Location"));
  }
}
