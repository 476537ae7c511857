package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes like those of a TLS scanner: ClientHellos with options that no good client offers. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class TlsProbesTest extends HostileTls {

  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;
  private static final int TLS_1_2 = 0x303;

  /** ECDHE with ECDSA or RSA, and AES in GCM. */
  private static final int[] GOOD = {0xc02b, 0xc02c, 0xc02f, 0xc030};

  private static Server server;

  @BeforeAll
  static void serve() throws IOException {
    server = serve(options());
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** Returns a ClientHello in one record. */
  private static byte[] hello(int version, int[] suites, byte[] compressions) {
    ByteBuffer body =
        ByteBuffer.allocate(512)
            .putShort((short) version)
            .put(new byte[32]) // random
            .put((byte) 0) // no session
            .putShort((short) (2 * suites.length))
            .put(shorts(suites))
            .put((byte) compressions.length)
            .put(compressions)
            .put(extensions())
            .flip();
    int length = body.remaining();
    return ByteBuffer.allocate(9 + length)
        .put((byte) HANDSHAKE)
        .putShort((short) Math.min(version, 0x301))
        .putShort((short) (4 + length))
        .putInt(1 << 24 | length)
        .put(body)
        .array();
  }

  /** Returns the groups and signature algorithms that all clients support. */
  private static byte[] extensions() {
    byte[] groups = {0, 10, 0, 6, 0, 4, 0, 23, 0, 24};
    byte[] signatures = {0, 13, 0, 8, 0, 6, 4, 3, 5, 3, 8, 4};
    return ByteBuffer.allocate(2 + groups.length + signatures.length)
        .putShort((short) (groups.length + signatures.length))
        .put(groups)
        .put(signatures)
        .array();
  }

  private static byte[] shorts(int... values) {
    ByteBuffer all = ByteBuffer.allocate(2 * values.length);
    IntStream.of(values).forEach(one -> all.putShort((short) one));
    return all.array();
  }

  private static void assertRejected(byte[] hello) throws IOException {
    byte[] response = answer(server, hello);
    assertTrue(response.length == 0 || response[0] == ALERT, () -> "responded with " + response[0]);
  }

  private static int kindOfAnswer(byte[] hello) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(hello);
      return socket.getInputStream().read();
    }
  }

  @Test
  void theHelloOfTheseTestsIsValid() throws IOException {
    assertEquals(HANDSHAKE, kindOfAnswer(hello(TLS_1_2, GOOD, new byte[1])));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x002, 0x300, 0x301, 0x302})
  void oldVersionsAreRejected(int version) throws IOException {
    assertRejected(hello(version, GOOD, new byte[1]));
  }

  static List<int[]> badSuites() {
    return List.of(
        new int[] {0x0000, 0x0001, 0x0002, 0x003b}, // no encryption
        new int[] {0x0003, 0x0006, 0x0008, 0x0014}, // for export
        new int[] {0x0018, 0x001b, 0x0034, 0x006d, 0xc015, 0xc019}, // anonymous
        new int[] {0x0004, 0x0005, 0xc007, 0xc011}, // RC4
        new int[] {0x0009, 0x000a, 0x0016, 0xc008, 0xc012}, // DES
        new int[] {0x002f, 0x0035, 0x003c, 0x009c, 0x009d}, // no forward secrecy
        new int[] {0x0033, 0x0039, 0x009e, 0x009f}, // DH
        new int[] {0xc009, 0xc00a, 0xc013, 0xc014, 0xc023, 0xc027}); // CBC
  }

  @ParameterizedTest
  @MethodSource("badSuites")
  void weakSuitesAreRejected(int[] suites) throws IOException {
    assertRejected(hello(TLS_1_2, suites, new byte[1]));
  }

  @Test
  void compressionIsNotUsed() throws IOException {
    byte[] hello = hello(TLS_1_2, GOOD, new byte[] {1, 0});
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(hello);
      byte[] response = socket.getInputStream().readNBytes(9 + 2 + 32 + 1);
      int session = response[response.length - 1];
      byte[] more = socket.getInputStream().readNBytes(session + 2 + 1);
      assertEquals(0, more[more.length - 1]);
    }
  }

  static Stream<byte[]> strange() {
    byte[] ssl2 = {(byte) 0x80, 0x1c, 1, 0, 2, 0, 3, 0, 0, 0, 16, 1, 0, (byte) 0x80};
    byte[] heartbeat = {24, 3, 2, 0, 3, 1, 0x40, 0};
    byte[] application = {23, 3, 3, 0, 1, 0};
    byte[] alone = {HANDSHAKE, 3, 1, 0, 4, 2, 0, 0, 0};
    byte[] empty = {HANDSHAKE, 3, 1, 0, 0};
    return Stream.of(ssl2, heartbeat, application, alone, empty);
  }

  @ParameterizedTest
  @MethodSource("strange")
  void otherRecordsThanAHelloAreRejected(byte[] record) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      all.writeBytes(record);
    }
    assertRejected(all.toByteArray());
  }

  @Test
  void aHeartbeatWithAWrongLengthGetsNoResponse() throws Exception {
    try (RecordClient client = agreed(server, "TLSv1.2")) {
      client.sendRaw(new byte[] {24, 3, 3, 0, 3, 1, 0x40, 0});
      assertTrue(client.isClosed());
    }
  }

  @Test
  void aHelloInManyRecordsIsRead() throws IOException {
    byte[] hello = hello(TLS_1_2, GOOD, new byte[1]);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 5; i < hello.length; i += 40) {
      int count = Math.min(40, hello.length - i);
      all.writeBytes(new byte[] {HANDSHAKE, 3, 1, 0, (byte) count});
      all.write(hello, i, count);
    }
    assertEquals(HANDSHAKE, kindOfAnswer(all.toByteArray()));
  }
}
