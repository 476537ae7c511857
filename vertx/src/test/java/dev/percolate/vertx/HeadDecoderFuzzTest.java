package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Bytes are the same requests however they arrive, and what enters is framed in one way only. */
final class HeadDecoderFuzzTest {

  private static final int MAX_LINE = 200;
  private static final int MAX_HEADERS = 400;
  private static final int LINE_END = 4;
  private static final int HEADER_ENDS = 20;
  private static final ListenOptions OPTIONS =
      ListenOptions.ofPort(0).maxTarget(MAX_LINE).maxHeaderBytes(MAX_HEADERS);

  /** What was read so far: a line for each request, and the bodies behind them. */
  private final StringBuilder seen = new StringBuilder();

  private boolean ended;

  @FuzzTest
  void bytesAreTheSameRequestsHoweverTheyAreCut(byte[] data) {
    if (isNearLimit(data)) {
      return;
    }
    String whole = new HeadDecoderFuzzTest().decode(data, data.length);
    assertEquals(whole, new HeadDecoderFuzzTest().decode(data, 1));
    assertEquals(whole, new HeadDecoderFuzzTest().decode(data, 2 + data.length % 17));
  }

  /** Tells whether something is as long as it may be: it counts by how it arrives where it ends. */
  private static boolean isNearLimit(byte[] data) {
    int line = 0;
    int headers = -1; // the request line is none
    for (byte next : data) {
      line++;
      if (next == '\n') {
        boolean empty = line <= 2;
        headers = empty ? -1 : Math.max(headers, 0) + (headers < 0 ? 0 : line);
        if (Math.abs(line - MAX_LINE) <= LINE_END
            || Math.abs(headers - MAX_HEADERS) <= HEADER_ENDS) {
          return true;
        }
        line = 0;
      }
    }
    return false;
  }

  private String decode(byte[] data, int size) {
    List<Integer> malformed = new ArrayList<>();
    EmbeddedChannel channel = new EmbeddedChannel(new HeadDecoder(OPTIONS, malformed::add));
    for (int at = 0; at < data.length; at += size) {
      ByteBuf piece = Unpooled.copiedBuffer(data, at, Math.min(size, data.length - at));
      channel.writeInbound(piece);
      for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
        take(read);
        ReferenceCountUtil.release(read);
      }
    }
    channel.finishAndReleaseAll();
    return seen + "\nmalformed bodies: " + malformed;
  }

  private void take(Object read) {
    if (read instanceof HttpRequest request) {
      assertFalse(ended, "a request behind one that could not be read");
      int refusal = refusal(request);
      seen.append('\n').append(refusal).append(' ');
      if (refusal == 0) {
        seen.append(request.method()).append(' ').append(request.uri()).append(": ");
        assertFramed(request);
      }
      ended = refusal == -1;
    } else if (read instanceof HttpContent content) {
      assertTrue(content.decoderResult().isSuccess(), "a malformed body was passed on");
      seen.append(content.content().toString(StandardCharsets.ISO_8859_1));
    }
  }

  /** Returns the status to refuse with, 0 for none, -1 for what is no request. */
  private static int refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      boolean read = request.decoderResult().cause() instanceof HttpError;
      return !read && request.uri().equals("/bad-request") ? -1 : 400;
    }
    Headers headers = new Headers();
    request.headers().forEach(each -> headers.addReceived(each.getKey(), each.getValue()));
    boolean old = request.protocolVersion().minorVersion() == 0;
    return HeadGuard.refusal(
        old ? "1.0" : "1.1",
        request.method().name(),
        request.uri(),
        headers,
        ListenOptions.ofPort(0));
  }

  private static void assertFramed(HttpRequest request) {
    List<String> lengths = request.headers().getAll("Content-Length");
    List<String> codings = request.headers().getAll("Transfer-Encoding");
    assertTrue(lengths.size() + codings.size() <= 1, () -> "framed twice: " + request);
    assertTrue(lengths.stream().allMatch(length -> length.matches("[0-9]+")), lengths::toString);
    assertTrue(codings.stream().allMatch("chunked"::equalsIgnoreCase), codings::toString);
    request
        .headers()
        .forEach(
            each -> {
              String line = each.getKey() + each.getValue();
              assertTrue(line.chars().noneMatch(HeadDecoderFuzzTest::isControl), () -> line);
              assertTrue(each.getKey().matches("[!#-'*+.^_`|~0-9A-Za-z-]+"), each::getKey);
            });
  }

  private static boolean isControl(int c) {
    return (c < ' ' && c != '\t') || c == 0x7f;
  }
}
