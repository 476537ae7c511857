package dev.percolate.nio.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.http.IpText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Reads the header of the PROXY protocol at the start of a connection, in version 1 (a line of
 * text) or 2 (binary), as HAProxy's {@code proxy-protocol.txt} defines them. Bytes that do not
 * follow one of the two formats are invalid.
 *
 * <pre>
 *   PARTIAL --last byte--> WHOLE
 *      +--a byte that fits neither format--> INVALID
 * </pre>
 */
public final class ProxyHeader {

  /** How much of the header has arrived. */
  public enum State {
    PARTIAL,
    WHOLE,
    INVALID
  }

  private static final byte[] TEXT = "PROXY ".getBytes(ISO_8859_1);
  private static final byte[] BINARY = "\r\n\r\n\0\r\nQUIT\n".getBytes(ISO_8859_1);

  /** The maximum length of a line in bytes, with its end. */
  private static final int MOST_TEXT = 107;

  /** The bytes of a binary header before its addresses. */
  private static final int FIXED = 16;

  /** The maximum length of addresses and extensions; these may include a client certificate. */
  private static final int MOST_BINARY = 4096;

  /** Version and command of the proxy's own connections, such as health checks. */
  private static final byte LOCAL = 0x20;

  /** Version and command of connections that the proxy forwards for a client. */
  private static final byte PROXY = 0x21;

  private static final int INET = 1;
  private static final int INET6 = 2;
  private static final int UNIX = 3;
  private static final int STREAM = 1;
  private static final int DATAGRAM = 2;
  private static final int CHECKSUM = 3;

  private byte[] bytes = new byte[MOST_TEXT];
  private int size;
  private State state = State.PARTIAL;
  private String client = "";

  /** Creates a reader for one connection. */
  public ProxyHeader() {}

  /** Reads the bytes of the header; leaves the bytes after it in the buffer. */
  public void take(ByteBuffer in) {
    while (in.hasRemaining() && state == State.PARTIAL) {
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, FIXED + length());
      }
      bytes[size++] = in.get();
      state = look();
    }
  }

  /** Returns the state of the header. */
  public State state() {
    return state;
  }

  /** Returns the client's address; empty if the header has none, as for health checks. */
  public String client() {
    return client;
  }

  private State look() {
    byte[] format = bytes[0] == TEXT[0] ? TEXT : BINARY;
    if (size <= format.length) {
      return bytes[size - 1] == format[size - 1] ? State.PARTIAL : State.INVALID;
    }
    return format == TEXT ? lookAtText() : lookAtBinary();
  }

  private State lookAtText() {
    boolean ends = bytes[size - 2] == '\r';
    if (ends != (bytes[size - 1] == '\n')) {
      return State.INVALID;
    } else if (ends) {
      return isLine(new String(bytes, 0, size - 2, ISO_8859_1)) ? State.WHOLE : State.INVALID;
    }
    return size < MOST_TEXT ? State.PARTIAL : State.INVALID;
  }

  private boolean isLine(String line) {
    if (line.equals("PROXY UNKNOWN") || line.startsWith("PROXY UNKNOWN ")) {
      return true;
    }
    String[] words = line.split(" ", -1);
    if (words.length != 6 || !isPort(words[4]) || !isPort(words[5])) {
      return false;
    }
    boolean valid =
        switch (words[1]) {
          case "TCP4" -> IpText.isV4(words[2]) && IpText.isV4(words[3]);
          case "TCP6" -> IpText.isV6(words[2]) && IpText.isV6(words[3]);
          default -> false;
        };
    client = valid ? words[2] : "";
    return valid;
  }

  private static boolean isPort(String text) {
    return text.matches("0|[1-9][0-9]{0,4}") && Integer.parseInt(text) <= 65_535;
  }

  private State lookAtBinary() {
    if (size < FIXED) {
      return State.PARTIAL;
    } else if (size == FIXED && !isCommand()) {
      return State.INVALID;
    } else if (size < FIXED + length()) {
      return State.PARTIAL;
    }
    boolean ofProxyItself = bytes[12] == LOCAL; // the rest is ignored
    return ofProxyItself || isBlock() ? State.WHOLE : State.INVALID;
  }

  private boolean isCommand() {
    return (bytes[12] == LOCAL || bytes[12] == PROXY) && length() <= MOST_BINARY;
  }

  private boolean isBlock() {
    int family = bytes[13] >> 4 & 0xf;
    int transport = bytes[13] & 0xf;
    if (bytes[13] == 0) {
      return true; // the proxy does not know the client
    }
    int address =
        switch (family) {
          case INET -> 4;
          case INET6 -> 16;
          case UNIX -> 108;
          default -> 0;
        };
    int addresses = family == UNIX ? 2 * address : 2 * address + 4;
    boolean known = address > 0 && (transport == STREAM || transport == DATAGRAM);
    if (!known || length() < addresses || !areExtensions(FIXED + addresses)) {
      return false;
    }
    if (family != UNIX && transport == STREAM) {
      client = text(Arrays.copyOfRange(bytes, FIXED, FIXED + address));
    }
    return true;
  }

  /**
   * Returns true if the rest is a valid list of extensions, with a correct checksum if it has one.
   */
  private boolean areExtensions(int from) {
    int at = from;
    int checksum = 0;
    while (at < size) {
      if (size - at < 3 || size - at - 3 < number(at + 1)) {
        return false;
      }
      int length = number(at + 1);
      if (bytes[at] == CHECKSUM) {
        if (length != 4 || checksum > 0) {
          return false;
        }
        checksum = at + 3;
      }
      at += 3 + length;
    }
    return checksum == 0 || hasChecksum(checksum);
  }

  private boolean hasChecksum(int at) {
    byte[] all = Arrays.copyOf(bytes, size);
    Arrays.fill(all, at, at + 4, (byte) 0);
    CRC32C sum = new CRC32C();
    sum.update(all, 0, size);
    return (int) sum.getValue() == ByteBuffer.wrap(bytes).getInt(at);
  }

  private int length() {
    return number(FIXED - 2);
  }

  private int number(int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  private static String text(byte[] address) {
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // it has 4 or 16 bytes
    }
  }
}
