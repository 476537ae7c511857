package dev.percolate.vertx;

import dev.percolate.core.HttpError;
import dev.percolate.core.ListenOptions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests as the engine's own decoder does, in whose place it stands, but reports what that
 * one repairs or passes on: header lines that are folded (RFC 9112 §5.2), since another reader of
 * the same bytes may see two headers there, and versions that we do not speak.
 */
final class HeadDecoder extends HttpRequestDecoder {

  /** The name that the engine gives its decoder of requests. */
  static final String NAME = "httpDecoder";

  /** The most bytes of one piece of a body. */
  static final int MAX_CHUNK = 16 << 10;

  private static final byte LINE_FEED = '\n';

  private boolean inHead = true;
  private @Nullable HttpError refusal;

  HeadDecoder(ListenOptions options) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(options.maxTarget())
            .setMaxHeaderSize(options.maxHeaderBytes())
            .setMaxChunkSize(MAX_CHUNK));
  }

  /** Decodes one step: one that begins in a head ends with that head at the latest. */
  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    int begin = in.readerIndex();
    super.decode(ctx, in, out);
    if (inHead && beginsWithBlank(in, begin, in.readerIndex())) {
      refusal = new HttpError(400);
    }
    for (Object decoded : out) {
      if (decoded instanceof HttpRequest request) {
        inHead = false;
        if (refusal != null && request.decoderResult().isSuccess()) {
          request.setDecoderResult(DecoderResult.failure(refusal));
        }
      }
      if (decoded instanceof LastHttpContent) {
        inHead = true;
        refusal = null;
      }
    }
  }

  /** Makes a request with the headers that the engine is quickest with. */
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
