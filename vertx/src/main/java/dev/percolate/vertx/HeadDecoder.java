package dev.percolate.vertx;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.loop.BodyBuffer;
import dev.percolate.http.HttpError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests as the engine's own decoder does, in whose place it stands, but reports what that
 * one repairs or passes on, since another reader of the same bytes may see other requests there:
 * header lines that are folded (RFC 9112 §5.2), words of the request line that are parted by
 * anything but one blank (§3), more than an empty line in front of it (§2.2), and versions that we
 * do not speak. Of a body that is malformed it tells the connection, which the engine would close
 * before anybody could answer. Pieces of bodies go on in memory that the collector frees.
 */
final class HeadDecoder extends HttpRequestDecoder {

  /** The name that the engine gives its decoder of requests. */
  static final String NAME = "httpDecoder";

  private static final byte LINE_FEED = '\n';

  /** What may stand in front of a request line. */
  private static final byte[] EMPTY_LINE = {'\r', '\n'};

  private static final int LINE_BEGUN = EMPTY_LINE.length + 1;

  private final IntConsumer malformedBody;
  private boolean inHead = true;
  private int lead;
  private int requests;
  private @Nullable HttpError refusal;

  /**
   * Creates a decoder for one connection.
   *
   * @param malformedBody is told that the rest of a body cannot be read, and nothing behind it: of
   *     which request, counted from 1
   */
  HeadDecoder(ListenOptions options, IntConsumer malformedBody) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(options.maxTarget())
            .setMaxHeaderSize(options.maxHeaderBytes())
            .setMaxChunkSize(BodyBuffer.MAX_PIECE));
    this.malformedBody = malformedBody;
  }

  /** Decodes one step: one that begins in a head ends with that head at the latest. */
  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    int begin = in.readerIndex();
    super.decode(ctx, in, out);
    if (inHead && (isLedBadly(in, begin) || beginsWithBlank(in, begin, in.readerIndex()))) {
      refusal = new HttpError(400);
    }
    out.removeIf(this::isMalformedBody);
    for (int i = 0; i < out.size(); i++) {
      Object decoded = out.get(i);
      if (decoded instanceof HttpRequest request) {
        inHead = false;
        requests++;
        if (refusal != null && request.decoderResult().isSuccess()) {
          request.setDecoderResult(DecoderResult.failure(refusal));
        }
      } else if (decoded instanceof HttpContent content && content.content().isReadable()) {
        out.set(i, onHeap(content));
      }
      if (decoded instanceof LastHttpContent) {
        inHead = true;
        lead = 0;
        refusal = null;
      }
    }
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    checkBlank(line, start);
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    checkBlank(line, start);
    return super.splitThirdWordInitialLine(line, start, length);
  }

  /** Creates a request with the headers that the engine is quickest with. */
  @Override
  protected HttpMessage createMessage(String[] line) {
    HttpHeaders headers = (HttpHeaders) io.vertx.core.http.HttpHeaders.headers();
    HttpMethod method = HttpMethod.valueOf(line[0]);
    return switch (line[2]) {
      case "HTTP/1.1" -> new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, line[1], headers);
      case "HTTP/1.0" -> new DefaultHttpRequest(HttpVersion.HTTP_1_0, method, line[1], headers);
      default -> {
        if (!isVersion(line[2])) {
          throw new IllegalArgumentException("not a version of HTTP");
        }
        refusal = new HttpError(505);
        yield new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, line[1], headers);
      }
    };
  }

  /**
   * Puts a piece of a body into memory that the collector frees: of a connection that ends while it
   * is paused, the engine gives back none of the buffers that it holds. It makes no copy of its own
   * then.
   */
  private static HttpContent onHeap(HttpContent content) {
    ByteBuf pooled = content.content();
    HttpContent copy = content.replace(Unpooled.wrappedBuffer(ByteBufUtil.getBytes(pooled)));
    pooled.release();
    return copy;
  }

  private boolean isMalformedBody(Object decoded) {
    boolean malformed =
        decoded instanceof HttpContent content
            && !(decoded instanceof HttpRequest)
            && content.decoderResult().isFailure();
    if (malformed) {
      ReferenceCountUtil.release(decoded);
      malformedBody.accept(requests);
    }
    return malformed;
  }

  /** Tells whether anything but one empty line stands before the request line. */
  private boolean isLedBadly(ByteBuf in, int begin) {
    for (int i = begin; lead < LINE_BEGUN && i < in.readerIndex(); i++) {
      byte next = in.getByte(i);
      if (lead < EMPTY_LINE.length && next == EMPTY_LINE[lead]) {
        lead++;
      } else {
        boolean bad = lead == 1 || next == '\r' || next == '\n';
        lead = LINE_BEGUN;
        return bad;
      }
    }
    return false;
  }

  /** Refuses a word of the request line that does not stand behind one blank. */
  private static void checkBlank(byte[] line, int start) {
    if (start < 2 || line[start - 1] != ' ' || (line[start - 2] >= 0 && line[start - 2] <= ' ')) {
      throw new IllegalArgumentException("not one blank between the words of a request line");
    }
  }

  /** Tells whether one of the lines between two places begins with a blank. */
  private static boolean beginsWithBlank(ByteBuf in, int begin, int end) {
    int line = begin;
    while (line < end) {
      byte first = in.getByte(line);
      if (first == ' ' || first == '\t') {
        return true;
      }
      int feed = in.indexOf(line, end, LINE_FEED);
      line = feed < 0 ? end : feed + 1;
    }
    return false;
  }

  private static boolean isVersion(String text) {
    int dot = text.indexOf('.');
    return text.startsWith("HTTP/")
        && isDigits(text, "HTTP/".length(), dot)
        && isDigits(text, dot + 1, text.length());
  }

  private static boolean isDigits(String text, int begin, int end) {
    for (int i = begin; i < end; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return begin < end;
  }
}
