import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The smallest server on Netty: codec, aggregator, a switch over paths. */
final class Main extends SimpleChannelInboundHandler<FullHttpRequest> {

  public static void main(String[] args) throws Exception {
    int loops = Runtime.getRuntime().availableProcessors();
    new ServerBootstrap()
        .group(new MultiThreadIoEventLoopGroup(loops, NioIoHandler.newFactory()))
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(Arena.LIMIT),
                        new WebSocketServerProtocolHandler("/ws"),
                        new Echo(),
                        new Main());
              }
            })
        .bind(Arena.PORT)
        .sync();
    Arena.ready();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
    QueryStringDecoder target = new QueryStringDecoder(request.uri());
    String path = target.path();
    if (path.equals("/pipeline")) {
      write(ctx, request, "text/plain", Arena.OK);
    } else if (path.equals("/baseline11")) {
      String body =
          request.method() == HttpMethod.POST
              ? request.content().toString(StandardCharsets.UTF_8)
              : "";
      write(
          ctx,
          request,
          "text/plain",
          Arena.bytes(Arena.sum(first(target, "a"), first(target, "b"), body)));
    } else if (path.startsWith("/json/")) {
      write(
          ctx,
          request,
          "application/json",
          Arena.json(Arena.priced(Arena.last(path), Arena.number(first(target, "m"), 1))));
    } else if (path.equals("/upload")) {
      ByteBuf body = request.content();
      write(ctx, request, "text/plain", Arena.bytes(Integer.toString(body.readableBytes())));
    } else {
      write(ctx, request, HttpResponseStatus.NOT_FOUND, "text/plain", new byte[0]);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }

  private static String first(QueryStringDecoder target, String name) {
    Map<String, List<String>> parameters = target.parameters();
    return parameters.containsKey(name) ? parameters.get(name).get(0) : null;
  }

  private static void write(
      ChannelHandlerContext ctx, FullHttpRequest request, String type, byte[] body) {
    write(ctx, request, HttpResponseStatus.OK, type, body);
  }

  private static void write(
      ChannelHandlerContext ctx,
      FullHttpRequest request,
      HttpResponseStatus status,
      String type,
      byte[] body) {
    var response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    if (HttpUtil.isKeepAlive(request)) {
      ctx.write(response);
    } else {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      ctx.write(response).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }

  /** Returns each message. */
  private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
      ctx.writeAndFlush(frame.retain());
    }
  }
}
