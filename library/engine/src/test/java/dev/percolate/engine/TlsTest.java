package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TlsTest {

  private static final Tls STORE = Tls.keyStore(Path.of("a.p12"), "secret");
  private static final Tls PEM = Tls.pem(Path.of("a.crt"), Path.of("a.key"));
  private static final Path TRUSTED = Path.of("staff.crt");

  @Test
  void thePasswordIsNotShown() {
    assertFalse(
        Tls.byName(PEM, STORE).requireClientCertificates(TRUSTED).toString().contains("secret"));
  }

  @Test
  void byNameAcceptsCertificatesOnly() {
    assertEquals(new Tls.ByName(List.of(PEM, STORE)), Tls.byName(PEM, STORE));
    for (Tls other : List.of(Tls.byName(PEM), PEM.acceptClientCertificates(TRUSTED))) {
      Exception e = assertThrows(IllegalArgumentException.class, () -> Tls.byName(STORE, other));
      assertTrue(String.valueOf(e.getMessage()).startsWith("Tls.byName("), e.getMessage());
    }
  }

  @Test
  void clientCertificatesCanBeSetOnce() {
    Tls asking = PEM.acceptClientCertificates(TRUSTED);
    assertThrows(IllegalArgumentException.class, () -> asking.requireClientCertificates(TRUSTED));
  }
}
