package dev.percolate.reliability;

import dev.percolate.http.Frame;
import dev.percolate.http.MessageInflater;
import dev.percolate.http.WebSocketException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;

/** Reads the frames that a server sends over a WebSocket (RFC 6455), and rejects anything else. */
final class SocketReader {

  private static final int LARGEST = 1 << 20;
  private static final int LAST = 0x80;
  private static final int COMPRESSED = 0x40;
  private static final int LONGEST_CONTROL = 125;

  private final DataInputStream in;
  private final boolean compressible;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private int begun;
  private boolean compressed;
  private long bytes;

  /**
   * Creates a reader after a handshake.
   *
   * @param compressible whether compression was negotiated
   */
  SocketReader(InputStream in, boolean compressible) {
    this.in = new DataInputStream(in);
    this.compressible = compressible;
  }

  /** A complete message, or a control frame. */
  static final class Incoming {

    /** The opcode of the first frame. */
    final int opcode;

    final byte[] content;

    private Incoming(int opcode, byte[] content) {
      this.opcode = opcode;
      this.content = content;
    }
  }

  /** Returns the number of bytes of all frames that were read completely. */
  long bytes() {
    return bytes;
  }

  /**
   * Reads up to the end of a message, or of a control frame between its frames.
   *
   * @throws EOFException if the connection ends before that
   * @throws ProtocolException if the frame is invalid
   */
  Incoming next() throws IOException {
    while (true) {
      int first = in.readUnsignedByte();
      int opcode = first & 0x0F;
      boolean last = (first & LAST) != 0;
      byte[] payload = payload();
      if (opcode >= Frame.CLOSE) {
        require(last && (first & 0x70) == 0 && payload.length <= LONGEST_CONTROL, first);
        return new Incoming(opcode, payload);
      }
      boolean begins = opcode != Frame.CONTINUATION;
      require(begins == (begun == 0) && opcode <= Frame.BINARY, first);
      require((first & 0x30) == 0, first);
      if (begins) {
        begun = opcode;
        compressed = (first & COMPRESSED) != 0;
        require(compressible || !compressed, first);
      }
      message.writeBytes(payload);
      if (last) {
        return whole();
      }
    }
  }

  private Incoming whole() throws IOException {
    byte[] content = message.toByteArray();
    int opcode = begun;
    message.reset();
    begun = 0;
    try {
      return new Incoming(opcode, compressed ? MessageInflater.whole(content, LARGEST) : content);
    } catch (WebSocketException e) {
      throw new ProtocolException("invalid compression: " + e);
    }
  }

  private byte[] payload() throws IOException {
    int second = in.readUnsignedByte();
    require(second < 0x80, second); // a server never masks
    long length = second;
    int head = 2;
    if (second == 126) {
      length = in.readUnsignedShort();
      head += Short.BYTES;
    } else if (second == 127) {
      length = in.readLong();
      head += Long.BYTES;
    }
    require(length >= 0 && length <= LARGEST, second);
    byte[] payload = in.readNBytes((int) length);
    if (payload.length < length) {
      throw new EOFException("the connection ended within a frame");
    }
    bytes += head + length;
    return payload;
  }

  private static void require(boolean right, int octet) throws ProtocolException {
    if (!right) {
      throw new ProtocolException("unexpected byte " + Integer.toHexString(octet) + " in a frame");
    }
  }
}
