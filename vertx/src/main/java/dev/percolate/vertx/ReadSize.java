package dev.percolate.vertx;

import dev.percolate.engine.loop.BodyBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;

/**
 * Says how much of a connection is read before the others are: once, and at most a piece of a body,
 * so that thousands who send much do not keep the others waiting; and less where nobody waits for
 * it.
 */
@SuppressWarnings("deprecation") // the type of handles is part of the method's signature
final class ReadSize extends AdaptiveRecvByteBufAllocator {

  private static final int LEAST = 64;
  private static final int FIRST = 2048;

  private final Connection connection;

  ReadSize(Connection connection) {
    super(LEAST, FIRST, BodyBuffer.MAX_PIECE);
    this.connection = connection;
    maxMessagesPerRead(1);
  }

  @Override
  public Handle newHandle() {
    return new Bounded(super.newHandle());
  }

  private final class Bounded extends DelegatingHandle {

    Bounded(Handle adaptive) {
      super(adaptive);
    }

    @Override
    public int guess() {
      return Math.min(super.guess(), connection.mostRead());
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator memory) {
      return memory.ioBuffer(guess());
    }
  }
}
