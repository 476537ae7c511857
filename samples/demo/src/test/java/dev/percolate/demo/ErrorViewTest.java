package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.http.BodyErrors;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ErrorViewTest {

  private final OpenBook book = new OpenBook();
  private final Logger logger = Logger.getLogger("dev.percolate");
  private final List<LogRecord> logged = new CopyOnWriteArrayList<>();
  private final Handler handler = new Kept();

  ErrorViewTest() throws SQLException {}

  @BeforeEach
  void listen() {
    book.app().set(Settings.ENV, "production");
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    book.close();
  }

  @Test
  void anUnknownAddressIsAPage() {
    Reply reply = book.get("/<script>x");
    assertEquals(404, reply.status());
    assertEquals("text/html; charset=utf-8", reply.header("Content-Type"));
    assertTrue(reply.text().contains("There is no page at this address."), reply.text());
    assertFalse(reply.text().contains("<script>"), reply.text());
    assertEquals(List.of(), logged);
  }

  @Test
  void serverErrorsAreLoggedAndHaveNoDetails() {
    Reply reply = book.get("/trouble");
    assertEquals(500, reply.status());
    assertTrue(reply.text().contains("Internal Server Error"), reply.text());
    assertFalse(reply.text().contains("thrown by"), reply.text());
    assertFalse(reply.text().contains("dev.percolate"), reply.text());
    LogRecord line = logged.get(0);
    assertEquals(Level.SEVERE, line.getLevel());
    assertEquals("GET /trouble failed", line.getMessage());
    assertNotNull(line.getThrown());
  }

  @Test
  void inDevelopmentServerErrorsHaveThePageOfTheInspector() {
    book.app().set(Settings.ENV, "development");
    Reply reply = Call.get("/trouble").header("Accept", "text/html").to(book.app());
    assertEquals(500, reply.status());
    assertTrue(reply.text().contains("thrown by /trouble"), reply.text());
    assertTrue(reply.text().contains("GuestBook.java:"), reply.text());
  }

  @Test
  void anUnreachableDatabaseIs500OnPageAndApi() {
    book.close();
    assertEquals(500, book.get("/").status());
    Reply api = book.get("/api/entries");
    assertEquals(500, api.status());
    assertEquals("application/problem+json", api.header("Content-Type"));
    assertEquals(2, logged.size());
  }

  @Test
  void anOverloadedServerIs503AndNotLogged() {
    App app = new App().set(Settings.ENV, "production").set("views", Pages.VIEWS);
    app.set("view engine", "peb");
    app.use((req, res, next) -> next.fail(BodyErrors.memoryUnavailable()));
    app.use(ErrorView::show);
    Reply reply = Call.get("/").to(app);
    assertEquals(503, reply.status());
    assertTrue(reply.text().contains("The guest book is temporarily unavailable."), reply.text());
    assertEquals(List.of(), logged);
  }

  private final class Kept extends Handler {

    @Override
    public void publish(LogRecord line) {
      logged.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
