package dev.percolate.nio.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PemFileTest {

  @TempDir private Path folder;

  /** Returns a new pair of keys. Those of RSA are short, because longer ones take seconds. */
  private static KeyPair pair(String algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("RSA")) {
      generator.initialize(1024);
    }
    return generator.generateKeyPair();
  }

  private static String block(String kind, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("key.pem"), text);
  }

  /** Returns what PKCS #8 wraps: the last element, without its head. */
  private static byte[] classic(PrivateKey key) {
    byte[] all = key.getEncoded();
    int from = 1;
    // The element begins with 0x30, as does what it is wrapped in, and is the first in there that
    // reaches to the end; the random bytes of a key, behind it, may look like one that does.
    while (!reachesEnd(all, from)) {
      from++;
    }
    return Arrays.copyOfRange(all, from, all.length);
  }

  private static boolean reachesEnd(byte[] der, int at) {
    if (der[at] != 0x30 || at + 4 > der.length) {
      return false;
    }
    int first = der[at + 1] & 0xff;
    int head = first < 0x80 ? 2 : 2 + (first & 0x7f);
    int length = first < 0x80 ? first : 0;
    for (int i = 2; i < head && at + i < der.length; i++) {
      length = (length << 8) | (der[at + i] & 0xff);
    }
    return head <= 4 && at + head + length == der.length;
  }

  @ParameterizedTest
  @CsvSource({"RSA", "EC", "Ed25519"})
  void aKeyOfPkcs8IsRead(String algorithm) throws Exception {
    KeyPair pair = pair(algorithm);
    Path file = file("a remark\n" + block("PRIVATE KEY", pair.getPrivate().getEncoded()));
    assertEquals(pair.getPrivate(), PemFile.key(file, pair.getPublic()));
  }

  @ParameterizedTest
  @CsvSource({"RSA", "EC"})
  void aKeyInTheClassicFormIsRead(String algorithm) throws Exception {
    KeyPair pair = pair(algorithm);
    String key = block(algorithm + " PRIVATE KEY", classic(pair.getPrivate()));
    Path file = file(block("EC PARAMETERS", new byte[] {6, 1, 1}) + key);
    assertEquals(pair.getPrivate(), PemFile.key(file, pair.getPublic()));
  }

  @Test
  void anEncryptedKeyIsRejectedAsSuch() throws Exception {
    KeyPair pair = pair("EC");
    String old = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAA==\n";
    for (String text :
        new String[] {
          block("ENCRYPTED PRIVATE KEY", new byte[9]), old + "-----END EC PRIVATE KEY-----\n"
        }) {
      Path file = file(text);
      Exception e =
          assertThrows(GeneralSecurityException.class, () -> PemFile.key(file, pair.getPublic()));
      assertTrue(String.valueOf(e.getMessage()).startsWith("encrypted"), e.getMessage());
    }
  }

  @Test
  void whatIsNoKeyIsRejected() throws Exception {
    KeyPair pair = pair("EC");
    for (String text :
        new String[] {
          "",
          "-----BEGIN PRIVATE KEY-----",
          block("CERTIFICATE", new byte[5]),
          block("PRIVATE KEY", new byte[] {0x30, 1}),
          block("EC PRIVATE KEY", new byte[0]),
          block("PRIVATE KEY", pair("RSA").getPrivate().getEncoded())
        }) {
      Path file = file(text);
      assertThrows(GeneralSecurityException.class, () -> PemFile.key(file, pair.getPublic()));
    }
  }
}
