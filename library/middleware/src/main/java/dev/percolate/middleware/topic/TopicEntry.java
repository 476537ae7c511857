package dev.percolate.middleware.topic;

import dev.percolate.core.store.TopicBus;
import dev.percolate.http.EventText;
import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import dev.percolate.middleware.socket.SharedFrame;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A message of a topic. Each encoded form is created once and shared by all listeners. */
public final class TopicEntry {

  private final long id;
  private final @Nullable String json;
  private final long received;
  private byte @Nullable [] event;
  private @Nullable SharedFrame frame;
  private @Nullable SharedFrame numbered;

  private TopicEntry(long id, @Nullable String json, long received) {
    this.id = id;
    this.json = json;
    this.received = received;
  }

  /**
   * Creates the entry of a message.
   *
   * @param received the time at which it was received, by {@link System#nanoTime}
   */
  public TopicEntry(TopicBus.Message message, long received) {
    this(message.id(), message.json(), received);
  }

  /**
   * Creates an entry without a message. It contains the id from which a client resumes before the
   * first message.
   */
  public static TopicEntry position(long id) {
    return new TopicEntry(id, null, System.nanoTime());
  }

  public long id() {
    return id;
  }

  /** Returns false for a position. */
  public boolean isMessage() {
    return json != null;
  }

  /** Returns the message; empty for a position. */
  public String json() {
    return json == null ? "" : json;
  }

  public long received() {
    return received;
  }

  public synchronized byte[] event() {
    if (event == null) {
      String text = json == null ? "id: " + id + "\n\n" : EventText.of("" + id, "", json);
      event = Utf8.bytes(text);
    }
    return event;
  }

  /** Returns the message as a frame. */
  public synchronized SharedFrame frame() {
    if (frame == null) {
      frame = new SharedFrame(Frame.TEXT, Utf8.bytes(json()));
    }
    return frame;
  }

  /** Returns id and message as a frame; the frame of a position contains only its id. */
  public SharedFrame numberedFrame() {
    return numberedFrame("id", () -> "\"data\":" + json);
  }

  /**
   * Returns id and message as a frame.
   *
   * @param name the name of the id
   * @param fields creates the other fields, for the first caller
   */
  public synchronized SharedFrame numberedFrame(String name, Supplier<String> fields) {
    if (numbered == null) {
      String text = "{\"" + name + "\":" + id + (json == null ? "" : "," + fields.get()) + "}";
      numbered = new SharedFrame(Frame.TEXT, Utf8.bytes(text));
    }
    return numbered;
  }
}
