package dev.percolate.testkit;

import dev.percolate.http.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The client side of a stream of server-sent events, in memory or over a socket. Created by {@link
 * Client#events}. Parses lines as browsers do (HTML section 9.2.6).
 *
 * <p>Methods that wait do so for at most 10 seconds, then throw an {@link AssertionError}. A
 * response without status 200 and the type {@code text/event-stream} has no events: browsers reject
 * it.
 */
public final class TestEventStream implements AutoCloseable {

  private final OpenCall line;
  private final Deque<Event> events = new ArrayDeque<>();
  private final List<String> comments = new ArrayList<>();
  private final StringBuilder data = new StringBuilder();
  private byte[] rest = {};
  private int read;
  private boolean accepted;
  private String id = "";
  private String lastId = "";
  private String name = "";
  private String retry = "";

  /**
   * An event, as a browser delivers it.
   *
   * @param id the last id that was sent; empty if there is none
   * @param name the name of the event; {@code message} if it has none
   * @param data the data, with lines separated by line feeds
   */
  public record Event(String id, String name, String data) {}

  TestEventStream(OpenCall line) {
    this.line = line;
  }

  /** Waits for the head of the response. */
  public Reply head() {
    return line.answer().head();
  }

  /** Waits for the next event. */
  public Event next() {
    checkHead();
    while (events.isEmpty()) {
      if (!readOn()) {
        throw new AssertionError("the stream ended without another event");
      }
    }
    return events.remove();
  }

  /** Waits for the next event, and returns its data. */
  public String data() {
    return next().data();
  }

  /** Waits until at least {@code count} comments have arrived, and returns all of them. */
  public List<String> comments(int count) {
    checkHead();
    while (comments.size() < count) {
      if (!readOn()) {
        throw new AssertionError("the stream ended with only these comments: " + comments);
      }
    }
    return List.copyOf(comments);
  }

  /**
   * Returns the id that a browser would send if it reconnected now: the last id that was followed
   * by an empty line, with or without an event. Empty if there is none.
   */
  public String lastId() {
    return lastId;
  }

  /** Returns the last reconnection time as it was sent; empty if there is none. */
  public String retry() {
    return retry;
  }

  /** Waits until the stream has ended. Returns true if it is complete. */
  public boolean awaitEnd() {
    while (readOn()) {
      // read to the end
    }
    return line.answer().whole().complete();
  }

  /** Stops reading. Further bytes from the server fill the buffers of the connection. */
  public void pause() {
    line.pause(true);
  }

  /** Resumes reading. */
  public void resume() {
    line.pause(false);
  }

  /** Closes the connection immediately. */
  public void disconnect() {
    line.disconnect();
  }

  /** Closes the connection, as {@link #disconnect} does. */
  @Override
  public void close() {
    disconnect();
  }

  /** Fails unless browsers accept the response (HTML section 9.2.3). */
  private void checkHead() {
    if (!accepted) {
      Reply head = head();
      String type = MediaType.parse(head.header("Content-Type")).type();
      accepted = head.status() == 200 && "text/event-stream".equals(type);
      if (!accepted) {
        throw new AssertionError("the server did not open an event stream: " + head);
      }
    }
  }

  private boolean readOn() {
    byte[] more = line.answer().more(read);
    read += more.length;
    byte[] all = new byte[rest.length + more.length];
    System.arraycopy(rest, 0, all, 0, rest.length);
    System.arraycopy(more, 0, all, rest.length, more.length);
    int from = 0;
    for (int at = 0; at < all.length; at++) {
      if (all[at] == '\n' || (all[at] == '\r' && at + 1 < all.length)) {
        take(new String(all, from, at - from, StandardCharsets.UTF_8));
        at += all[at] == '\r' && all[at + 1] == '\n' ? 1 : 0;
        from = at + 1;
      }
    }
    rest = java.util.Arrays.copyOfRange(all, from, all.length);
    return more.length > 0;
  }

  private void take(String text) {
    int colon = text.indexOf(':');
    String field = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(colon + 1);
    String bare = value.startsWith(" ") ? value.substring(1) : value;
    if (text.isEmpty()) {
      dispatch();
    } else if (colon == 0) {
      comments.add(bare);
    } else {
      switch (field) {
        case "data" -> data.append(bare).append('\n');
        case "event" -> name = bare;
        case "id" -> id = bare.indexOf('\0') >= 0 ? id : bare;
        case "retry" -> retry = bare;
        default -> {}
      }
    }
  }

  private void dispatch() {
    lastId = id;
    if (data.length() > 0) {
      data.setLength(data.length() - 1);
      events.add(new Event(id, name.isEmpty() ? "message" : name, data.toString()));
    }
    data.setLength(0);
    name = "";
  }
}
