package dev.percolate.multipart;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import dev.percolate.http.MediaType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads one form to its end or its first error, then continues with the next handler. */
final class FormReader implements ChunkReader {

  /** The maximum length of a boundary. RFC 2046 allows 70; some clients send more. */
  private static final int LONGEST_BOUNDARY = 256;

  private final PartParser parser;
  private final Parts parts;
  private final long limit;
  private final Next next;
  private long received;

  FormReader(byte[] boundary, Parts parts, long limit, Next next) {
    this.parser = new PartParser(boundary, parts.headerLimit(), parts);
    this.parts = parts;
    this.limit = limit;
    this.next = next;
  }

  /**
   * Returns the bytes that separate the parts of a form. Accepts more than RFC 2046 section 5.1.1,
   * except boundaries that end with a space or tab, which are ambiguous.
   *
   * @throws HttpError 400 if the boundary is absent or invalid
   */
  static byte[] boundary(MediaType type) {
    String boundary = type.parameter("boundary");
    if (boundary == null || boundary.isEmpty()) {
      throw FormFault.malformed("missing boundary");
    }
    boolean ambiguous = boundary.endsWith(" ") || boundary.endsWith("\t");
    if (ambiguous || boundary.length() > LONGEST_BOUNDARY || !hasNoControls(boundary)) {
      throw FormFault.malformed("invalid boundary");
    }
    // The bytes as received: engines read headers with one character per byte.
    Charset charset =
        boundary.chars().allMatch(c -> c <= 0xFF)
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_8;
    return boundary.getBytes(charset);
  }

  private static boolean hasNoControls(String boundary) {
    return boundary.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7F));
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
    parser.parse(piece);
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    Throwable error =
        failure instanceof IOException ? BodyErrors.aborted(failure, received, -1) : failure;
    try {
      if (error == null) {
        finish();
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

  /** Ends the form. An empty body is a form without fields. */
  private void finish() {
    if (received > 0 && !parser.isComplete()) {
      throw FormFault.malformed("unexpected end of the form");
    }
    parts.finish();
  }
}
