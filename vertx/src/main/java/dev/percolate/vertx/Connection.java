package dev.percolate.vertx;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.engine.loop.Progress;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection as its event loop sees it: what it is doing, since when, and for how long it may.
 * It stands in front of the engine's own handlers.
 *
 * <pre>
 *   IDLE --bytes--> HEAD --head complete--> BUSY --answered, body read--> IDLE
 * </pre>
 *
 * <p>On HTTP/2, which multiplexes, there is no HEAD: the engine's limits on frames apply.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed is closed already
final class Connection extends ChannelDuplexHandler {

  private static final long GRACE_MS = 250;

  /** What a client may send behind a request before that is answered. */
  private static final int MOST_AHEAD = 4 << 10;

  private enum Phase {
    IDLE,
    HEAD,
    BUSY
  }

  private final VertxServer server;
  private final ListenOptions options;
  private final List<VertxExchange> running = new ArrayList<>(1);
  private ChannelHandlerContext context;
  private Loop loop;
  private @Nullable HttpConnection http;
  private @Nullable VertxExchange waiting;
  private boolean multiplexed;
  private boolean last;
  private int received;
  private int malformed = -1;
  private Phase phase = Phase.IDLE;
  private long since = System.nanoTime();
  private boolean seen = true;
  private boolean fresh = true;
  private boolean unflushed;
  private int ahead;
  private boolean holdsAhead;
  private boolean holdsBody;
  private BodyMemory.@Nullable Share share;
  private long stuckSince;
  private long stuckAt = -1;
  private long pendingBefore;
  private long progressBefore;

  @SuppressWarnings("NullAway.Init") // context and loop are set as soon as it has a channel
  Connection(VertxServer server, ListenOptions options) {
    this.server = server;
    this.options = options;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    loop = server.loop(added.channel().eventLoop());
    loop.opened(this);
    added.channel().config().setRecvByteBufAllocator(new ReadSize(this));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (phase == Phase.IDLE && !multiplexed) {
      enter(Phase.HEAD);
    } else if (phase == Phase.BUSY && !multiplexed && !hasMore()) {
      ahead += ((ByteBuf) message).readableBytes();
      holdsAhead = ahead > MOST_AHEAD;
      hold();
    }
    ctx.fireChannelRead(message);
  }

  /**
   * Leaves what was written for the end of this turn of the loop, unless it is much: streams of
   * HTTP/2 that open while the connection is full are forgotten by the engine if it is so for a
   * part of a turn only.
   */
  @Override
  public void flush(ChannelHandlerContext ctx) {
    if (!ctx.channel().isWritable()) {
      ctx.flush();
    } else if (!unflushed) {
      unflushed = true;
      loop.flushLater(this);
    }
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    flush();
    ctx.close(promise);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    if (ctx.channel().isWritable()) {
      startWaiting();
    }
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    loop.closed(this);
    List<VertxExchange> gone = List.copyOf(running);
    ctx.fireChannelInactive();
    startWaiting(); // first: what ends counts as a request that has been let in
    gone.forEach(VertxExchange::hungUp);
  }

  /** Returns how many bytes may be read at once. */
  int mostRead() {
    if (multiplexed || (phase != Phase.BUSY && options.bodyMemory().isPlenty())) {
      return BodyBuffer.MAX_PIECE;
    }
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).hasMore()) {
        return running.get(i).mostRead();
      }
    }
    return BodyBuffer.LITTLE;
  }

  /** Reads no more of the body under way, or goes on. */
  void holdsBody(boolean holds) {
    holdsBody = holds;
    hold();
  }

  /** Returns what all exchanges of the connection may take of the memory for bodies. */
  BodyMemory.Share share() {
    BodyMemory.Share known = share;
    if (known == null) {
      String address = ((InetSocketAddress) remoteAddress()).getAddress().getHostAddress();
      known = options.bodyMemory().share(address);
      share = known;
    }
    return known;
  }

  /** Gives the kernel what was written. */
  void flush() {
    unflushed = false;
    context.flush();
  }

  SocketAddress remoteAddress() {
    return context.channel().remoteAddress();
  }

  SocketAddress localAddress() {
    return context.channel().localAddress();
  }

  @Nullable HttpConnection http() {
    return http;
  }

  /** Learns which of the engine's connections this is. */
  void http(HttpConnection connection) {
    http = connection;
    multiplexed = connection.protocolVersion() == HttpVersion.HTTP_2;
    phase = Phase.IDLE; // what was read of TLS so far is no head
    if (multiplexed) {
      enter(Phase.IDLE);
      fresh = false;
    } else {
      HeadDecoder decoder = new HeadDecoder(options, this::malformedBody);
      context.pipeline().replace(HeadDecoder.NAME, HeadDecoder.NAME, decoder);
    }
    if (server.draining()) {
      drain();
    }
  }

  /**
   * Notes that the answer under way is the last one: what was sent behind its request is not read.
   */
  void last() {
    last = true;
  }

  /** Tells whether an answer has said that it is the last one. */
  boolean isLast() {
    return last;
  }

  /** Notes that a request has arrived. */
  void busy(VertxExchange exchange) {
    phase = Phase.BUSY;
    fresh = false;
    nothingAhead();
    running.add(exchange);
    received++;
    failIfMalformed(exchange);
  }

  /**
   * Starts a request, as soon as the client has read enough of the answers before it: one that
   * sends requests and reads nothing does not fill the memory with answers.
   */
  void start(VertxExchange exchange) {
    if (multiplexed || context.channel().isWritable()) {
      exchange.serve();
    } else {
      waiting = exchange;
    }
  }

  /** Prepares for answers that the kernel takes from files. */
  void sendsFiles() {
    if (!multiplexed && context.pipeline().get(FileRegions.class) == null) {
      context.pipeline().addFirst(new FileRegions(this));
    }
  }

  /** Notes that the kernel could not take the file of the answer under way to its end. */
  void fileFailed(Throwable cause) {
    List.copyOf(running).forEach(exchange -> exchange.fileFailed(cause));
  }

  /** Notes that an exchange is over, its body included. */
  void over(VertxExchange exchange) {
    running.remove(exchange);
    nothingAhead();
    if (!running.isEmpty()) {
      return; // the engine may show the next request before it tells that this one is over
    }
    if (last) {
      close();
    } else {
      enter(Phase.IDLE);
    }
  }

  /** Closes the connection when what was written has gone out. */
  void close() {
    if (http == null) {
      context.close();
    } else {
      http.close();
    }
  }

  /** Closes the connection now; what the kernel has taken may still reach the client. */
  void abort() {
    flush(); // answers that were complete before
    context.close();
  }

  /** Ends a stream of HTTP/2, unless it has ended. */
  void reset(int stream, long code) {
    Http2ConnectionHandler streams = context.pipeline().get(Http2ConnectionHandler.class);
    if (streams != null && streams.connection().stream(stream) != null) {
      ChannelHandlerContext at = context.pipeline().context(streams);
      streams.resetStream(at, stream, code, at.newPromise());
      streams.flush(at);
    }
  }

  /** Lets the connection end: what has arrived is answered, then it is closed. */
  void drain() {
    if (multiplexed && http != null) {
      http.shutdown(options.drain().toMillis(), TimeUnit.MILLISECONDS);
    } else {
      context.executor().schedule(this::closeIfIdle, GRACE_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Closes the connection if it has taken longer than its options allow. */
  void check(long now) {
    if (!seen) {
      seen = true;
      since = now;
    }
    switch (phase) {
      case IDLE -> {
        if (now - since > (fresh ? options.headTimeout() : options.idleTimeout()).toNanos()) {
          close();
        } else if (server.draining() && !multiplexed) {
          closeIfIdle();
        }
      }
      case HEAD -> {
        if (now - since > options.headTimeout().toNanos()) {
          abort();
        }
      }
      case BUSY -> {
        List.copyOf(running).forEach(exchange -> exchange.check(now));
        checkOutput(now);
      }
    }
  }

  /** Notes that the body of a request cannot be read: the request may not have come this far. */
  private void malformedBody(int request) {
    malformed = request;
    List.copyOf(running).forEach(this::failIfMalformed);
  }

  private void failIfMalformed(VertxExchange exchange) {
    if (received == malformed) {
      last();
      exchange.malformedBody();
    }
  }

  private void startWaiting() {
    VertxExchange exchange = waiting;
    waiting = null;
    if (exchange != null) {
      exchange.serve();
    }
  }

  private void checkOutput(long now) {
    ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
    if (out == null || out.isEmpty()) {
      stuckAt = -1;
      return;
    }
    long pending = out.totalPendingWriteBytes();
    long progress = out.currentProgress();
    if (!multiplexed) {
      // What has been added since hides a part of it; whatever a client has added moves nothing.
      long taken = Math.max(pendingBefore - pending, 0) + Math.max(progress - progressBefore, 0);
      running.forEach(exchange -> Progress.note(exchange.progress(), taken, now));
    }
    pendingBefore = pending;
    progressBefore = progress;
    long position = pending + progress;
    if (position != stuckAt) {
      stuckAt = position;
      stuckSince = now;
    } else if (now - stuckSince > options.writeTimeout().toNanos()) {
      abort();
    }
  }

  private void nothingAhead() {
    ahead = 0;
    if (holdsAhead) {
      holdsAhead = false;
      hold();
    }
  }

  private void hold() {
    boolean reads = !holdsAhead && !holdsBody;
    if (context.channel().config().isAutoRead() != reads) {
      context.channel().config().setAutoRead(reads);
    }
  }

  private boolean hasMore() {
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).hasMore()) {
        return true;
      }
    }
    return false;
  }

  /** Changes the phase; the clock is read when it is looked at first, not for each request. */
  private void enter(Phase next) {
    phase = next;
    seen = false;
  }

  /**
   * Closes the connection if no request has come for some time; not before the loop has looked once
   * more, as it may have stood still, and requests wait to be read.
   */
  private void closeIfIdle() {
    if (isIdle()) {
      loop.afterReading(
          () -> {
            if (isIdle()) {
              close();
            }
          });
    }
  }

  private boolean isIdle() {
    return phase == Phase.IDLE
        && seen
        && System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(GRACE_MS);
  }
}
