package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the text of database errors, which is logged. */
final class DatabaseFailureTest {

  @Test
  void urlsAndPasswordsAreMaskedInTheCausesOfConnectionErrors() {
    for (String message :
        List.of(
            "No suitable driver found for jdbc:postgresql://db/app?password=hunter2",
            "cannot connect to tcp://me:hunter2@db",
            "rejected: user=me, Password = hunter2")) {
      IOException error =
          SqlFailure.told(new SQLException("outer", "08001", 7, new IOException(message)));
      assertEquals("database error: SQL state 08001, code 7", error.getMessage());
      Throwable outer = error.getCause();
      assertEquals("java.sql.SQLException: outer", outer.getMessage());
      String inner = outer.getCause().getMessage();
      assertTrue(inner.startsWith("java.io.IOException: " + message.substring(0, 8)), inner);
      assertFalse(inner.contains("hunter2"), inner);
    }
  }

  @Test
  void aServerWhoseDiskIsFullStillReads() {
    assertFalse(SqlFailure.isAway(new SQLException("no space left on device", "53100")));
    assertTrue(SqlFailure.isAway(new SQLException("too many connections", "53300")));
  }

  @Test
  void errorsOfStatementsHaveNoCause() {
    IOException error = SqlFailure.told(new SQLException("the value hunter2 exists", "23505"));
    assertEquals(null, error.getCause());
  }
}
