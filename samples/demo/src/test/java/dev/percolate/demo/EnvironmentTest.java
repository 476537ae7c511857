package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ThreadMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EnvironmentTest {

  @Test
  void everythingHasADefault() {
    Environment options = Environment.of(Map.of("PORT", "", "DATA", ""));
    assertEquals(3000, options.port());
    assertNull(options.httpsPort());
    assertEquals(ThreadMode.ofThisJdk(), options.threads());
    assertEquals(Path.of("data").toAbsolutePath(), options.data());
    assertEquals(
        "jdbc:h2:file:" + Path.of("data", "guestbook").toAbsolutePath(), options.jdbcUrl());
    assertFalse(options.passwordGiven());
    assertEquals(16, options.adminPassword().length());
    assertNotEquals(options.adminPassword(), Environment.of(Map.of()).adminPassword());
    assertNotEquals(options.cookieSecret(), Environment.of(Map.of()).cookieSecret());
  }

  @Test
  void everythingCanBeSet() {
    Environment options =
        Environment.of(
            Map.of(
                "PORT", "0",
                "HTTPS_PORT", "443",
                "THREADS", "pool",
                "DATA", "elsewhere",
                "JDBC_URL", "jdbc:h2:mem:x",
                "ADMIN_PASSWORD", "p",
                "COOKIE_SECRET", "0123456789abcdef"));
    assertEquals(0, options.port());
    assertEquals(443, options.httpsPort());
    assertEquals(ThreadMode.POOL, options.threads());
    assertEquals(Path.of("elsewhere").toAbsolutePath(), options.data());
    assertEquals("jdbc:h2:mem:x", options.jdbcUrl());
    assertTrue(options.passwordGiven());
    assertEquals("p", options.adminPassword());
    assertEquals("0123456789abcdef", options.cookieSecret());
  }

  @Test
  void theGeneratedPasswordDependsOnTheSecret() {
    Map<String, String> one = Map.of("COOKIE_SECRET", "0123456789abcdef");
    Map<String, String> other = Map.of("COOKIE_SECRET", "0123456789abcdeg");
    String password = Environment.of(one).adminPassword();
    assertEquals(16, password.length());
    assertEquals(password, Environment.of(one).adminPassword());
    assertNotEquals(password, Environment.of(other).adminPassword());
  }

  @Test
  void invalidValuesAreRejected() {
    List<Map.Entry<String, String>> wrong =
        List.of(
            Map.entry("PORT", "65536"),
            Map.entry("PORT", "-1"),
            Map.entry("PORT", "+80"),
            Map.entry("PORT", "http"),
            Map.entry("HTTPS_PORT", "65536"),
            Map.entry("THREADS", "many"),
            Map.entry("THREADS", "event loop"),
            Map.entry("COOKIE_SECRET", "too short"));
    for (Map.Entry<String, String> one : wrong) {
      Exception error =
          assertThrows(
              IllegalArgumentException.class,
              () -> Environment.of(Map.of(one.getKey(), one.getValue())),
              one.toString());
      assertTrue(String.valueOf(error.getMessage()).startsWith(one.getKey()), error.getMessage());
    }
  }
}
