package dev.percolate.middleware;

import dev.percolate.http.Frame;
import dev.percolate.http.MessageDeflater;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is sent, encoded once for any number of sockets: as it is, and compressed when
 * the first socket wants that.
 */
final class SharedFrame {

  /** Shorter messages become longer when they are compressed, or hardly shorter. */
  private static final int LEAST_COMPRESSED = 256;

  private final int opcode;
  private final byte[] content;
  private @Nullable ByteBuffer plain;
  private @Nullable ByteBuffer compressed;

  SharedFrame(int opcode, byte[] content) {
    this.opcode = opcode;
    this.content = content;
  }

  /** Returns the frame, to be read by a duplicate. */
  synchronized ByteBuffer of(boolean compresses) {
    return compresses && content.length >= LEAST_COMPRESSED ? compressed() : plain();
  }

  private ByteBuffer plain() {
    ByteBuffer known = plain;
    if (known == null) {
      known = Frame.of(opcode, content).asReadOnlyBuffer();
      plain = known;
    }
    return known;
  }

  private ByteBuffer compressed() {
    ByteBuffer known = compressed;
    if (known == null) {
      byte[] shorter = MessageDeflater.whole(content);
      known =
          shorter.length < content.length
              ? Frame.of(opcode, true, true, shorter, 0, shorter.length).asReadOnlyBuffer()
              : plain();
      compressed = known;
    }
    return known;
  }
}
