package dev.percolate.reliability;

import dev.percolate.reliability.EventReader.Event;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads an event stream, and checks each event. */
final class EventConversation {

  private final LiveRequest request;
  private final LiveLine line;
  private final LiveSeries series;
  private final LiveTally tally;
  private final boolean stops;
  private final EventReader events;
  private final TopicReading reading;
  private final LiveCounts counts = new LiveCounts();

  /**
   * Creates a conversation after the head of its response.
   *
   * @param stops whether the server may end it at any time
   * @param since the number of the topic's message that was seen last, or 0
   */
  EventConversation(
      LiveRequest request,
      LiveLine line,
      LiveSeries series,
      LiveTally tally,
      boolean stops,
      long since) {
    this.request = request;
    this.line = line;
    this.series = series;
    this.tally = tally;
    this.stops = stops;
    this.events = new EventReader(line.reader().rest());
    this.reading = new TopicReading(request, tally.topic, since, line.random());
  }

  /** Reads to the end, or disconnects; returns true if the connection can be used afterwards. */
  boolean hold() throws IOException {
    boolean leaves = line.random().nextInt(4) == 0;
    return request.kind.isTopic() ? readTopic(leaves) : readSeries(leaves);
  }

  /** Returns the number of the topic's message that was seen last. */
  long seen() {
    return reading.seen();
  }

  private boolean readSeries(boolean leaves) throws IOException {
    int all = series.messages().size();
    int wanted = leaves ? line.random().nextInt(all + 1) : all;
    while (counts.received < wanted) {
      Event event = next();
      if (event == null) {
        return ended();
      }
      check(event);
    }
    if (leaves || series.code() == 0) {
      // A client that got all has counted it, whatever the server learns of the end.
      return leave(wanted == all ? LiveTally.End.CLEAN : LiveTally.End.BAD);
    }
    Event more = next();
    if (more != null) {
      throw new ProtocolException("more than " + all + " events");
    }
    return ended();
  }

  private void check(Event event) throws ProtocolException {
    int number = (int) counts.received;
    String data = series.messages().get(number).asEvent();
    boolean right =
        event.id().equals(Integer.toString(number))
            && event.name().equals(LiveHandlers.eventName(number))
            && event.data().equals(data);
    if (!right) {
      throw new ProtocolException(
          "event %s of %d characters for %d of %d"
              .formatted(event.id(), event.data().length(), number, data.length()));
    }
    counts.received++;
  }

  private boolean readTopic(boolean leaves) throws IOException {
    try {
      while (!reading.isOver()) {
        if (line.awaitInput(reading.lookAgain())) {
          Event event = events.next();
          if (event == null) {
            tally.right(request, LiveTally.End.CLEAN, 0, counts); // too slow, or a stop
            return true;
          }
          if (event.isComment()) {
            reading.beat();
          } else {
            reading.take(event.data(), Long.parseLong(event.id()));
            counts.received++;
          }
        }
        if (leaves && line.random().nextInt(10) == 0) {
          break;
        }
      }
    } finally {
      reading.end();
    }
    return leave(LiveTally.End.BAD);
  }

  private @Nullable Event next() throws IOException {
    Event event = events.next();
    while (event != null && event.isComment()) {
      event = events.next();
    }
    return event;
  }

  /** Records the end of the stream. */
  private boolean ended() throws ProtocolException {
    boolean whole = counts.received == series.messages().size() && series.code() > 0;
    if (!whole && !stops) {
      throw new ProtocolException("the stream ended after " + counts.received + " events");
    }
    tally.right(request, LiveTally.End.CLEAN, whole ? series.code() : 0, counts);
    return true;
  }

  /** Disconnects after receiving everything that it wants. */
  private boolean leave(LiveTally.End end) throws IOException {
    Leaving leaving = Leaving.drawn(line.random());
    if (leaving == Leaving.CLOSE_HALF) {
      line.socket().shutdownOutput();
      awaitEnd();
    }
    leaving.prepare(line.socket());
    tally.right(request, end, 0, counts);
    return false;
  }

  /** Waits for the end of a half-closed connection. */
  private void awaitEnd() throws IOException {
    try {
      while (line.reader().rest().read() >= 0) {
        // Further input is not counted.
      }
    } catch (SocketTimeoutException e) {
      throw new IOException("the server does not end the half-closed connection", e);
    } catch (EOFException | SocketException e) {
      // Allowed here.
    }
  }
}
