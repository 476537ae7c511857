package dev.percolate.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The client's side of a stream of server-sent events, in memory or over a socket; {@link
 * Client#events} begins one. Lines are read as browsers read them (HTML section 9.2.6).
 *
 * <p>Methods that wait do so for 10 s at most, and then throw an {@link AssertionError}.
 */
public final class EventTalk implements AutoCloseable {

  private final Line line;
  private final Deque<Event> events = new ArrayDeque<>();
  private final List<String> comments = new ArrayList<>();
  private final StringBuilder data = new StringBuilder();
  private byte[] rest = {};
  private int read;
  private String id = "";
  private String lastId = "";
  private String name = "";
  private String retry = "";

  /**
   * One event, as a page sees it.
   *
   * @param id the id that was given last; empty if none was
   * @param name the name of the event; {@code message} if it has none
   * @param data what it says, lines parted by line feeds
   */
  public record Event(String id, String name, String data) {}

  EventTalk(Line line) {
    this.line = line;
  }

  /** Waits for the head of the answer. */
  public Reply head() {
    return line.answer().head();
  }

  /** Waits for the next event. */
  public Event next() {
    while (events.isEmpty()) {
      if (!readOn()) {
        throw new AssertionError("the stream ended without a further event");
      }
    }
    return events.remove();
  }

  /** Waits for the next event, and returns what it says. */
  public String data() {
    return next().data();
  }

  /** Waits until so many comments have come, and returns all of them. */
  public List<String> comments(int count) {
    while (comments.size() < count) {
      if (!readOn()) {
        throw new AssertionError("the stream ended with the comments " + comments);
      }
    }
    return List.copyOf(comments);
  }

  /**
   * Returns the id that a browser would send if it reconnected now: the last id that an empty line
   * followed, with or without an event. Empty if there is none.
   */
  public String lastId() {
    return lastId;
  }

  /** Returns the time after which to come back, as it was sent; empty if none has come yet. */
  public String retry() {
    return retry;
  }

  /** Waits until the stream has ended, and returns whether it was whole. */
  public boolean awaitEnd() {
    while (readOn()) {
      // until then
    }
    return line.answer().whole().complete();
  }

  /** Stops reading: what the server sends from now on fills the connection's buffers. */
  public void pause() {
    line.pause(true);
  }

  /** Reads on. */
  public void resume() {
    line.pause(false);
  }

  /** Closes the connection at once. */
  public void hangUp() {
    line.hangUp();
  }

  /** Hangs up; the same as {@link #hangUp}. */
  @Override
  public void close() {
    hangUp();
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
