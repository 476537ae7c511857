package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.MultiPart;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Reads one form to its end, or to its first error, and passes on. */
final class FormReader implements ChunkReader {

  private static final int LONGEST_BOUNDARY = 70;
  private static final String BOUNDARY_SIGNS = "'()+_,-./:=? ";

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

  /**
   * Returns the text that separates the parts of a form (RFC 2046 section 5.1.1).
   *
   * @throws HttpError 400 if the type has none, or one that cannot be
   */
  static String boundary(MediaType type) {
    String boundary = type.parameter("boundary");
    if (boundary == null || boundary.isEmpty()) {
      throw Parts.malformed("no boundary", null);
    }
    boolean wrong = boundary.length() > LONGEST_BOUNDARY || boundary.endsWith(" ");
    if (wrong || !boundary.chars().allMatch(FormReader::mayBound)) {
      throw Parts.malformed("a boundary that is none", null);
    }
    return boundary;
  }

  private static boolean mayBound(int c) {
    boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return letter || (c >= '0' && c <= '9') || BOUNDARY_SIGNS.indexOf(c) >= 0;
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
      throw BodyErrors.tooLarge(limit).with("received", received);
    }
    parts.piece(piece);
    parser.parse(Content.Chunk.from(piece, false));
    parts.check();
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    Throwable error =
        failure instanceof IOException ? BodyErrors.aborted(failure, received, -1) : failure;
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
