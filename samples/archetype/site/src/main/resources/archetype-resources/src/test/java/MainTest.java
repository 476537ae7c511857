package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.CookieJar;
import dev.percolate.testkit.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls the whole application in memory, without a socket. */
final class MainTest {

  private final App app = Main.app();

  @Test
  void aNoteIsSavedForItsVisitorAndEscaped() {
    CookieJar jar = new CookieJar();
    Reply page =
        Call.post("/notes").form("text", "<b>tea</b>").with(jar).followRedirects().to(app);
    assertTrue(page.text().contains("<li>&lt;b&gt;tea&lt;/b&gt;</li>"), page::toString);
    assertTrue(page.text().contains("Your note is saved."), page::toString);
    assertFalse(Call.get("/").to(app).text().contains("tea"));
  }

  @Test
  void anInvalidNoteIsShownAgainWithAMessage() {
    Reply reply = Call.post("/notes").form("text", "x".repeat(201)).to(app);
    assertEquals(422, reply.status());
    assertTrue(reply.text().contains("Write between 1 and 200 characters."), reply::toString);
    assertTrue(reply.text().contains("value=\"xxx"), reply::toString);
  }

  @Test
  void otherSitesCannotSendForms() {
    Call call = Call.post("/notes").form("text", "tea").header("Sec-Fetch-Site", "cross-site");
    assertEquals(403, call.to(app).status());
  }

  /** With "no-referrer", browsers would send the origin "null" to a site without TLS. */
  @Test
  void formsOfThisSiteNameItsOrigin() {
    assertEquals("same-origin", Call.get("/").to(app).header("Referrer-Policy"));
  }

  @Test
  void middlewareAndRoutesAreInOrder() {
    assertEquals(List.of(), app.lint());
  }
}
