package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.reliability.differential.Message;
import dev.percolate.reliability.differential.Reading;
import dev.percolate.reliability.differential.Reading.Part;
import dev.percolate.reliability.differential.Reading.Place;
import dev.percolate.reliability.differential.RequestReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests in the same way as a connection of the nio engine, but without a connection. The
 * engine stops after a request that asks to close its connection. This class continues, so that
 * more is compared.
 */
public final class NioReader implements RequestReader {

  private static final ListenOptions OPTIONS = ListenOptions.ofPort(0);

  private final HeadParser head = new HeadParser(OPTIONS, new RecentValues());

  /** The state of reading the current bytes. */
  private static final class State {
    final List<Message> messages = new ArrayList<>();
    final List<Integer> heads = new ArrayList<>();
    final List<Integer> bodies = new ArrayList<>();
    Place place = Place.NONE;
    @Nullable String rejected;

    void reject(Part part, int from, int to, int status) {
      place = new Place(part, from, to);
      rejected = part + " " + status;
    }
  }

  @Override
  public Reading read(byte[] bytes) {
    State state = new State();
    byte[] data = bytes.clone(); // bodies are decoded in place
    int at = 0;
    while (at < data.length && state.rejected == null) {
      state.heads.add(at);
      int next = head.parse(data, at, data.length);
      at = takeHead(state, data, at, next);
    }
    head.reset();
    return new Reading(
        state.messages, state.rejected, new Reading.Marks(state.heads, state.bodies, state.place));
  }

  private int takeHead(State state, byte[] data, int from, int next) {
    if (head.state() == HeadParser.State.REFUSED) {
      state.reject(Part.LINE, lineStart(data, from, next), next, head.status());
    } else if (head.state() == HeadParser.State.WHOLE) {
      long length = head.bodyLength();
      int rejection =
          length == HeadParser.DOUBTFUL
              ? 400
              : HeadGuard.rejection(
                  head.version(), head.method(), head.target(), head.headers(), OPTIONS);
      if (rejection == 0) {
        state.bodies.add(next);
        int end = takeBody(state, data, next, length);
        head.reset();
        return end;
      }
      state.reject(Part.HEAD, from, next, rejection);
    }
    return next;
  }

  private int takeBody(State state, byte[] data, int from, long length) {
    StringBuilder text = new StringBuilder();
    int at = from;
    boolean over = true;
    if (length != HeadParser.NO_BODY) {
      BodyDecoder body = new BodyDecoder(length, OPTIONS.maxHeaderBytes(), OPTIONS.maxHeaders());
      at = body.decode(data, at, data.length);
      text.append(new String(data, from, body.decoded(), ISO_8859_1));
      over = body.isOver();
      if (body.isMalformed()) {
        state.reject(Part.BODY, at - 1, at, 400);
      }
    }
    List<String> headers = new ArrayList<>();
    head.headers().forEach((name, value) -> headers.add(Message.header(name, value)));
    state.messages.add(new Message(head.method(), head.target(), headers, text.toString(), over));
    return at;
  }

  private static int lineStart(byte[] data, int from, int next) {
    int start = next - 1;
    while (start > from && data[start - 1] != '\n') {
      start--;
    }
    return start;
  }
}
