package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.middleware.MemoryTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EntriesTest {

  @TempDir private Path folder;

  @Test
  void entriesOutliveTheDatabaseConnection() throws SQLException, IOException {
    String url = "jdbc:h2:file:" + folder.resolve("book");
    Entry written;
    try (Database database = Database.open(url)) {
      written =
          new Entries(database, Clock.systemUTC(), MemoryTopics.of())
              .add("Zoë 😀", "it's; drop table entries");
    }
    try (Database database = Database.open(url)) {
      Entries entries = new Entries(database, Clock.systemUTC(), MemoryTopics.of());
      assertEquals(written, entries.find(written.id()));
      assertEquals(1, entries.count());
    }
  }

  @Test
  void pagesMeetWithoutGapOrOverlap() throws SQLException, IOException {
    try (OpenBook book = new OpenBook()) {
      Entries entries = book.entries();
      assertEquals(new Entries.Page(List.of(), null), entries.page(null, 2));
      for (int i = 0; i < 4; i++) {
        entries.add("n", "m");
      }
      Entries.Page first = entries.page(null, 2);
      assertEquals(3L, first.older());
      Entries.Page second = entries.page(first.older(), 2);
      assertEquals(2, second.entries().get(0).id());
      assertNull(second.older());
    }
  }

  @Test
  void onlyExistingEntriesAreDeleted() throws SQLException, IOException {
    try (OpenBook book = new OpenBook()) {
      long id = book.entries().add("n", "m").id();
      assertTrue(book.entries().delete(id));
      assertFalse(book.entries().delete(id));
      assertNull(book.entries().find(id));
    }
  }
}
