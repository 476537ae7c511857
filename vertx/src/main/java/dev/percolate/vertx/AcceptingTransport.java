package dev.percolate.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.spi.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The NIO transport of the engine, which shows us each connection as it is accepted, and lets us
 * close what listens without closing what is connected.
 */
final class AcceptingTransport implements io.vertx.core.transport.Transport, Transport {

  private final Transport nio = io.vertx.core.transport.Transport.NIO.implementation();
  private final List<Channel> listening = new CopyOnWriteArrayList<>();
  private final Predicate<Channel> accepts;
  private final Consumer<IOException> failed;

  /**
   * Creates the transport.
   *
   * @param accepts is given each new connection before anything has been read from it; one that it
   *     does not accept is closed
   * @param failed is told of each connection that cannot be accepted
   */
  AcceptingTransport(Predicate<Channel> accepts, Consumer<IOException> failed) {
    this.accepts = accepts;
    this.failed = failed;
  }

  /** Refuses new connections from now on. */
  void stopListening() {
    for (Channel channel : listening) {
      channel.close().awaitUninterruptibly();
    }
  }

  /** Returns the loops on which connections are accepted. */
  Set<EventLoop> listening() {
    return listening.stream().map(Channel::eventLoop).collect(Collectors.toSet());
  }

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public Transport implementation() {
    return this;
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return nio.ioHandlerFactory();
  }

  @Override
  @SuppressWarnings("deprecation") // the family is part of the method's signature
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return nio.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
    return nio.datagramChannelFactory();
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return nio.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return () -> {
      Listening channel = new Listening(accepts, failed);
      listening.add(channel);
      return channel;
    };
  }

  private static final class Listening extends NioServerSocketChannel {

    private static final long PAUSE_MS = 100;

    private final Predicate<Channel> accepts;
    private final Consumer<IOException> failed;

    Listening(Predicate<Channel> accepts, Consumer<IOException> failed) {
      this.accepts = accepts;
      this.failed = failed;
    }

    @Override
    protected int doReadMessages(List<Object> connections) throws Exception {
      int count = accepted(connections);
      if (count > 0) {
        // The list gathers several readings: only its last entry is new.
        Channel channel = (Channel) connections.get(connections.size() - 1);
        if (!accepts.test(channel)) {
          connections.remove(channel);
          channel.unsafe().closeForcibly();
        }
      }
      return count;
    }

    /** Accepts; after a failure, mostly a lack of files, only some time later again. */
    @SuppressWarnings("FutureReturnValueIgnored") // it ends with the loop
    private int accepted(List<Object> connections) throws Exception {
      try {
        return super.doReadMessages(connections);
      } catch (IOException e) {
        if (!isOpen()) {
          throw e;
        }
        // What waits to be accepted stays ready: without a pause the loop would do nothing else.
        config().setAutoRead(false);
        eventLoop().schedule(() -> config().setAutoRead(true), PAUSE_MS, TimeUnit.MILLISECONDS);
        failed.accept(e);
        return 0;
      }
    }
  }
}
