package dev.percolate.middleware.store;

import dev.percolate.core.BodyFilter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Passes a body on unchanged, and keeps a copy of it up to a limit. */
public final class KeepingFilter implements BodyFilter {

  private final StoredResponse head;
  private final int most;
  private final Consumer<String> whole;
  private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
  private boolean overflow;

  /**
   * Creates a filter.
   *
   * @param whole receives the stored response, before the end of the body is sent
   */
  public KeepingFilter(StoredResponse head, int most, Consumer<String> whole) {
    this.head = head;
    this.most = most;
    this.whole = whole;
  }

  @Override
  public ByteBuffer write(ByteBuffer piece) {
    if (overflow || piece.remaining() > most - copy.size()) {
      overflow = true;
      copy.reset();
      return piece;
    }
    byte[] bytes = new byte[piece.remaining()];
    piece.duplicate().get(bytes);
    copy.writeBytes(bytes);
    return piece;
  }

  @Override
  public ByteBuffer end(ByteBuffer last) {
    write(last);
    whole.accept((overflow ? head.withoutBody() : head.with(copy.toByteArray(), most)).write());
    return last;
  }
}
