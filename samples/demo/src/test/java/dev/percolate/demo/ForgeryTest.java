package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ForgeryTest {

  private static final String ENTRY = "&entry[name]=Mallory&entry[message]=hi";

  private final OpenBook book = new OpenBook();
  private final OpenBook.Visitor ann = book.visitor();
  private final OpenBook.Visitor bob = book.visitor();

  ForgeryTest() throws SQLException {}

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void aFormWithoutTokenIsRejectedWithAPage() throws SQLException {
    Reply reply = ann.send("/entries", ENTRY);
    assertEquals(403, reply.status());
    assertTrue(reply.text().contains("load the page again"), reply.text());
    assertEquals(0, book.entries().count());
  }

  @Test
  void theTokenOfAnotherVisitorIsRejected() throws SQLException {
    assertNotEquals(ann.token(), bob.token());
    assertEquals(
        403,
        ann.send("/entries", "_csrf=" + OpenBook.Visitor.encoded(bob.token()) + ENTRY).status());
    assertEquals(403, ann.send("/entries", "_csrf=" + ENTRY).status());
    assertEquals(
        403,
        ann.send("/entries", "_csrf[]=" + OpenBook.Visitor.encoded(ann.token()) + ENTRY).status());
    assertEquals(0, book.entries().count());
  }

  @Test
  void aTokenIsInvalidWithoutItsCookie() throws SQLException {
    Call call = Call.post("/entries").header("Content-Type", OpenBook.FORM);
    String form = "_csrf=" + OpenBook.Visitor.encoded(ann.token()) + ENTRY;
    assertEquals(403, call.body(form).to(book.app()).status());
    Call forged = call.header("Cookie", ann.cookie() + "x");
    assertEquals(403, forged.body(form).to(book.app()).status());
    assertEquals(0, book.entries().count());
  }

  @Test
  void aFormOfAnotherTypeHasNoToken() throws SQLException {
    Reply reply =
        Call.post("/entries")
            .header("Content-Type", "text/plain")
            .header("Cookie", ann.cookie())
            .body("_csrf=" + ann.token() + ENTRY)
            .to(book.app());
    assertEquals(403, reply.status());
  }

  @Test
  void aVisitorKeepsTheCookieAndMayUseATokenAgain() throws SQLException {
    Reply again = Call.get("/").header("Cookie", ann.cookie()).to(book.app());
    assertNull(again.header("Set-Cookie"));
    assertEquals(303, ann.write("Ann", "twice").status());
    assertEquals(303, ann.write("Ann", "twice").status());
    assertEquals(2, book.entries().count());
  }

  @Test
  void theCookieIsHiddenFromScriptsAndOtherSites() {
    String cookie = String.valueOf(book.get("/").header("Set-Cookie"));
    assertTrue(cookie.startsWith("_csrf="), cookie);
    assertTrue(cookie.contains("; HttpOnly"), cookie);
    assertTrue(cookie.contains("; SameSite=Lax"), cookie);
    assertTrue(cookie.contains("; Path=/"), cookie);
  }
}
