package dev.percolate.middleware.socket;

import dev.percolate.http.Frame;
import dev.percolate.http.MessageDeflater;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The frame of a message, encoded once for any number of sockets. The compressed form is created
 * when the first socket needs it.
 */
public final class SharedFrame {

  /** The minimum length of compressed messages. Compression hardly shortens shorter messages. */
  private static final int LEAST_COMPRESSED = 256;

  private final int opcode;
  private final byte[] content;
  private @Nullable ByteBuffer plain;
  private @Nullable ByteBuffer compressed;

  public SharedFrame(int opcode, byte[] content) {
    this.opcode = opcode;
    this.content = content;
  }

  /** Returns the frame. Duplicate the buffer before reading it. */
  public synchronized ByteBuffer of(boolean compresses) {
    return compresses && content.length >= LEAST_COMPRESSED ? compressed() : plain();
  }

  private ByteBuffer plain() {
    if (plain == null) {
      plain = Frame.of(opcode, content).asReadOnlyBuffer();
    }
    return plain;
  }

  private ByteBuffer compressed() {
    if (compressed == null) {
      byte[] shorter = MessageDeflater.whole(content);
      compressed =
          shorter.length < content.length
              ? Frame.of(opcode, true, true, shorter, 0, shorter.length).asReadOnlyBuffer()
              : plain();
    }
    return compressed;
  }
}
