package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AdminTest {

  private static final String OWNER = OpenBook.basic("admin", OpenBook.PASSWORD);

  private final OpenBook book = new OpenBook();

  AdminTest() throws SQLException, IOException {}

  @BeforeEach
  void write() throws SQLException, IOException {
    book.entries().add("Eve & co", "<i>buy</i>");
  }

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void thePasswordIsRequired() {
    Reply reply = book.get("/admin");
    assertEquals(401, reply.status());
    assertEquals("Basic realm=\"Guest book\", charset=\"UTF-8\"", reply.header("WWW-Authenticate"));
    assertFalse(reply.text().contains("Eve"), reply.text());
    String[] wrong = {
      OpenBook.basic("admin", "wrong"),
      OpenBook.basic("admin", ""),
      OpenBook.basic("", OpenBook.PASSWORD),
      OpenBook.basic("root", OpenBook.PASSWORD),
      OpenBook.basic("admin", OpenBook.PASSWORD + "x"),
      "Basic !!!",
      "Bearer x"
    };
    for (String credentials : wrong) {
      Call call = Call.get("/admin").header("Authorization", credentials);
      assertEquals(401, call.to(book.app()).status(), credentials);
    }
  }

  @Test
  void theOwnerSeesTheEntriesEscaped() {
    Reply reply = Call.get("/admin").header("Authorization", OWNER).to(book.app());
    assertEquals(200, reply.status());
    assertEquals("no-store", reply.header("Cache-Control"));
    assertTrue(reply.text().contains("Eve &amp; co"), reply.text());
    assertTrue(reply.text().contains("&lt;i&gt;buy"), reply.text());
    assertTrue(reply.text().contains("action=\"/admin/entries/1/delete\""), reply.text());
  }

  @Test
  void theOwnerDeletes() throws SQLException, IOException {
    OpenBook.Visitor owner = book.visitor();
    Call call = owner.post("/admin/entries/1/delete").header("Authorization", OWNER);
    Call form = call.body("_csrf=" + OpenBook.Visitor.encoded(owner.token()));
    Reply reply = form.to(book.app());
    assertEquals(303, reply.status());
    assertEquals("/admin", reply.header("Location"));
    assertEquals(0, book.entries().count());
    assertEquals(404, form.to(book.app()).status());
  }

  @Test
  void deletingNeedsTokenAndPassword() throws SQLException, IOException {
    OpenBook.Visitor owner = book.visitor();
    Call call = owner.post("/admin/entries/1/delete");
    String token = "_csrf=" + OpenBook.Visitor.encoded(owner.token());
    assertEquals(401, call.body(token).to(book.app()).status());
    assertEquals(403, call.header("Authorization", OWNER).body("").to(book.app()).status());
    assertEquals(1, book.entries().count());
  }
}
