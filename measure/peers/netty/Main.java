import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The smallest server on Netty: codec, aggregator, a switch over paths. */
final class Main extends SimpleChannelInboundHandler<FullHttpRequest> {

  public static void main(String[] args) throws Exception {
    int loops = Runtime.getRuntime().availableProcessors();
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory()))
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(new ChannelInitializer<SocketChannel>() {
          @Override
          protected void initChannel(SocketChannel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(Peer.LIMIT));
            if (Peer.SOCKETS) {
              channel.pipeline().addLast(new WebSocketServerProtocolHandler("/sockets"), new Echo());
            }
            channel.pipeline().addLast(new Main());
          }
        })
        .bind(Peer.PORT)
        .sync();
    Peer.ready();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) throws Exception {
    if (request.decoderResult().isFailure()) {
      ctx.writeAndFlush(answer(HttpResponseStatus.BAD_REQUEST, "text/plain", new byte[0]))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    QueryStringDecoder target = new QueryStringDecoder(request.uri());
    Peer.enter(target.path());
    boolean last = !HttpUtil.isKeepAlive(request);
    switch (target.path()) {
      case "/plaintext" -> write(ctx, last, ok("text/plain", Peer.HELLO));
      case "/json" -> write(ctx, last, ok("application/json", Peer.json()));
      case "/echo" -> {
        byte[] body = new byte[request.content().readableBytes()];
        request.content().readBytes(body);
        byte[] answer = Peer.echo(body);
        write(ctx, last, answer == null
            ? answer(HttpResponseStatus.BAD_REQUEST, "text/plain", new byte[0]) : ok("application/json", answer));
      }
      case "/header" -> write(ctx, last, ok("text/plain", bytes(request.headers().get(Peer.HEADER))));
      case "/list" -> write(ctx, last, ok("application/json", Peer.list()));
      case "/mebibyte" -> write(ctx, last, ok("text/plain", Peer.MEBIBYTE));
      case "/slow" -> ctx.executor().schedule(
          () -> write(ctx, last, ok("text/plain", bytes("slept"))),
          Long.parseLong(target.parameters().get("ms").get(0)), TimeUnit.MILLISECONDS);
      case "/file" -> file(ctx, last);
      case "/count" -> write(ctx, last, ok("text/plain", bytes(Peer.entered())));
      default -> user(ctx, last, target.path().split("/"));
    }
  }

  private static void user(ChannelHandlerContext ctx, boolean last, String[] parts) {
    boolean known = parts.length == 5 && parts[1].equals("users") && parts[3].equals("posts");
    write(ctx, last, known
        ? ok("text/plain", bytes(parts[2] + " " + parts[4]))
        : answer(HttpResponseStatus.NOT_FOUND, "text/plain", new byte[0]));
  }

  private static void file(ChannelHandlerContext ctx, boolean last) {
    long length = Peer.file().toFile().length();
    var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
    ctx.write(head);
    ctx.write(new DefaultFileRegion(Peer.file().toFile(), 0, length));
    end(ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT), last);
  }

  private static void write(ChannelHandlerContext ctx, boolean last, DefaultFullHttpResponse answer) {
    if (last) {
      answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    end(ctx.writeAndFlush(answer), last);
  }

  private static void end(ChannelFuture written, boolean last) {
    if (last) {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static DefaultFullHttpResponse ok(String type, byte[] body) {
    return answer(HttpResponseStatus.OK, type, body);
  }

  private static DefaultFullHttpResponse answer(HttpResponseStatus status, String type, byte[] body) {
    var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    answer.headers().set(HttpHeaderNames.CONTENT_TYPE, type).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return answer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  /** Echoes each text unchanged. */
  private static final class Echo extends SimpleChannelInboundHandler<TextWebSocketFrame> {

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame) {
      ctx.writeAndFlush(frame.retain());
    }
  }
}
