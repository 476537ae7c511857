package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Reply;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GuestBookTest {

  private final OpenBook book = new OpenBook();

  GuestBookTest() throws SQLException {}

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void allResponsesHaveSecurityHeaders() {
    for (String path : new String[] {"/", "/style.css", "/api/entries", "/admin", "/nowhere"}) {
      Reply reply = book.get(path);
      String policy = String.valueOf(reply.header("Content-Security-Policy"));
      assertTrue(policy.startsWith("default-src 'self';"), path);
      assertEquals("nosniff", reply.header("X-Content-Type-Options"), path);
      assertEquals("same-origin", reply.header("Referrer-Policy"), path);
      assertNull(reply.header("X-Powered-By"), path);
    }
  }

  @Test
  void styleAndIconAreFiles() {
    Reply style = book.get("/style.css");
    assertEquals(200, style.status());
    assertTrue(String.valueOf(style.header("Content-Type")).startsWith("text/css"));
    assertTrue(style.text().contains("prefers-color-scheme: dark"));
    assertNull(style.header("Set-Cookie"));
    assertEquals("image/svg+xml", book.get("/favicon.svg").header("Content-Type"));
  }

  @Test
  void filesOutsideTheFolderAreNotServed() {
    for (String path : new String[] {"/../pom.xml", "/%2e%2e/pom.xml", "/..%2fpom.xml", "/.git"}) {
      Reply reply = book.get(path);
      assertTrue(reply.status() >= 400, path + " " + reply);
    }
  }
}
