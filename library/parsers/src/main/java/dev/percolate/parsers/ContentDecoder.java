package dev.percolate.parsers;

import dev.percolate.core.BodyDecoder;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Decompresses bodies for other readers, in the content codings of body parsers. */
public final class ContentDecoder implements BodyDecoder {

  /** Creates a decoder. */
  public ContentDecoder() {}

  @Override
  public ChunkReader decoding(Request req, long limit, ChunkReader reader) {
    String header = req.get("Content-Encoding");
    Codings codings = header == null ? null : Codings.parse(header);
    if (codings == null) {
      return reader;
    }
    long kept = Math.max(0, reader.bufferedBytes(-1));
    Bytes.MemoryShare share =
        new Bytes.MemoryShare(bytes -> RequestControl.reserve(req, kept + bytes));
    Bytes decoded = new Bytes(limit, -1, share);
    return new DecodingReader(reader, codings.decoder(decoded), decoded);
  }

  /**
   * Decompresses a body for another reader, chunk by chunk. Formats that need the whole body are
   * collected first, up to the limit.
   */
  private static final class DecodingReader implements ChunkReader {

    /** The number of compressed bytes that are decoded at once. They may expand a thousandfold. */
    private static final int SLICE = 512;

    private final ChunkReader reader;
    private final Decoder decoder;
    private final Bytes decoded;
    private boolean wanted = true;
    private boolean ended;

    /** The exception at the end of the body, kept until {@link #done}. */
    private @Nullable Throwable failed;

    /**
     * Creates a reader.
     *
     * @param reader reads the decoded body
     * @param decoder decodes the body; closed at the end
     * @param decoded receives the decoded bytes
     */
    DecodingReader(ChunkReader reader, Decoder decoder, Bytes decoded) {
      this.reader = reader;
      this.decoder = decoder;
      this.decoded = decoded;
    }

    @Override
    public long bufferedBytes(long announced) {
      long kept = Math.max(0, reader.bufferedBytes(-1));
      return sum(kept, Bytes.MemoryShare.first(decoded.limit()) + decoder.workSpace());
    }

    @Override
    public long maxBufferedBytes(long announced) {
      return sum(bufferedBytes(announced), decoded.limit());
    }

    @Override
    public long parsedBytes(boolean exact) {
      try {
        end();
      } catch (Throwable thrown) {
        failed = thrown;
        return 0;
      }
      return reader.parsedBytes(exact);
    }

    @Override
    public boolean chunk(ByteBuffer piece) throws Exception {
      while (wanted && piece.hasRemaining()) {
        int count = Math.min(SLICE, piece.remaining());
        decoder.add(piece.slice(piece.position(), count));
        piece.position(piece.position() + count);
        pass();
      }
      return wanted;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      Throwable error = failure == null ? failed : failure;
      try {
        if (error == null) {
          end();
        }
      } catch (Throwable thrown) {
        error = thrown;
      } finally {
        decoder.close();
      }
      reader.done(error);
    }

    private void end() throws Exception {
      if (wanted && !ended) {
        ended = true;
        decoder.end();
        pass();
      }
    }

    private void pass() throws Exception {
      if (decoded.size() > 0) {
        wanted = reader.chunk(decoded.remove());
      }
    }

    private static long sum(long one, long other) {
      return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }
  }
}
