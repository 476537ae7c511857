package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import dev.percolate.http.Quantity;
import dev.percolate.middleware.socket.OfferQueue;
import dev.percolate.middleware.socket.Preparation;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.middleware.topic.ListenerSubscription;
import dev.percolate.middleware.topic.TopicEntry;
import dev.percolate.middleware.topic.TopicListener;
import dev.percolate.middleware.topic.TopicListeners;
import dev.percolate.middleware.topic.TopicNames;
import dev.percolate.middleware.topic.TopicSubscription;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A publish-subscribe topic. Its listeners are server-sent event streams, WebSockets, and consumers
 * in the application. Thread-safe.
 *
 * <p>A message is encoded as JSON once. All listeners receive the messages with the same ids, in
 * the same order. A sender waits up to 2 s for slow listeners of this process, if it runs on a
 * virtual thread or in a blocking handler of a socket or event stream. A listener that is slower,
 * or whose queue exceeds {@code maxQueueSize}, is disconnected: an event stream ends, a WebSocket
 * is closed with 1013.
 *
 * <p>A client that reconnects sends the last id that it received, in the header {@code
 * Last-Event-ID}, as browsers do, or in the query parameter {@code lastEventId}. It gets the stored
 * messages after that id. A client without an id gets all messages sent after it has connected. An
 * id that is unknown to the bus counts as 0; stored messages may then arrive up to a second later.
 * Event streams always contain ids, WebSockets only with {@link #ids}.
 *
 * <p>While the bus is unreachable, {@link #publish}, {@link #join} and {@link #subscribe} throw
 * {@link StoreUnavailableException}. A new socket gets 503. A new event stream starts with 200 and
 * ends at once, since browsers reconnect only after a 200. At most one warning per minute names the
 * cause. A process unsubscribes from the bus five seconds after its last listener has left.
 *
 * <p>Options; each returns a changed copy without listeners:
 *
 * <pre>
 *   name          that of the type     the name of the topic on the bus
 *   history       0                    the number of messages to keep for clients that reconnect
 *   maxQueueSize  1mb                  the maximum size of a listener's queue, without missed messages
 *   ids           false                whether messages over WebSockets contain their ids
 *   bus           in memory            carries messages between processes
 *   codec         that of the process  reads and writes messages
 * </pre>
 *
 * <pre>{@code
 * Topic<News> topic = Topic.of(News.class).history(100);
 * app.get("/news", topic.events());
 * app.get("/live", topic.webSocket());
 * topic.publish(new News("hello"));
 * }</pre>
 *
 * @param <T> the type of the messages
 */
public final class Topic<T> extends Copyable<Topic<T>> implements AutoCloseable {

  /**
   * Shared by all topics, for at most one warning per minute, since topic names may come from
   * clients.
   */
  private static final StoreFailures FAILURES = new StoreFailures("the topic bus");

  private final Type type;
  private String name;
  private int history;
  private long maxQueueSize = OfferQueue.MOST_WAITING;
  private TopicBus bus = MemoryTopics.of();
  private @Nullable JsonCodec codec;
  private boolean ids;
  private long maxHistorySize = Long.MAX_VALUE;
  private TopicSubscription.Timer timer = DaemonTimer::afterBlocking; // the bus may block
  private StoreFailures failures = FAILURES;
  private TopicListeners listeners;
  private TopicNames children;

  private Topic(Type type) {
    this.type = type;
    this.name = type.getTypeName();
    this.listeners = listeners(name);
    this.children = new TopicNames(this::listeners);
  }

  /**
   * Creates a topic.
   *
   * @param type the class of the messages
   * @param <T> the type of the messages
   */
  @CheckReturnValue
  public static <T> Topic<T> of(Class<T> type) {
    return new Topic<>(type);
  }

  /**
   * Creates a topic for messages of a generic type.
   *
   * @param type the type
   * @param <T> the type of the messages
   */
  @CheckReturnValue
  public static <T> Topic<T> of(TypeRef<T> type) {
    return new Topic<>(type.type());
  }

  /**
   * Sets the name of the topic on the bus. Default: the name of the type.
   *
   * @param name the name, not empty
   * @throws IllegalArgumentException if the name is empty
   */
  @CheckReturnValue
  public Topic<T> name(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("name must not be empty");
    }
    return changed(copy -> copy.name = name);
  }

  /**
   * Sets the number of messages to keep for clients that reconnect. Default: 0.
   *
   * @param messages the number of messages
   * @throws IllegalArgumentException if the number is negative
   */
  @CheckReturnValue
  public Topic<T> history(int messages) {
    return changed(copy -> copy.history = Quantity.atLeast("history", 0, messages));
  }

  /**
   * Sets the maximum size of the queue of a listener. A listener whose queue exceeds it is
   * disconnected. Missed messages after a reconnect do not count, and a single message may always
   * be queued. Default: 1 MiB.
   *
   * @param size a size such as {@code 256kb}, in powers of 1024
   * @throws IllegalArgumentException if the size is invalid
   */
  @CheckReturnValue
  public Topic<T> maxQueueSize(String size) {
    return changed(copy -> copy.maxQueueSize = ByteSize.bytes("maxQueueSize", size));
  }

  /**
   * Sets the bus that carries the messages, for example between several processes. Default: in
   * memory.
   *
   * @param bus the bus
   */
  @CheckReturnValue
  public Topic<T> bus(TopicBus bus) {
    return changed(copy -> copy.bus = bus);
  }

  /**
   * Sets the JSON codec of the messages. Default: the codec of the process.
   *
   * @param codec the codec
   */
  @CheckReturnValue
  public Topic<T> codec(JsonCodec codec) {
    return changed(copy -> copy.codec = codec);
  }

  /**
   * Sets whether messages over WebSockets carry their ids, so that clients can resume after the
   * last one. Default: false. If true, each message is text such as {@code
   * {"id":1764194651000000,"data":"hello"}}. If the topic keeps messages, a client that connects
   * without an id first gets {@code {"id":…}} without data: the id to resume from before the first
   * message. The copy has the same listeners as this topic.
   *
   * @param ids true to send ids with messages, false to send only messages
   */
  @CheckReturnValue
  public Topic<T> ids(boolean ids) {
    return with(copy -> copy.ids = ids);
  }

  /**
   * Returns a child topic with the same options. Its name on the bus is the name of this topic and
   * the child name, such as {@code rooms/tea}. Names may come from clients: an unused topic takes
   * no memory and no channel, so you do not need to store the returned topic.
   *
   * <pre>{@code
   * Topic<Say> rooms = Topic.of(Say.class).name("rooms").bus(bus);
   * app.get("/rooms/:room", rooms.webSocket(req -> req.params().get("room"), WebSockets.callbacks()
   *     .onText((socket, text) -> rooms.child(socket.req().params().get("room")).publish(new Say(text)))));
   * }</pre>
   *
   * @param child the child name, any text
   * @return the child topic; topics with the same name share their listeners
   */
  @CheckReturnValue
  public Topic<T> child(String child) {
    String full = name + '/' + child;
    return with(
        copy -> {
          copy.name = full;
          copy.listeners = children.get(full);
        });
  }

  /**
   * Sends a message to all listeners.
   *
   * @param message the message
   * @return its id
   * @throws StoreUnavailableException if the bus fails; some listeners may have received the
   *     message
   */
  public long publish(T message) {
    return publish(write(message), listener -> true);
  }

  /**
   * Sends JSON to all listeners.
   *
   * @param receives returns true for the listeners to wait for if they are slow
   */
  long publish(String json, Predicate<? super TopicListener> receives) {
    listeners.awaitRoom(receives);
    try {
      return bus.publish(name, json, history);
    } catch (IOException e) {
      throw failures.reject(e);
    }
  }

  /**
   * Returns middleware that sends the messages as server-sent events (SSE). Each event has an id
   * and no name. The options of {@link Events} can be set.
   */
  @CheckReturnValue
  public Events events() {
    return Events.joining(this::joinEvents);
  }

  /**
   * Returns middleware that sends the messages of a {@link #child}; see {@link #events()}.
   *
   * @param child returns the child name for a request
   */
  @CheckReturnValue
  public Events events(Function<? super Request, String> child) {
    return Events.joining(req -> child(child.apply(req)).joinEvents(req));
  }

  /**
   * Returns middleware that sends the messages over a WebSocket, as text. A message from the client
   * closes the socket with 1003. The options of {@link WebSockets} can be set.
   */
  @CheckReturnValue
  public WebSockets webSocket() {
    return webSocket(WebSockets.callbacks());
  }

  /**
   * Returns middleware whose sockets also receive the messages of this topic. They join it before
   * their clients learn that the socket is open. While the bus is unreachable, requests get 503.
   *
   * @param step handles messages of the clients
   */
  @CheckReturnValue
  public WebSockets webSocket(WebSockets step) {
    return step.joining(this::join);
  }

  /**
   * Returns middleware whose sockets also receive the messages of a {@link #child}; see {@link
   * #webSocket(WebSockets)}.
   *
   * @param child returns the child name for a request
   * @param step handles messages of the clients
   */
  @CheckReturnValue
  public WebSockets webSocket(Function<? super Request, String> child, WebSockets step) {
    return step.joining(req -> child(child.apply(req)).join(req));
  }

  /**
   * Sends the messages of this topic over a socket until the socket ends. The socket receives every
   * message since it was opened, if this method is called within 5 s and either this process
   * already listens to the topic, or the topic keeps messages. It may also receive messages from
   * the second before it was opened. {@link #webSocket(WebSockets)} has neither condition.
   *
   * @param socket the socket
   * @throws StoreUnavailableException if the bus fails
   */
  public void join(WebSocket socket) {
    long since = since(socket.req().query("lastEventId"));
    socket.onClose(leaving(add(since, socket.asked(), listener(socket))));
  }

  /**
   * Calls a consumer with each message from now on, one after the other.
   *
   * @param consumer handles the messages, and must not block. If it throws, the exception is
   *     logged, and it gets the next message. A message that does not match the type is logged and
   *     skipped
   * @return ends the calls
   * @throws StoreUnavailableException if the bus fails
   */
  public AutoCloseable subscribe(Consumer<? super T> consumer) {
    return listen(json -> consumer.accept(read(json)));
  }

  /** Calls a consumer with the JSON of each message from now on. */
  AutoCloseable listen(Consumer<? super String> consumer) {
    TopicListener listener =
        (entry, most) -> {
          if (entry.isMessage()) {
            consumer.accept(entry.json());
          }
          return true;
        };
    return leaving(add(-1, null, listener))::run;
  }

  /**
   * Unsubscribes from the bus. Listeners receive nothing until another listener is added.
   *
   * @throws IOException if the bus fails
   */
  @Override
  public void close() throws IOException {
    listeners.end();
  }

  private Preparation.Joined<EventStream> joinEvents(Request req) {
    return join(EventStream.lastEventId(req), events -> listener(events), EventStream::onClose);
  }

  private Preparation.Joined<WebSocket> join(Request req) {
    return join(req.query("lastEventId"), socket -> listener(socket), WebSocket::onClose);
  }

  /** Starts to listen for a client before it learns that it has connected. */
  <C> Preparation.Joined<C> join(
      @Nullable String lastId,
      Function<? super C, TopicListener> listener,
      BiConsumer<? super C, Runnable> onEnd) {
    ListenerSubscription early = add(since(lastId), null, null);
    Runnable leave = leaving(early);
    return new Preparation.Joined<>(
        client -> {
          onEnd.accept(client, leave);
          listeners.open(early, listener.apply(client));
        },
        leave);
  }

  private Runnable leaving(ListenerSubscription subscription) {
    return () -> listeners.leave(subscription);
  }

  private ListenerSubscription add(
      long since, @Nullable Long from, @Nullable TopicListener listener) {
    try {
      return listeners.add(since, from, listener);
    } catch (IOException e) {
      throw failures.reject(e);
    }
  }

  private TopicListener listener(WebSocket socket) {
    return new TopicListener() {
      @Override
      public boolean offer(TopicEntry entry, long most) {
        if (ids) {
          return socket.offer(entry.numberedFrame(), most);
        }
        return !entry.isMessage() || socket.offer(entry.frame(), most);
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

  private static TopicListener listener(EventStream events) {
    return new TopicListener() {
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

  /** Parses the last id that a client received; -1 for none. */
  private static long since(@Nullable String id) {
    return id != null && id.matches("[0-9]{1,18}") ? Long.parseLong(id) : -1;
  }

  String write(@Nullable Object value) {
    return json().write(value, JsonCodec.WriteOptions.COMPACT);
  }

  /** Reads a JSON string. */
  String text(String json) {
    return String.valueOf(json().read(json));
  }

  @SuppressWarnings("unchecked") // the codec has read it as this type
  T read(String json) {
    return (T) Objects.requireNonNull(json().read(json, type), "the message must not be null");
  }

  private JsonCodec json() {
    JsonCodec chosen = codec;
    return chosen == null ? JsonCodec.find() : chosen;
  }

  private Topic<T> changed(Consumer<? super Topic<T>> change) {
    return with(
        copy -> {
          change.accept(copy);
          copy.listeners = copy.listeners(copy.name);
          copy.children = new TopicNames(copy::listeners);
        });
  }

  private TopicListeners listeners(String of) {
    return new TopicListeners(bus, of, history, maxQueueSize, maxHistorySize, timer, failures);
  }

  /** Returns a copy that keeps at most this number of characters in memory, and one message. */
  Topic<T> maxHistorySize(long characters) {
    return changed(copy -> copy.maxHistorySize = characters);
  }

  /** Returns a copy with another timer and another failure log. */
  Topic<T> with(TopicSubscription.Timer timer, StoreFailures failures) {
    return changed(
        copy -> {
          copy.timer = timer;
          copy.failures = failures;
        });
  }

  /** Returns true while this process listens to the bus. */
  boolean isSubscribed() {
    return listeners.isSubscribed();
  }

  /** Returns the number of child topics in memory. */
  int children() {
    return children.size();
  }
}
