package dev.percolate.vertx;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Watches the files that go out on one connection. The engine writes a stack trace to the log for
 * each that cannot be sent, so that clients who hang up could fill the log: it does not learn of
 * these failures, the connection does.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the promises tell
final class FileRegions extends ChannelOutboundHandlerAdapter {

  private final Connection connection;

  FileRegions(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof FileRegion) {
      ChannelFuture written = ctx.write(message);
      written.addListener(
          done -> {
            if (done.isSuccess()) {
              promise.setSuccess();
            } else {
              connection.fileFailed(done.cause());
            }
          });
    } else {
      ctx.write(message, promise);
    }
  }

  /** Closes a file that is not sent. */
  static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      // it was open for reading only, and nobody will read it
    }
  }
}
