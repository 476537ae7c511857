package dev.percolate.middleware;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.TypeRef;
import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.DaemonTimer;
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
 * sent once it has been answered. An id that is unknown to the bus counts as 0; then it can take a
 * second until stored messages arrive. Event streams always carry ids, WebSockets only with {@link
 * #ids}.
 *
 * <p>While the bus is unreachable, {@link #send}, {@link #join} and {@link #subscribe} throw {@link
 * StoreUnavailable}. A new socket gets 503. A new event stream starts with 200 and ends at once,
 * since browsers reconnect only after a 200. At most one warning per minute names the cause. A
 * process unsubscribes from the bus five seconds after its last listener has left.
 *
 * <p>The class is its own options; each returns a changed copy without listeners:
 *
 * <pre>
 *   name   the type's       the name of the topic on its bus
 *   keep   0                how many messages are kept for those who come back
 *   queue  1mb              how much may wait for one who listens, beside what it has missed
 *   ids    false            whether messages over WebSockets carry their ids
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

  /**
   * Shared by all topics, for at most one warning per minute, since topic names may come from
   * clients.
   */
  private static final StoreFailures FAILURES = new StoreFailures("the topic bus");

  private final Type type;
  private String name;
  private int keep;
  private long queue = OfferQueue.MOST_WAITING;
  private TopicBus bus = MemoryTopics.of();
  private @Nullable JsonCodec codec;
  private boolean ids;
  private TopicSubscription.Timer timer = DaemonTimer::after;
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
   * Sets whether messages over WebSockets carry their ids, so that clients can resume after the
   * last one. Default: false. A message is then a text such as {@code
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
   * app.get("/rooms/:room", rooms.webSocket(req -> req.params().get("room"), WebSockets.on()
   *     .text((socket, text) -> rooms.child(socket.req().params().get("room")).send(new Say(text)))));
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
   * @throws StoreUnavailable if the bus fails; some listeners may have received the message
   */
  public long send(T message) {
    listeners.awaitRoom();
    String json = json().write(message, JsonCodec.Style.COMPACT);
    try {
      return bus.publish(name, json, keep);
    } catch (IOException e) {
      throw failures.refuse(e);
    }
  }

  /**
   * Returns a step that sends the messages as server-sent events, each with its id and without a
   * name; options of {@link Events} may be chosen.
   */
  @CheckReturnValue
  public Events events() {
    return Events.joining(this::joinEvents);
  }

  /**
   * Returns middleware that sends the messages of a {@link #child}; see {@link #events()}.
   *
   * @param child returns the name that a request asks for
   */
  @CheckReturnValue
  public Events events(Function<? super Request, String> child) {
    return Events.joining(req -> child(child.apply(req)).joinEvents(req));
  }

  /**
   * Returns a step that sends the messages as texts over a WebSocket, and closes with 1003 if the
   * client sends any; options of {@link WebSockets} may be chosen.
   */
  @CheckReturnValue
  public WebSockets webSocket() {
    return webSocket(WebSockets.on());
  }

  /**
   * Returns middleware whose sockets also receive the messages of this topic, from before the
   * client learns that the socket is open. While the bus is unreachable, requests get 503.
   *
   * @param step takes what the clients send
   */
  @CheckReturnValue
  public WebSockets webSocket(WebSockets step) {
    return step.joining(this::join);
  }

  /**
   * Returns middleware whose sockets also receive the messages of a {@link #child}; see {@link
   * #webSocket(WebSockets)}.
   *
   * @param child returns the name that a request asks for
   * @param step takes what the clients send
   */
  @CheckReturnValue
  public WebSockets webSocket(Function<? super Request, String> child, WebSockets step) {
    return step.joining(req -> child(child.apply(req)).join(req));
  }

  /**
   * Sends the messages of this topic over a socket until the socket ends. The socket misses no
   * message since it was opened if this method is called within 5 s, and this process already
   * listens to the topic or the topic keeps messages. It may also receive a few messages of the
   * second before. {@link #webSocket(WebSockets)} joins before the client learns that the socket is
   * open, and has neither condition.
   *
   * @param socket the socket
   * @throws StoreUnavailable if the bus fails
   */
  public void join(WebSocket socket) {
    long since = since(lastId(socket.req()));
    socket.onEnd(add(since, socket.asked(), listener(socket)));
  }

  /**
   * Calls a consumer with each message from now on, one after the other.
   *
   * @param consumer handles the messages, and must not block. If it throws, the exception is
   *     logged, and it gets the next message. A message that does not match the type is logged and
   *     skipped
   * @return ends the calls
   * @throws StoreUnavailable if the bus fails
   */
  public AutoCloseable subscribe(Consumer<? super T> consumer) {
    TopicListener listener =
        new TopicListener() {
          @Override
          public boolean offer(TopicEntry entry, long most) {
            if (entry.isMessage()) {
              consumer.accept(read(entry.json()));
            }
            return true;
          }

          @Override
          public void drop() {}

          @Override
          public boolean awaitRoom(long end) {
            return true;
          }
        };
    return add(-1, null, listener)::run;
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

  private Joining.Joined<EventStream> joinEvents(Request req) {
    return join(EventStream.lastId(req), events -> listener(events), EventStream::onEnd);
  }

  private Joining.Joined<WebSocket> join(Request req) {
    return join(lastId(req), socket -> listener(socket), WebSocket::onEnd);
  }

  /** Listens for a client from before it learns that it has connected. */
  private <C> Joining.Joined<C> join(
      String lastId,
      Function<? super C, TopicListener> listener,
      BiConsumer<? super C, Runnable> onEnd) {
    EarlyListener early = new EarlyListener();
    Runnable leave = add(since(lastId), null, early);
    return new Joining.Joined<>(
        client -> {
          onEnd.accept(client, leave);
          early.open(listener.apply(client));
        },
        leave);
  }

  private Runnable add(long since, @Nullable Long from, TopicListener listener) {
    try {
      return listeners.add(since, from, listener);
    } catch (IOException e) {
      throw failures.refuse(e);
    }
  }

  private TopicListener listener(WebSocket socket) {
    boolean numbered = ids;
    return new TopicListener() {
      @Override
      public boolean offer(TopicEntry entry, long most) {
        if (numbered) {
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
          copy.listeners = copy.listeners(copy.name);
          copy.children = new TopicNames(copy::listeners);
        });
  }

  private TopicListeners listeners(String of) {
    return new TopicListeners(bus, of, keep, queue, timer, failures);
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
