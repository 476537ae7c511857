package dev.percolate.nio.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server name of a ClientHello, as the JDK's client sends it, and malformed ones. */
final class HelloNameTest {

  private static byte[] hello(String name, String... versions) throws Exception {
    SSLEngine client = SSLContext.getDefault().createSSLEngine();
    client.setUseClientMode(true);
    SSLParameters parameters = client.getSSLParameters();
    parameters.setProtocols(versions);
    parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
    client.setSSLParameters(parameters);
    ByteBuffer record = ByteBuffer.allocate(17 << 10);
    client.beginHandshake();
    assertTrue(client.wrap(ByteBuffer.allocate(0), record).bytesProduced() > 0);
    return Arrays.copyOf(record.array(), record.position());
  }

  private static @Nullable String nameOf(byte[] record) {
    return HelloName.of(ByteBuffer.wrap(record));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "a.example", "A.EXAMPLE", "xn--bcher-kva.example", ""})
  void isReadInLowerCase(String name) throws Exception {
    String expected = name.equals("A.EXAMPLE") ? "a.example" : name;
    assertEquals(expected, nameOf(hello(name, "TLSv1.3", "TLSv1.2")));
    assertEquals(expected, nameOf(hello(name, "TLSv1.2")));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 9, 40, 100})
  void isUnknownIfTheHelloContinuesInAnotherRecord(int kept) throws Exception {
    byte[] whole = hello("localhost", "TLSv1.3");
    byte[] cut = Arrays.copyOf(whole, Math.max(kept, 5));
    cut[3] = (byte) ((cut.length - 5) >> 8);
    cut[4] = (byte) (cut.length - 5);
    assertNull(nameOf(cut));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void malformedInputNeverThrows(long seed) throws Exception {
    byte[] whole = hello("localhost", "TLSv1.3");
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      byte[] broken = Arrays.copyOf(whole, random.nextInt(whole.length + 1));
      for (int flips = random.nextInt(4); flips > 0 && broken.length > 0; flips--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      String name = nameOf(broken);
      assertTrue(name == null || name.length() <= 255);
    }
  }
}
