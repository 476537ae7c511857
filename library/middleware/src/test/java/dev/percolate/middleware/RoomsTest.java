package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests rooms on two servers, which share a bus and a member store. */
final class RoomsTest {

  private static final Pattern FRAME = Pattern.compile("\\{\"(id|userId)\":(\\d+)(?:,(.+))?}");

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private final MemoryMembers members = new MemoryMembers(now::get);
  private final TroubledMembers store = new TroubledMembers(members);
  private final TopicBus bus = MemoryTopics.of();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Server here = new Server(rooms());
  private final Server there = new Server(rooms());

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
  }

  private Rooms<String> rooms() {
    return Rooms.of(String.class).history(100_000).bus(bus).members(store);
  }

  /** One of several servers. */
  private final class Server {

    private final ManualTimer timer = new ManualTimer();
    private final Rooms<String> rooms;
    private final Client client;

    Server(Rooms<String> rooms) {
      this(rooms, ThreadMode.ofThisJdk());
    }

    Server(Rooms<String> rooms, ThreadMode mode) {
      this.rooms = rooms.with(timer, new StoreFailures("the member store", warnings::add));
      MemoryEngine engine = new MemoryEngine(mode);
      Middleware sockets =
          this.rooms.webSocket(
              req -> String.valueOf(req.query("room")),
              req -> String.valueOf(req.query("user")),
              RoomsTest::answer);
      client = engine.client(Chain.service(new Settings(), sockets, Played.SHOWN));
      open.add(client);
      open.add(engine);
    }

    /** Opens a socket, and reads its two first frames. */
    TestWebSocket join(String room, String user) {
      TestWebSocket socket = client.webSocket(path(room, user, ""));
      String first = frame(socket.text()).group(1);
      String second = frame(socket.text()).group(1);
      assertEquals(Set.of("id", "userId"), Set.of(first, second));
      return socket;
    }

    Room<String> room(String name) {
      return rooms.room(name);
    }
  }

  private static String path(String room, String user, String more) {
    return "/?room=" + encoded(room) + "&user=" + encoded(user) + more;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void answer(Room<String> room, String user, String text) {
    if (text.startsWith("others:")) {
      room.sendExcept(user, text);
    } else {
      room.send(user + ": " + text);
    }
  }

  private static Matcher frame(String text) {
    Matcher frame = FRAME.matcher(text);
    assertTrue(frame.matches(), text);
    return frame;
  }

  private static String content(TestWebSocket socket) {
    return frame(socket.text()).group(3);
  }

  private static String data(String text) {
    return "\"data\":\"" + text + "\"";
  }

  private static void await(String what, BooleanSupplier there) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      Thread.sleep(1);
    }
  }

  @Test
  void aMessageReachesTheRoomOnAllServersAndNoOther() {
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket ben = there.join("tea", "ben");
    List<TestWebSocket> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) { // some of them share the topic of the room
      others.add((i % 2 == 0 ? here : there).join("room " + i, "eve"));
    }
    ann.send("\"hello\"");
    assertEquals(data("ann: hello"), content(ann));
    assertEquals(data("ann: hello"), content(ben));
    for (int i = 0; i < 100; i++) {
      here.room("room " + i).send("own " + i);
      assertEquals(data("own " + i), content(others.get(i)));
    }
  }

  @Test
  void allButTheSenderGetAMessageOnAllDevices() {
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket phone = there.join("tea", "ann");
    TestWebSocket ben = there.join("tea", "ben");
    ann.send("\"others: hello\"").send("\"all\"");
    assertEquals(data("others: hello"), content(ben));
    for (TestWebSocket one : List.of(ann, phone, ben)) {
      assertEquals(data("ann: all"), content(one));
    }
  }

  @Test
  void aUserGetsMessagesInAllRooms() {
    TestWebSocket tea = here.join("tea", "ann");
    TestWebSocket milk = there.join("milk", "ann");
    TestWebSocket ben = there.join("milk", "ben");
    here.rooms.sendTo("ann", "for ann");
    for (TestWebSocket one : List.of(tea, milk)) {
      Matcher frame = frame(one.text());
      assertEquals("userId", frame.group(1));
      assertEquals(data("for ann"), frame.group(3));
    }
    there.room("milk").send("all");
    assertEquals(data("all"), content(ben));
  }

  @Test
  void allSocketsOfAUserAreClosedAndTheNextOneStaysOpen() throws Exception {
    TestWebSocket tea = here.join("tea", "ann");
    TestWebSocket milk = there.join("milk", "ann");
    TestWebSocket ben = here.join("tea", "ben");
    assertThrows(IllegalArgumentException.class, () -> here.rooms.closeAll("ann", 1005));
    here.rooms.closeAll("ann", 1008);
    assertEquals(1008, tea.closeCode());
    assertEquals(1008, milk.closeCode());
    await("ann has left", () -> here.room("tea").members().equals(List.of("ben")));
    TestWebSocket again = there.client.webSocket(path("tea", "ann", "&lastUserId=0"));
    assertEquals("id", frame(again.text()).group(1));
    here.room("tea").send("hello");
    assertEquals(data("hello"), content(again));
    assertEquals(data("hello"), content(ben));
  }

  @Test
  void membersAreCountedOnceUntilTheirLastSocketEnds() throws Exception {
    TestWebSocket first = here.join("tea", "ann");
    TestWebSocket second = here.join("tea", "ann");
    TestWebSocket third = there.join("tea", "ann");
    TestWebSocket ben = there.join("tea", "ben");
    assertEquals(2, here.room("tea").count());
    first.disconnect();
    third.close(1000, "");
    ben.disconnect();
    await("ben has left", () -> here.room("tea").members().equals(List.of("ann")));
    second.disconnect();
    await("ann has left", () -> here.room("tea").count() == 0);
  }

  @Test
  void changesAreReportedOnceOnEachServer() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    AutoCloseable ends =
        there.room("tea").onChange((user, joined) -> seen.add((joined ? "+" : "-") + user));
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket again = there.join("tea", "ann");
    TestWebSocket other = here.join("milk", "eve");
    ann.disconnect();
    again.disconnect();
    await("ann has left", () -> seen.contains("-ann"));
    ends.close();
    ends.close();
    assertEquals(List.of("+ann", "-ann"), seen);
    other.disconnect();
  }

  @Test
  void socketsReceiveChangesIfPresenceIsSet() throws Exception {
    Server shown = new Server(rooms().presence(true));
    TestWebSocket ann = shown.client.webSocket(path("tea", "ann", ""));
    List<String> contents = new ArrayList<>();
    while (contents.size() < 3) {
      contents.add(content(ann)); // two of these frames contain only an id
    }
    assertTrue(contents.contains("\"join\":\"ann\""), contents::toString);
    TestWebSocket ben = here.join("tea", "b\"en");
    assertEquals("\"join\":\"b\\\"en\"", content(ann));
    ben.disconnect();
    assertEquals("\"leave\":\"b\\\"en\"", content(ann));
  }

  @DisplayName("WS-28: names of rooms and users are bounded, and any valid text is a name")
  @Test
  void namesMayBeAnyUnicodeTextUpToALength() {
    List<String> names =
        List.of("x".repeat(256), "ü € 😀", "a/b:c*?\r\n", "'; drop table t", "{m}", "\u202e\u0001");
    for (String name : names) {
      TestWebSocket socket = here.join(name, name);
      there.room(name).send("hello");
      assertEquals(data("hello"), content(socket));
      assertEquals(List.of(name), there.room(name).members());
    }
    for (String name : List.of("", "x".repeat(257), "nul\0")) {
      HttpError error = assertThrows(HttpError.class, () -> here.room(name));
      assertEquals("room must be 1 to 256 Unicode characters", error.getMessage());
      assertEquals(400, here.client.webSocket(path(name, "ann", "")).head().status());
      assertEquals(400, here.client.webSocket(path("tea", name, "")).head().status());
    }
    assertThrows(HttpError.class, () -> here.room("half \ud83d"));
  }

  @Test
  void aMessageThatDoesNotMatchItsTypeClosesTheSocketWith1007() {
    for (String text : List.of("no json", "{}", "[1]", "null")) {
      assertEquals(1007, here.join("tea", "ann").send(text).closeCode());
    }
    assertEquals(List.of(), warnings);
  }

  @Test
  void longMessagesArriveUnchanged() {
    TestWebSocket ann = there.join("tea", "ann");
    String text = "ü€😀 ".repeat(200_000);
    here.room("tea").send(text);
    assertEquals(data(text), content(ann));
  }

  /** A page that reconnects to either server with the last ids, as rooms.js does. */
  private List<String> read(int seed, int count) {
    Random random = new Random(seed);
    String room = "room " + seed;
    List<String> got = new ArrayList<>();
    String id = "0";
    String userId = "0";
    while (got.size() < count) {
      Client server = (random.nextBoolean() ? here : there).client;
      String last = "&lastEventId=" + id + "&lastUserId=" + userId;
      TestWebSocket socket = server.webSocket(path(room, "user " + seed, last));
      int frames = random.nextInt(20);
      for (int i = 0; i <= frames && got.size() < count; i++) {
        Matcher frame = frame(socket.text());
        if (frame.group(1).equals("id")) {
          id = frame.group(2);
        } else {
          userId = frame.group(2);
        }
        got.add(frame.group(1) + " " + frame.group(3));
      }
      socket.disconnect();
    }
    return got;
  }

  @Test
  void pagesThatReconnectGetEachMessageOnceAndInOrder() throws Exception {
    int count = 400;
    List<CompletableFuture<List<String>>> pages = new ArrayList<>();
    for (int seed = 0; seed < 4; seed++) {
      int page = seed;
      pages.add(
          CompletableFuture.supplyAsync(() -> read(page, count), task -> new Thread(task).start()));
    }
    for (int i = 0; i < count; i++) {
      Server server = i % 2 == 0 ? here : there;
      for (int page = 0; page < 4; page++) {
        if (i % 4 == 3) {
          server.rooms.sendTo("user " + page, "" + i);
        } else {
          server.room("room " + page).send("" + i);
        }
      }
    }
    for (CompletableFuture<List<String>> page : pages) {
      List<String> got = page.get(60, TimeUnit.SECONDS);
      List<String> room = new ArrayList<>();
      List<String> user = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        (i % 4 == 3 ? user : room).add((i % 4 == 3 ? "userId " : "id ") + data("" + i));
      }
      assertEquals(room, got.stream().filter(one -> one.startsWith("id")).toList());
      assertEquals(user, got.stream().filter(one -> one.startsWith("userId")).toList());
    }
  }

  @Test
  void membersOfAKilledServerAreGoneAndReported() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    AutoCloseable ends = there.room("tea").onChange((user, joined) -> seen.add(user + joined));
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket ben = there.join("tea", "ben");
    for (int second = 0; second < 6; second += 2) { // the timer of the killed server does not run
      assertEquals(2, there.room("tea").count());
      now.updateAndGet(time -> time.plusSeconds(2));
      there.timer.run();
    }
    assertEquals(List.of("ben"), there.room("tea").members());
    assertEquals(List.of("anntrue", "bentrue", "annfalse"), seen);
    here.timer.run(); // it was only slow
    assertEquals(2, there.room("tea").count());
    assertEquals("anntrue", seen.get(3));
    ends.close();
    ann.disconnect();
    ben.disconnect();
  }

  @Test
  void aServerWithoutMembersOfItsOwnRemovesThoseOfAKilledOne() {
    TestWebSocket ann = here.join("tea", "ann");
    now.updateAndGet(time -> time.plusSeconds(7));
    assertEquals(List.of(), there.room("tea").members());
    ann.disconnect();
  }

  @DisplayName("WS-29: a member store that fails rejects new sockets, and open ones continue")
  @Test
  void aStoreThatFailsRejectsNewSocketsAndOpenOnesContinue() throws Exception {
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket leaves = here.join("tea", "leaves");
    List<Supplier<Exception>> failures =
        List.of(
            () -> new IOException("the store does not respond"),
            () -> new IllegalStateException("garbage"));
    for (Supplier<Exception> failure : failures) {
      store.fail(failure);
      Reply rejected = here.client.webSocket(path("tea", "late", "")).head();
      assertEquals(failure == failures.get(0) ? 503 : 500, rejected.status());
      here.timer.run();
      ann.send("\"hello\"");
      assertEquals(data("ann: hello"), content(ann));
    }
    leaves.disconnect();
    assertEquals(1, warnings.size(), warnings::toString);
    store.fail(null);
    here.timer.run();
    await("leaves has left", () -> there.room("tea").members().equals(List.of("ann")));
    TestWebSocket late = here.join("tea", "late");
    assertEquals(2, there.room("tea").count());
    late.disconnect();
  }

  @Test
  void membersReturnToAStoreThatComesBackEmpty() {
    TestWebSocket ann = here.join("tea", "ann");
    TestWebSocket ben = there.join("tea", "ben");
    store.replace(new MemoryMembers(now::get));
    here.timer.run();
    there.timer.run();
    assertEquals(Set.of("ann", "ben"), new HashSet<>(here.room("tea").members()));
    ann.disconnect();
    ben.disconnect();
  }

  @Test
  void changesThatAStoreLosesAreRepeated() throws Exception {
    TestWebSocket ben = here.join("tea", "ben");
    here.timer.run();
    here.timer.run();
    here.timer.run();
    assertEquals(List.of("ben"), members.members(key("tea")));
    TestWebSocket ann = here.join("tea", "ann");
    MemberStore.Lease lease = store.lease();
    ben.disconnect();
    await("ben has left", () -> members.members(key("tea")).equals(List.of("ann")));
    members.leave(lease, new MemberStore.Member(key("tea"), "ann"));
    members.join(lease, new MemberStore.Member(key("tea"), "ben"));
    here.timer.run();
    here.timer.run();
    assertEquals(List.of("ann"), members.members(key("tea")));
    ann.disconnect();
  }

  private String key(String room) {
    return here.room(room).address().key();
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void nothingRemainsOfEmptyRooms(ThreadMode mode) throws Exception {
    Server server = new Server(rooms(), mode);
    for (int i = 0; i < 200; i++) {
      server.join("room " + i, "user " + i).disconnect();
    }
    assertNothingRemains(server);
  }

  @DisplayName("WS-30: nothing remains of a million rooms that were joined and left")
  @Test
  void nothingRemainsOfAMillionRooms() throws Exception {
    for (int i = 0; i < 1_000_000; i++) {
      String room = key("room " + i);
      here.rooms.lease().join(new MemberStore.Member(room, "ann")).run();
      if (i % 10_000 == 0) {
        await("most have left", () -> members.size() < 1000);
        here.timer.run();
      }
    }
    assertNothingRemains(here);
  }

  private void assertNothingRemains(Server server) throws InterruptedException {
    await("all have left", () -> members.size() <= 1);
    for (int i = 0; i < 4; i++) {
      server.timer.run();
    }
    assertEquals(0, server.rooms.lease().size());
    assertEquals(0, members.size());
    assertTrue(server.rooms.topics() <= 128, "at most 128 topics");
    await("all timers have ended", () -> server.timer.run() == 0);
  }

  @Test
  void aClosedServerRemovesItsMembers() {
    TestWebSocket ann = here.join("tea", "ann");
    here.rooms.close();
    assertEquals(0, there.room("tea").count());
    ann.disconnect();
  }

  @Test
  void theScriptForBrowsersIsServed() throws Exception {
    Reply script = Played.reply(Call.get("/rooms.js"), Rooms.client());
    assertEquals(200, script.status());
    assertTrue(script.text().contains("function joinRoom("), script.text());
    assertTrue(script.header("Content-Type").startsWith("text/javascript"));
  }
}
