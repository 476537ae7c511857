package dev.percolate.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PasswordsTest {

  /** As cheap as allowed. */
  private static final Passwords CHEAP = Passwords.argon2id().memory("7mb").iterations(1);

  /**
   * Computed by the reference implementation: {@code echo -n password | argon2 somesalt -id -t 2 -m
   * 16 -p 1 -l 24}, from its test file.
   */
  private static final String OF_THE_REFERENCE =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

  @Test
  void theDefaultsAreThoseOfOwasp() {
    String stored = Passwords.argon2id().hash("secret");
    assertTrue(
        stored.matches(
            "\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}"),
        stored);
    assertTrue(Passwords.argon2id().verify("secret", stored));
    assertFalse(Passwords.argon2id().verify("Secret", stored));
  }

  @Test
  void aHashOfTheReferenceImplementationIsVerified() {
    assertTrue(CHEAP.verify("password", OF_THE_REFERENCE));
    assertFalse(CHEAP.verify("passwore", OF_THE_REFERENCE));
  }

  @Test
  void aFloodOfLoginsIsRejected() {
    int most = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    List<CompletableFuture<Integer>> logins = new ArrayList<>();
    for (int i = 0; i < 100 * most; i++) {
      CompletableFuture<Integer> login = new CompletableFuture<>();
      logins.add(login);
      new Thread(() -> login.complete(outcome()), "login").start();
    }
    List<Integer> outcomes = logins.stream().map(CompletableFuture::join).toList();
    assertTrue(outcomes.contains(200), outcomes::toString);
    assertTrue(outcomes.contains(503), outcomes::toString);
    assertEquals(200, outcome(), "after the flood");
  }

  private static int outcome() {
    try {
      return Passwords.argon2id().hash("secret").isEmpty() ? 500 : 200;
    } catch (HttpError e) {
      assertEquals("password.busy", e.type());
      return e.status();
    }
  }

  @Test
  void eachHashHasItsOwnSalt() {
    String stored = CHEAP.hash("p\u00e4ss\uD83D\uDE00");
    assertNotEquals(stored, CHEAP.hash("p\u00e4ss\uD83D\uDE00"));
    assertTrue(CHEAP.verify("p\u00e4ss\uD83D\uDE00", stored));
  }

  @Test
  void aHashWithOtherParametersIsVerifiedAndNeedsARehash() {
    String stored = CHEAP.hash("secret");
    assertFalse(CHEAP.needsRehash(stored));
    for (Passwords changed :
        List.of(CHEAP.memory("8mb"), CHEAP.iterations(2), CHEAP.parallelism(2))) {
      assertTrue(changed.verify("secret", stored));
      assertTrue(changed.needsRehash(stored));
      assertFalse(changed.needsRehash(changed.hash("secret")));
    }
  }

  @Test
  void anUnknownUserTakesAsLongAsAKnownOne() {
    assertFalse(CHEAP.verify("secret", null));
    assertFalse(CHEAP.verify("", null));
  }

  @Test
  void aPasswordOfAMegabyteIsNotHashed() {
    String megabyte = "a".repeat(1 << 20);
    HttpError error = assertThrows(HttpError.class, () -> CHEAP.hash(megabyte));
    assertEquals(
        "422 password must have 1 to 1024 bytes", error.status() + " " + error.getMessage());
    assertFalse(CHEAP.verify(megabyte, CHEAP.hash("secret")));
    assertFalse(CHEAP.verify(megabyte, null));
    assertThrows(HttpError.class, () -> CHEAP.hash(""));
    assertThrows(HttpError.class, () -> CHEAP.hash("\u00e4".repeat(513)));
    assertTrue(CHEAP.verify("\u00e4".repeat(512), CHEAP.hash("\u00e4".repeat(512))));
    assertEquals(
        422,
        assertThrows(HttpError.class, () -> CHEAP.maxLength(64).hash("a".repeat(65))).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "secret",
        "$2y$10$abcdefghijklmnopqrstuv",
        "$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=16$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=999,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2,p=99$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$",
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ"
      })
  void aStoredHashOfAnotherFormatIsAnErrorThatDoesNotContainIt(String stored) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> CHEAP.verify("secret", stored));
    assertFalse(error.getMessage().contains("c29tZXNhbHQ"), error::getMessage);
    assertThrows(IllegalArgumentException.class, () -> CHEAP.needsRehash(stored));
  }

  @Test
  void manyPasswordsAreHashedAFewAtATime() {
    List<CompletableFuture<String>> hashes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      hashes.add(CompletableFuture.supplyAsync(() -> CHEAP.hash("secret")));
    }
    assertEquals(20, hashes.stream().map(CompletableFuture::join).distinct().count());
    assertTrue(
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("percolate-passwords"))
                .count()
            <= Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  @Test
  void invalidOptionsAreRejectedByName() {
    Passwords all = Passwords.argon2id();
    assertTrue(Members.rejection(() -> all.memory("1mb")).startsWith("memory must"));
    assertTrue(Members.rejection(() -> all.memory("2gb")).startsWith("memory in KiB must"));
    assertTrue(Members.rejection(() -> all.iterations(0)).startsWith("iterations must"));
    assertTrue(Members.rejection(() -> all.parallelism(17)).startsWith("parallelism must"));
    assertTrue(Members.rejection(() -> all.maxLength(63)).startsWith("maxLength must"));
  }
}
