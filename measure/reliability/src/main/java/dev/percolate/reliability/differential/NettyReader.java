package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests with Netty's decoder in its default configuration, with Percolate's limits. */
final class NettyReader implements RequestReader {

  private static final ListenOptions LIMITS = ListenOptions.ofPort(0);

  private static final HttpDecoderConfig CONFIG =
      new HttpDecoderConfig()
          .setMaxInitialLineLength(HeadGuard.MAX_METHOD + LIMITS.maxTargetLength() + 10)
          .setMaxHeaderSize(LIMITS.maxHeaderBytes());

  @Override
  public Reading read(byte[] bytes) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder(CONFIG));
    try {
      channel.writeInbound(Unpooled.wrappedBuffer(bytes));
      return messages(channel);
    } finally {
      channel.finishAndReleaseAll();
    }
  }

  private static Reading messages(EmbeddedChannel channel) {
    List<Message> messages = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    HttpRequest head = null;
    String rejected = null;
    for (HttpObject part = channel.readInbound();
        part != null && rejected == null;
        part = channel.readInbound()) {
      rejected = failure(part.decoderResult());
      if (rejected == null && part instanceof HttpRequest request) {
        head = request;
      }
      if (part instanceof HttpContent content && head != null) {
        body.append(content.content().toString(ISO_8859_1));
        if (rejected == null && part instanceof LastHttpContent) {
          messages.add(message(head, body.toString(), true));
          head = null;
          body.setLength(0);
        }
      }
      ReferenceCountUtil.release(part);
    }
    if (head != null) {
      messages.add(message(head, body.toString(), false));
    }
    return Reading.of(messages, rejected);
  }

  private static @Nullable String failure(DecoderResult result) {
    return result.isFailure() ? String.valueOf(result.cause()) : null;
  }

  private static Message message(HttpRequest head, String body, boolean whole) {
    List<String> headers = new ArrayList<>();
    head.headers().forEach(line -> headers.add(Message.header(line.getKey(), line.getValue())));
    return new Message(head.method().name(), head.uri(), headers, body, whole);
  }
}
