package dev.percolate.middleware;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Request;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.CloseCode;
import dev.percolate.http.Copyable;
import dev.percolate.http.HttpError;
import dev.percolate.http.WebSocketException;
import dev.percolate.middleware.socket.Preparation;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.middleware.topic.MemberLease;
import dev.percolate.middleware.topic.TopicSubscription;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Rooms of WebSockets with their members (presence), on one server or several. Thread-safe.
 *
 * <pre>{@code
 * Rooms<Say> rooms = Rooms.of(Say.class).bus(redis.topics()).members(redis.members());
 * app.get("/rooms/:room", rooms.webSocket(
 *     req -> req.params().required("room", String.class),
 *     req -> req.attr(USER).name(),
 *     (room, user, say) -> room.send(say)));
 * app.get("/rooms.js", Rooms.client());
 * app.onClose(rooms);
 * }</pre>
 *
 * <p>Clients send JSON of the message type; other messages close the socket with 1007. They receive
 * frames such as {@code {"id":1764194651000000,"data":{"text":"hello"}}}. A client that reconnects
 * passes the last {@code id} in the query parameter {@code lastEventId}, and the last {@code
 * userId}, the id of messages to one user, in {@code lastUserId}. It gets the stored messages after
 * them, each once and in order. {@link #client} is a script for browsers that does so.
 *
 * <p>All rooms share 64 topics, and all users 64 more; see {@link Topic} for slow clients and an
 * unreachable bus. A process keeps at most 1 MiB of messages of each topic in memory. Names of
 * rooms may come from clients: empty rooms need no memory, no channel and no row.
 *
 * <p>A user is a member while at least one of their sockets is open. The members of a server that
 * is killed are removed within 10 s. If the member store is unreachable, new sockets get 503; open
 * sockets continue, and are added again when the store returns, even if it has lost its data.
 *
 * <p>Options; each returns a changed copy without members:
 *
 * <pre>
 *   name      rooms      separates kinds of rooms that share a bus and a member store
 *   history   100        the number of messages that each topic keeps for clients that reconnect
 *   presence  false      whether sockets receive joins and leaves
 *   bus       in memory  carries messages between servers
 *   members   in memory  stores the members for all servers
 * </pre>
 *
 * @param <T> the type of the messages
 */
public final class Rooms<T> extends Copyable<Rooms<T>> implements AutoCloseable {

  private static final StoreFailures FAILURES = new StoreFailures("the member store");
  private static final Key<String> ROOM = Key.of("room of the socket", String.class);
  private static final Key<String> USER = Key.of("user of the socket", String.class);

  private Topic<T> topic;
  private String name = "rooms";
  private boolean presence;
  private MemberStore members = MemoryMembers.of();
  private TopicSubscription.Timer timer = DaemonTimer::afterBlocking;
  private StoreFailures failures = FAILURES;
  private MemberLease lease;

  private Rooms(Topic<T> topic) {
    this.topic = topic.name(name).history(100).maxHistorySize(1 << 20);
    this.lease = newLease();
  }

  /**
   * A callback for the messages of clients, called for one message of a socket at a time. It must
   * not block on an event loop.
   *
   * @param <T> the type of the messages
   */
  @FunctionalInterface
  public interface OnMessage<T> {

    /**
     * Handles a message.
     *
     * @param room the room of the socket
     * @param user the user of the socket
     * @param message the message
     * @throws Exception for any failure. It is logged, and the socket is closed with 1011. After a
     *     {@link StoreUnavailableException}, it is closed with 1013
     */
    void onMessage(Room<T> room, String user, T message) throws Exception;
  }

  /**
   * Creates rooms.
   *
   * @param type the class of the messages
   * @param <T> the type of the messages
   */
  @CheckReturnValue
  public static <T> Rooms<T> of(Class<T> type) {
    return new Rooms<>(Topic.of(type));
  }

  /**
   * Sets the name, so that several applications or kinds of rooms can share a bus and a member
   * store. Default: {@code rooms}.
   *
   * @param name the name, not empty
   * @throws IllegalArgumentException if the name is empty
   */
  @CheckReturnValue
  public Rooms<T> name(String name) {
    return changed(
        copy -> {
          copy.topic = topic.name(name);
          copy.name = name;
        });
  }

  /**
   * Sets the number of messages that each of the topics keeps for clients that reconnect. Rooms
   * share topics, so choose the number of messages of a 64th of your rooms during a reconnect.
   * Default: 100.
   *
   * @param messages the number of messages
   * @throws IllegalArgumentException if the number is negative
   */
  @CheckReturnValue
  public Rooms<T> history(int messages) {
    return changed(copy -> copy.topic = topic.history(messages));
  }

  /**
   * Sets whether sockets receive joins and leaves of their room, as {@code {"id":…,"join":"bob"}}
   * and {@code {"id":…,"leave":"bob"}}. Default: false, since the names of users may be private.
   *
   * @param presence true to send them
   */
  @CheckReturnValue
  public Rooms<T> presence(boolean presence) {
    return changed(copy -> copy.presence = presence);
  }

  /**
   * Sets the bus that carries the messages, for example between several processes. Default: in
   * memory.
   *
   * @param bus the bus
   */
  @CheckReturnValue
  public Rooms<T> bus(TopicBus bus) {
    return changed(copy -> copy.topic = topic.bus(bus));
  }

  /**
   * Sets the store of the members, which all processes must share. Default: in memory.
   *
   * @param members the store
   */
  @CheckReturnValue
  public Rooms<T> members(MemberStore members) {
    return changed(copy -> copy.members = members);
  }

  /**
   * Returns middleware whose sockets are members of a room until they end. They join it before
   * their clients learn that the socket is open. The options of {@link WebSockets} can be set.
   * While the bus or the member store is unreachable, requests get 503. A name that is invalid gets
   * 400.
   *
   * @param room returns the name of the room for a request: 1 to 256 characters
   * @param user returns the user of a request: 1 to 256 characters
   * @param callback handles the messages of clients
   */
  @CheckReturnValue
  public WebSockets webSocket(
      Function<? super Request, String> room,
      Function<? super Request, String> user,
      OnMessage<T> callback) {
    return WebSockets.callbacks()
        .onText(
            (socket, text) ->
                callback.onMessage(
                    room(socket.req().attr(ROOM)), socket.req().attr(USER), read(text)))
        .joining(req -> join(req, room.apply(req), user.apply(req)));
  }

  /**
   * Returns a room.
   *
   * @param room the name of the room: 1 to 256 characters; may come from a client
   * @throws HttpError with status 400 if the name is invalid
   */
  @CheckReturnValue
  public Room<T> room(String room) {
    String key = RoomAddress.roomKey(name, room);
    return new Room<>(room, RoomAddress.ofRoom(topic, key), lease);
  }

  /**
   * Sends a message to all sockets of a user, in all rooms and on all servers. Its frame has the id
   * {@code userId} instead of {@code id}.
   *
   * @param user the user
   * @param message the message
   * @return its id
   * @throws StoreUnavailableException if the bus fails; some sockets may have received the message
   */
  public long sendTo(String user, T message) {
    String json = topic.write(message);
    return RoomAddress.ofUser(topic, user).publish(RoomEnvelope.NONE, "data", json);
  }

  /**
   * Closes all sockets of a user, in all rooms and on all servers, for example after a logout.
   *
   * @param user the user
   * @param code the close code, such as 1008, or 3000 to 4999
   * @throws IllegalArgumentException if the code must not be sent (RFC 6455 section 7.4)
   * @throws StoreUnavailableException if the bus fails; some sockets may be closed
   */
  public void closeAll(String user, int code) {
    if (!CloseCode.isSendable(code)) {
      throw new IllegalArgumentException("close code must be one that can be sent, was " + code);
    }
    long ignored =
        RoomAddress.ofUser(topic, user).publish(RoomEnvelope.NONE, "close", Integer.toString(code));
  }

  /**
   * Returns a handler that sends the client for browsers, a script without dependencies. It defines
   * {@code joinRoom(path, onFrame)}, which reconnects and resumes.
   */
  @CheckReturnValue
  public static Handler client() {
    try (InputStream script = Rooms.class.getResourceAsStream("rooms.js")) {
      String text =
          new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
      return (req, res) ->
          res.set("Content-Type", "text/javascript; charset=utf-8")
              .set("Cache-Control", "no-cache")
              .send(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes all members of this process from the member store. */
  @Override
  public void close() {
    lease.end();
  }

  private Preparation.Joined<WebSocket> join(Request req, String name, String user) {
    RoomAddress<T> room = room(name).address();
    RoomAddress<T> own = RoomAddress.ofUser(topic, user);
    req.attr(ROOM, name);
    req.attr(USER, user);
    long asked = System.nanoTime();
    Preparation.Joined<WebSocket> all =
        room.topic()
            .join(
                req.query("lastEventId"),
                socket -> new RoomListener(socket, room.key(), own.key(), "id", presence, asked),
                WebSocket::onClose);
    boolean joined = false;
    try {
      Preparation.Joined<WebSocket> toUser =
          own.topic()
              .join(
                  req.query("lastUserId"),
                  socket -> new RoomListener(socket, own.key(), own.key(), "userId", false, asked),
                  WebSocket::onClose);
      all = both(all, toUser);
      Runnable leave = lease.join(new MemberStore.Member(room.key(), user));
      joined = true;
      return both(new Preparation.Joined<>(socket -> socket.onClose(leave), leave), all);
    } finally {
      if (!joined) {
        all.cancelled().run();
      }
    }
  }

  private static Preparation.Joined<WebSocket> both(
      Preparation.Joined<WebSocket> one, Preparation.Joined<WebSocket> other) {
    return new Preparation.Joined<>(
        one.begun().andThen(other.begun()),
        () -> {
          one.cancelled().run();
          other.cancelled().run();
        });
  }

  private T read(String text) throws WebSocketException {
    try {
      return topic.read(text);
    } catch (IllegalArgumentException | NullPointerException | HttpError e) {
      throw new WebSocketException(CloseCode.INVALID_DATA, "invalid message");
    }
  }

  private void publishChange(MemberStore.Member member, boolean joined) {
    try {
      RoomAddress<T> room = RoomAddress.ofRoom(topic, member.room());
      String json = topic.write(member.user());
      long ignored = room.publish(RoomEnvelope.NONE, joined ? "join" : "leave", json);
    } catch (StoreUnavailableException e) {
      // The topic has logged it.
    }
  }

  MemberLease lease() {
    return lease;
  }

  private MemberLease newLease() {
    return new MemberLease(members, failures, timer, this::publishChange);
  }

  private Rooms<T> changed(Consumer<? super Rooms<T>> change) {
    return with(
        copy -> {
          change.accept(copy);
          copy.lease = copy.newLease();
        });
  }

  /** Returns a copy with other timers and another failure log. */
  Rooms<T> with(TopicSubscription.Timer timer, StoreFailures failures) {
    return changed(
        copy -> {
          copy.topic = topic.with(timer, failures);
          copy.timer = timer;
          copy.failures = failures;
        });
  }

  /** Returns the number of topics in memory. */
  int topics() {
    return topic.children();
  }
}
