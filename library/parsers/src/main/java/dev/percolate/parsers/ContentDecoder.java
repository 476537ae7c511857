package dev.percolate.parsers;

import dev.percolate.core.BodyDecoder;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;

/** Decompresses bodies for other readers, in the content codings of body parsers. */
public final class ContentDecoder implements BodyDecoder {

  /** Creates a decoder. */
  public ContentDecoder() {}

  @Override
  public ChunkReader decoding(Request req, long limit, ChunkReader reader) {
    Codings codings = Codings.parse(req.get("Content-Encoding"));
    if (codings.isEmpty()) {
      return reader;
    }
    long kept = Math.max(0, reader.bufferedBytes(-1));
    Bytes decoded =
        new Bytes(limit, -1, new MemoryShare(bytes -> RequestControl.reserve(req, kept + bytes)));
    return new DecodingReader(reader, codings.decoder(decoded), decoded);
  }
}
