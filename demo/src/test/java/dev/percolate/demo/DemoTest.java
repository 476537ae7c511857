package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import org.junit.jupiter.api.Test;

/** The notice board, played in memory. */
final class DemoTest {

  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Notices notices = new Notices();
  private final App app = Demo.app(notices);

  @Test
  void thePageShowsNoticesEscaped() {
    notices.add("<b>Eve</b>", "<script>alert(1)</script>");
    Reply reply = Call.get("/").to(app);
    assertEquals(200, reply.status());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    assertTrue(reply.text().contains("&lt;script&gt;alert(1)"), reply.text());
    assertFalse(reply.text().contains("<script>"), reply.text());
  }

  @Test
  void theFormPutsANoticeUpAndGoesBackToThePage() {
    String form = "name=Ann&text=Lost%20cat+%26%20dog";
    Reply reply = Call.post("/notices").header("Content-Type", FORM).body(form).to(app);
    assertEquals(303, reply.status());
    assertEquals("/", reply.header("Location"));
    assertTrue(Call.get("/").to(app).text().contains("Lost cat &amp; dog"));
  }

  @Test
  void anEmptyFormIsRefusedKindly() {
    Reply reply = Call.post("/notices").header("Content-Type", FORM).body("name=&text=x").to(app);
    assertEquals(422, reply.status());
    assertEquals(0, notices.all().size());
  }

  @Test
  void theApiStoresWhatIsPosted() {
    String json = "{\"name\":\"Ann\",\"text\":\"Lost cat\"}";
    Reply added = Call.post("/api/notices").header("Content-Type", JSON).body(json).to(app);
    assertEquals(201, added.status());
    assertEquals("/api/notices/1", added.header("Location"));
    Reply shown = Call.get("/api/notices/1").to(app);
    assertEquals(200, shown.status());
    assertTrue(shown.text().contains("Lost cat"), shown.text());
    assertEquals(404, Call.get("/api/notices/2").to(app).status());
  }

  @Test
  void badJsonIs400AndIncompleteJson422() {
    Call call = Call.post("/api/notices").header("Content-Type", JSON);
    Reply bad = call.body("{\"name\":").to(app);
    assertEquals(400, bad.status());
    assertTrue(bad.text().contains("\"error\""), bad.text());
    assertEquals(422, call.body("{\"name\":\"Ann\"}").to(app).status());
    assertEquals(422, call.body("[]").to(app).status());
  }

  @Test
  void theStatusIsAMountedApplication() {
    Reply reply = Call.get("/status").to(app);
    assertEquals(200, reply.status());
    assertTrue(reply.text().contains("\"/status\""), reply.text());
  }

  @Test
  void everythingElseIs404() {
    Reply reply = Call.get("/else").to(app);
    assertEquals(404, reply.status());
    assertEquals("Cannot GET /else\n", reply.text());
  }
}
