package dev.percolate.nio.transport;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server name (SNI, RFC 6066 section 3) of a ClientHello, before the JDK does. Malformed
 * messages are left to the JDK, which rejects them.
 */
final class HelloName {

  /** Stands for a client that sends no server name. */
  static final String NONE = "";

  private static final int CLIENT_HELLO = 1;
  private static final int SERVER_NAME = 0;
  private static final int HOST_NAME = 0;
  private static final int RECORD_HEAD = 5;
  private static final int VERSION_AND_RANDOM = 2 + 32;
  private static final int MOST = 255;

  private HelloName() {}

  /**
   * Returns the server name that a client sends, in lower case.
   *
   * @param record a complete TLS record
   * @return {@link #NONE} if the client sends no name; null if the ClientHello is malformed, or
   *     continues in another record
   */
  static @Nullable String of(ByteBuffer record) {
    ByteBuffer hello = record.slice();
    try {
      int length = hello.getShort(RECORD_HEAD - 2) & 0xffff;
      hello.limit(Math.min(hello.limit(), RECORD_HEAD + length)).position(RECORD_HEAD);
      int head = hello.getInt();
      if (head >>> 24 != CLIENT_HELLO || (head & 0xffffff) > hello.remaining()) {
        return null;
      }
      hello.limit(hello.position() + (head & 0xffffff));
      skip(hello, VERSION_AND_RANDOM);
      skip(hello, hello.get() & 0xff); // the session id
      skip(hello, hello.getShort() & 0xffff); // cipher suites
      skip(hello, hello.get() & 0xff); // compression methods
      return hello.hasRemaining() ? inExtensions(part(hello)) : NONE;
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static @Nullable String inExtensions(ByteBuffer extensions) {
    while (extensions.hasRemaining()) {
      int type = extensions.getShort() & 0xffff;
      ByteBuffer extension = part(extensions);
      if (type == SERVER_NAME) {
        return inNames(part(extension));
      }
    }
    return NONE;
  }

  private static @Nullable String inNames(ByteBuffer names) {
    int type = names.get();
    ByteBuffer name = part(names);
    if (type != HOST_NAME || names.hasRemaining() || name.remaining() > MOST) {
      return null;
    }
    return StandardCharsets.ISO_8859_1.decode(name).toString().toLowerCase(Locale.ROOT);
  }

  /** Reads a length of two bytes, then that many bytes. */
  private static ByteBuffer part(ByteBuffer from) {
    int length = from.getShort() & 0xffff;
    ByteBuffer part = from.slice(from.position(), length);
    skip(from, length);
    return part;
  }

  private static void skip(ByteBuffer in, int count) {
    in.position(in.position() + count);
  }
}
