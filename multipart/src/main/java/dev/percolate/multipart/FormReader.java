package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Reads one form to its end, or to its first error, and passes on. */
final class FormReader implements ChunkReader {

  private final MultiPart.Parser parser;
  private final Parts parts;
  private final long limit;
  private final Next next;
  private long received;

  FormReader(String boundary, Parts parts, long limit, Next next) {
    this.parser = new MultiPart.Parser(boundary, parts);
    this.parser.setPartHeadersMaxLength(parts.headerLimit());
    // Counted by the parts themselves, whose error is ours.
    this.parser.setMaxParts(-1);
    this.parts = parts;
    this.limit = limit;
    this.next = next;
  }

  @Override
  public long keeps(long announced) {
    long most = parts.most();
    return announced < 0 ? most : Math.min(announced, most);
  }

  @Override
  public long makes(boolean exact) {
    return parts.weight();
  }

  @Override
  public boolean chunk(ByteBuffer piece) throws Exception {
    received += piece.remaining();
    if (received > limit) {
      throw Failure.tooLarge(limit).with("received", received);
    }
    parts.piece(piece);
    parser.parse(Content.Chunk.from(piece, false));
    parts.check();
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    Throwable error = failure instanceof IOException ? Failure.aborted(failure, received) : failure;
    try {
      if (error == null) {
        parser.parse(Content.Chunk.EOF);
        parts.finish();
      }
    } catch (Throwable thrown) {
      error = thrown;
    }
    if (error == null) {
      next.run();
    } else {
      parts.close(error);
      next.fail(error);
    }
  }
}
