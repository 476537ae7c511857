package dev.percolate.nio.tls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CredentialTest {

  @Test
  void aNameMeansItsHostAlone() {
    assertTrue(Credential.matches("a.example", "a.example"));
    assertFalse(Credential.matches("a.example", "b.a.example"));
    assertFalse(Credential.matches("a.example", "example"));
    assertFalse(Credential.matches("", "a"));
  }

  @Test
  void aStarStandsForOneLabel() {
    assertTrue(Credential.matches("*.example", "a.example"));
    assertFalse(Credential.matches("*.example", "a.b.example"));
    assertFalse(Credential.matches("*.example", "example"));
    assertFalse(Credential.matches("*.example", ".example"));
    assertFalse(Credential.matches("*.example", "aexample"));
  }

  @Test
  void aStarElsewhereIsNoStar() {
    assertFalse(Credential.matches("a*.example", "ab.example"));
    assertFalse(Credential.matches("a.*.example", "a.b.example"));
    assertFalse(Credential.matches("*", "a"));
  }
}
