package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import dev.percolate.core.store.TopicBus;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one kind that many listen to: pages, by server-sent events or WebSockets, and the
 * program itself. Any thread may use it.
 *
 * <p>A message is written as JSON once, and all get it with the same id, in the same order. Who
 * sends waits for those in this process that are slow, for 2 s at most and where it is known that
 * its thread may wait, as on virtual threads. Who is slower, or has more than {@code queue}
 * waiting, is dropped: a stream by its end, a WebSocket with 1013. Who comes back names the id it
 * has seen last (by {@code Last-Event-ID}, as browsers do, or the parameter {@code lastEventId} of
 * the query), and gets what has come since, as far as it is kept; who names none gets all that is
 * sent once it has been answered. While the bus is out of reach a new socket is answered 503, and a
 * new stream ends at once. It is its own options; each gives a changed copy, to which nobody
 * listens yet:
 *
 * <pre>
 *   name   the type's       the name of the topic on its bus
 *   keep   0                how many messages are kept for those who come back
 *   queue  1mb              how much may wait for one who listens, beside what it has missed
 *   bus    in this process  what carries messages between processes
 *   codec  that of the process
 * </pre>
 *
 * <pre>{@code
 * Topic<News> topic = Topic.of(News.class).keep(100);
 * app.get("/news", topic.events());
 * app.get("/live", topic.webSocket());
 * topic.send(new News("hello"));
 * }</pre>
 *
 * @param <T> the kind of message
 */
public final class Topic<T> extends Copyable<Topic<T>> implements AutoCloseable {

  private static final String LAST_ID = "lastEventId";

  private final Type type;
  private String name;
  private int keep;
  private long queue = OfferQueue.MOST_WAITING;
  private TopicBus bus = MemoryTopics.of();
  private @Nullable JsonCodec codec;
  private TopicListeners listeners;

  private Topic(Type type) {
    this.type = type;
    this.name = type.getTypeName();
    this.listeners = new TopicListeners(bus, name, keep, queue);
  }

  /**
   * Creates a topic.
   *
   * @param type the class of its messages
   * @param <T> that class
   */
  @CheckReturnValue
  public static <T> Topic<T> of(Class<T> type) {
    return new Topic<>(type);
  }

  /**
   * Creates a topic of messages of a type with arguments.
   *
   * @param type the type
   * @param <T> that type
   */
  @CheckReturnValue
  public static <T> Topic<T> of(TypeRef<T> type) {
    return new Topic<>(type.type());
  }

  /**
   * Chooses the name of the topic on its bus.
   *
   * @param name the name, not empty
   * @throws IllegalArgumentException if it is empty
   */
  @CheckReturnValue
  public Topic<T> name(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name(\"\"): the name is empty");
    }
    return changed(copy -> copy.name = name);
  }

  /**
   * Chooses how many messages are kept for those who come back.
   *
   * @param messages how many; 0 for none
   * @throws IllegalArgumentException if it is negative
   */
  @CheckReturnValue
  public Topic<T> keep(int messages) {
    if (messages < 0) {
      throw new IllegalArgumentException("keep(" + messages + "): less than 0");
    }
    return changed(copy -> copy.keep = messages);
  }

  /**
   * Chooses how much may wait for one who listens before it is dropped, beside what it has missed
   * when it came back; one message alone always may.
   *
   * @param size a size such as {@code 256kb}, by powers of 1024
   * @throws IllegalArgumentException if it is none
   */
  @CheckReturnValue
  public Topic<T> queue(String size) {
    long bytes = ByteSize.bytes("queue", size);
    return changed(copy -> copy.queue = bytes);
  }

  /**
   * Chooses what carries the messages, such as between several processes.
   *
   * @param bus the bus
   */
  @CheckReturnValue
  public Topic<T> bus(TopicBus bus) {
    return changed(copy -> copy.bus = bus);
  }

  /**
   * Chooses what writes and reads messages.
   *
   * @param codec the codec
   */
  @CheckReturnValue
  public Topic<T> codec(JsonCodec codec) {
    return changed(copy -> copy.codec = codec);
  }

  /**
   * Sends a message to all who listen.
   *
   * @param message the message
   * @return its id
   * @throws IOException if the bus fails
   */
  public long send(T message) throws IOException {
    listeners.awaitRoom();
    return bus.publish(name, json().write(message, JsonCodec.Style.COMPACT), keep);
  }

  /**
   * Returns a step that sends the messages as server-sent events, each with its id and without a
   * name; options of {@link Events} may be chosen.
   */
  @CheckReturnValue
  public Events events() {
    return Events.joining(
        req -> join(EventStream.lastId(req), events -> listener(events), EventStream::onEnd));
  }

  /**
   * Returns a step that sends the messages as texts over a WebSocket, and closes with 1003 if the
   * client sends any; options of {@link WebSockets} may be chosen.
   */
  @CheckReturnValue
  public WebSockets webSocket() {
    return WebSockets.joining(
        req -> join(lastId(req), socket -> listener(socket), WebSocket::onEnd));
  }

  /**
   * Sends the messages over a socket, too, until it ends.
   *
   * @param socket the socket
   * @throws IOException if the bus fails
   */
  public void join(WebSocket socket) throws IOException {
    socket.onEnd(listeners.add(since(lastId(socket.req())), listener(socket)));
  }

  /**
   * Calls a consumer with each message from now on, one after the other.
   *
   * @param consumer takes the messages, and does not wait. What it throws is logged, and it gets
   *     the next message; one that does not fit the type is logged and skipped
   * @return ends the calls
   * @throws IOException if the bus fails
   */
  public AutoCloseable subscribe(Consumer<? super T> consumer) throws IOException {
    TopicListeners.Listener listener =
        new TopicListeners.Listener() {
          @Override
          public boolean offer(TopicEntry entry, long most) {
            consumer.accept(read(entry.json()));
            return true;
          }

          @Override
          public void drop() {}

          @Override
          public boolean awaitRoom(long end) {
            return true;
          }
        };
    return listeners.add(-1, listener)::run;
  }

  /**
   * Listens to the bus no more; who listens here hears nothing until somebody else comes.
   *
   * @throws IOException if the bus fails
   */
  @Override
  public void close() throws IOException {
    listeners.end();
  }

  /** Listens for a client from before it learns that it has connected. */
  private <C> Joining.Joined<C> join(
      String lastId,
      Function<? super C, TopicListeners.Listener> listener,
      BiConsumer<? super C, Runnable> onEnd)
      throws IOException {
    EarlyListener early = new EarlyListener();
    Runnable leave = listeners.add(since(lastId), early);
    return new Joining.Joined<>(
        client -> {
          onEnd.accept(client, leave);
          early.open(listener.apply(client));
        },
        leave);
  }

  private static TopicListeners.Listener listener(WebSocket socket) {
    return new TopicListeners.Listener() {
      @Override
      public boolean offer(TopicEntry entry, long most) {
        return socket.offer(entry.frame(), most);
      }

      @Override
      public void drop() {
        socket.drop();
      }

      @Override
      public boolean awaitRoom(long end) {
        return socket.connection().output().awaitRoom(end);
      }
    };
  }

  private static TopicListeners.Listener listener(EventStream events) {
    return new TopicListeners.Listener() {
      @Override
      public boolean offer(TopicEntry entry, long most) {
        return events.offer(entry.event(), most);
      }

      @Override
      public void drop() {
        events.close();
      }

      @Override
      public boolean awaitRoom(long end) {
        return events.awaitRoom(end);
      }
    };
  }

  private static String lastId(Request req) {
    String id = req.query(LAST_ID);
    return id == null ? "" : id;
  }

  /** Reads what a client names as the id it has seen last; -1 for none. */
  private static long since(String id) {
    boolean digits =
        !id.isEmpty() && id.length() <= 18 && id.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits ? Long.parseLong(id) : -1;
  }

  @SuppressWarnings("unchecked") // the codec has read it as this type
  private T read(String json) {
    return (T) Objects.requireNonNull(json().read(json, type), "a message that is null");
  }

  private JsonCodec json() {
    JsonCodec chosen = codec;
    return chosen == null ? JsonCodec.find() : chosen;
  }

  private Topic<T> changed(Consumer<? super Topic<T>> change) {
    return with(
        copy -> {
          change.accept(copy);
          copy.listeners = new TopicListeners(copy.bus, copy.name, copy.keep, copy.queue);
        });
  }
}
