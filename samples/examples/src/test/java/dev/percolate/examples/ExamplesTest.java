package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.Service;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExamplesTest {

  private static Reply get(Service app, String target) {
    return Call.get(target).to(app);
  }

  private static Reply post(Service app, String target, String type, String body) {
    return Call.post(target).header("Content-Type", type).body(body).to(app);
  }

  private static void assertReply(int status, String text, Reply reply) {
    assertEquals(status, reply.status(), reply::toString);
    assertEquals(text, reply.text(), reply::toString);
  }

  /** Compares JSON, ignoring white space. The expected text has single quotes. */
  private static void assertJson(int status, String text, Reply reply) {
    assertEquals(status, reply.status(), reply::toString);
    assertEquals(text.replace('\'', '"'), reply.text().replaceAll("\\s", ""), reply::toString);
  }

  @Test
  void helloGreetsTheNameInThePath() {
    assertReply(200, "Hello, world!", get(Hello.app(), "/"));
    Reply reply = get(Hello.app(), "/hello/%3Cb%3E");
    assertReply(200, "Hello, <b>!", reply);
    assertEquals("text/plain; charset=utf-8", reply.header("Content-Type"));
  }

  @Test
  void routeMiddlewareLoadsTheUserAndChecksPermissions() {
    App app = RouteMiddleware.app();
    assertJson(200, "{'name':'Ann','role':'admin'}", get(app, "/users/Ann"));
    assertEquals(404, get(app, "/users/Eve").status());
    assertEquals(403, get(app, "/users/Ben/edit").status());
    assertEquals(200, as("Ben", Call.get("/users/Ben/edit")).to(app).status());
    assertEquals(200, as("Ann", Call.get("/users/Ben/edit")).to(app).status());
    assertEquals(403, as("Ben", Call.get("/users/Ann/edit")).to(app).status());
    assertEquals(403, as("Ben", Call.delete("/users/Ben")).to(app).status());
    assertEquals(200, as("Ann", Call.delete("/users/Ben")).to(app).status());
  }

  private static Call as(String name, Call call) {
    byte[] credentials = (name + ":").getBytes(StandardCharsets.UTF_8);
    return call.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
  }

  @Test
  void paramsAreReplacedMatchedAndLimited() {
    App app = RouteParams.app();
    assertJson(
        200, "{'room':'Cellar','from':'10:00','to':'12:00'}", get(app, "/rooms/c/from/10/to/12"));
    assertJson(200, "['2026-02','2026','02']", get(app, "/months/2026-02"));
    assertEquals(404, get(app, "/months/spring").status());
    assertJson(200, "{'floor':'3'}", get(app, "/floors/3"));
    assertEquals(404, get(app, "/floors/4").status());
    assertEquals(404, get(app, "/floors/x").status());
  }

  @Test
  void resourceIsCreatedReadReplacedAndDeleted() {
    App app = Resource.app();
    Reply created = post(app, "/tasks", "application/json", "{\"title\":\"Sow\"}");
    assertJson(201, "{'title':'Sow','done':false}", created);
    assertEquals("/tasks/1", created.header("Location"));
    assertJson(200, "{'1':{'title':'Sow','done':false}}", get(app, "/tasks"));
    Call replace = Call.put("/tasks/1").header("Content-Type", "application/json");
    Reply replaced = replace.body("{\"title\":\"Reap\",\"done\":true}").to(app);
    assertEquals(200, replaced.status(), replaced::toString);
    assertJson(200, "{'title':'Reap','done':true}", get(app, "/tasks/1"));
    assertEquals(200, Call.delete("/tasks/1").to(app).status());
    assertEquals(404, Call.delete("/tasks/1").to(app).status());
    assertEquals(404, get(app, "/tasks/1").status());
    assertEquals(400, get(app, "/tasks/9999999999").status());
    assertEquals(400, post(app, "/tasks", "application/json", "{\"title\":").status());
  }

  @Test
  void mvcRendersEscapedModels() {
    App app = Mvc.app();
    String form = "application/x-www-form-urlencoded";
    assertEquals("/pets", post(app, "/pets", form, "name=R%26B&kind=dog").header("Location"));
    Reply list = get(app, "/pets");
    assertTrue(list.text().contains("<title>Pets</title>"), list::toString);
    assertTrue(list.text().contains("<a href=\"/pets/R%26B\">R&amp;B</a>"), list::toString);
    Reply pet = get(app, "/pets/R%26B");
    assertTrue(pet.text().contains("R&amp;B is a dog."), pet::toString);
    assertEquals(404, get(app, "/pets/Rex").status());
  }

  @Test
  void errorPagesDependOnTheError() {
    App app = CustomErrorPages.app();
    assertReply(200, "\"SATURDAY\"", get(app, "/weekday/2026-02-28"));
    assertReply(400, "<h1>Invalid date</h1>", get(app, "/weekday/2026-02-30"));
    assertReply(403, "<h1>403</h1>", get(app, "/secret"));
    assertReply(404, "<h1>Page not found</h1>", get(app, "/nowhere"));
    PrintStream console = System.err;
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    System.setErr(new PrintStream(shown, true, StandardCharsets.UTF_8));
    try {
      Reply reply = get(app, "/trouble");
      assertReply(500, "<h1>Something went wrong on our side</h1>", reply);
    } finally {
      System.setErr(console);
    }
    assertTrue(shown.toString(StandardCharsets.UTF_8).contains("the cellar is flooded"));
  }

  @Test
  void contentNegotiationSendsThePreferredFormat() {
    App app = ContentNegotiation.app();
    assertTrue(get(app, "/planets").text().startsWith("<li>Mercury</li>"));
    Call call = Call.get("/planets");
    assertTrue(call.header("Accept", "text/plain").to(app).text().startsWith("* Mercury\n"));
    Reply json = call.header("Accept", "application/json, text/html;q=0.5").to(app);
    assertJson(200, "['Mercury','Venus','Earth','Mars']", json);
    assertEquals("Accept", json.header("Vary"));
    assertEquals(406, call.header("Accept", "image/png").to(app).status());
  }

  @Test
  void cookiesCountVisitsAndForgedOnesAreRejected() {
    App app = SignedCookie.app();
    Reply first = get(app, "/");
    assertReply(200, "This is visit 1.", first);
    String line = String.valueOf(first.header("Set-Cookie"));
    assertTrue(line.endsWith("; HttpOnly; SameSite=Lax"), line);
    String cookie = line.substring(0, line.indexOf(';'));
    assertReply(200, "This is visit 2.", Call.get("/").header("Cookie", cookie).to(app));
    String forged = cookie.replace("s%3A1", "s%3A9");
    assertEquals(400, Call.get("/").header("Cookie", forged).to(app).status());
    String forgotten = String.valueOf(get(app, "/forget").header("Set-Cookie"));
    assertTrue(forgotten.contains("Expires=Thu, 01 Jan 1970"), forgotten);
  }

  @Test
  void downloadsSendFiles() {
    App app = Downloads.app();
    String notes = get(app, "/").text();
    assertTrue(notes.contains("ferret"), notes);
    Reply report = get(app, "/report");
    assertReply(200, notes, report);
    assertEquals("attachment; filename=\"Report 2026.txt\"", report.header("Content-Disposition"));
    assertReply(200, notes, get(app, "/files/notes.txt"));
    Reply named = get(app, "/download/notes.txt");
    assertReply(200, notes, named);
    assertEquals("public, max-age=3600", named.header("Cache-Control"));
    assertEquals("attachment; filename=\"notes.txt\"", named.header("Content-Disposition"));
    assertEquals(403, get(app, "/download/..%2Fpom.xml").status());
    assertEquals(404, get(app, "/files/none.txt").status());
  }

  @Test
  void routeMapDefinesNestedRoutes() {
    App app = RouteMap.app();
    List<String> routes =
        app.routes().values().stream()
            .flatMap(List::stream)
            .map(route -> route.method() + " " + route.path())
            .sorted()
            .toList();
    assertEquals(
        List.of(
            "delete /shelves/:shelf",
            "get /shelves",
            "get /shelves/:shelf",
            "get /shelves/:shelf/books/:book",
            "post /shelves"),
        routes);
    assertJson(200, "{'shelf':'7','book':'3'}", get(app, "/shelves/7/books/3"));
    assertEquals(404, get(app, "/shelves/7/books").status());
  }

  @Test
  void twoLoggersWriteFailuresAndAllRequests() {
    List<String> console = new ArrayList<>();
    List<String> file = new ArrayList<>();
    App app = TwoLoggers.app(LogSink.direct(console::add), LogSink.direct(file::add));
    assertEquals(200, get(app, "/").status());
    assertEquals(404, get(app, "/nowhere").status());
    assertEquals(1, console.size(), console::toString);
    assertTrue(console.get(0).contains("/nowhere"), console::toString);
    assertEquals(2, file.size(), file::toString);
    assertTrue(file.get(0).contains("\"GET / HTTP/1.1\" 200"), file::toString);
  }

  @Test
  void parsersPerRouteAcceptOnlyTheirTypes() {
    App app = ParsersPerRoute.app();
    String form = "application/x-www-form-urlencoded";
    Reply nested = post(app, "/form", form, "user[name]=Ann&user[pets][]=Tobi");
    assertJson(200, "{'user':{'name':'Ann','pets':['Tobi']}}", nested);
    assertJson(200, "[1]", post(app, "/json", "application/json", "[1]"));
    assertReply(200, "\"a=b\"", post(app, "/text", "text/plain", "a=b"));
    assertReply(200, "\"3 bytes\"", post(app, "/bytes", "image/png", "\u00001a"));
    assertEquals(415, post(app, "/json", "text/plain", "[1]").status());
    assertEquals(413, post(app, "/text", "text/plain", "x".repeat(1025)).status());
  }

  @Test
  void severalAppsAreMountedWithTheirSettings() {
    App app = SeveralApps.app();
    assertReply(200, "Blog of Ann at /blog", get(app, "/blog"));
    assertReply(200, "Shop of Ann at /shop", get(app, "/shop"));
    assertReply(200, "Back office of Ann at /shop/admin", get(app, "/shop/admin"));
    assertReply(200, "See /blog and /shop.", get(app, "/"));
    Call api = Call.get("/").header("Host", "api.localhost:3000");
    assertReply(200, "{\n  \"version\": 1\n}", api.to(app));
    assertEquals(404, Call.get("/blog/nowhere").to(app).status());
  }

  @Test
  void recordsComeFromJsonAndGoOutAsJson() {
    App app = Records.app();
    String order =
        "{\"customer\":\"Ann\",\"lines\":[{\"article\":\"tea\",\"count\":3,\"price\":4.10}]}";
    Reply receipt = post(app, "/orders", "application/json", order);
    assertJson(201, "{'customer':'Ann','total':12.30}", receipt);
    String wrong = order.replace(":3,", ":\"many\",");
    assertEquals(400, post(app, "/orders", "application/json", wrong).status());
    assertEquals(400, post(app, "/orders", "application/json", "{}").status());
    Call form = Call.post("/orders").form("customer", "Ann").form("lines[0][article]", "tea");
    Reply fromForm = form.form("lines[0][count]", "3").form("lines[0][price]", "4.10").to(app);
    assertJson(201, "{'customer':'Ann','total':12.30}", fromForm);
    assertTrue(form.to(app).text().contains("lines[0][price]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                              | /customer\\\" is missing",
        "{'customer':'x','lines':[{}]}   | /lines/0/price\\\" is missing",
        "{'customer':'x','lines':[{'article':'a','count':0,'price':1}]} | count must be positive",
        "{'customer':'x','lines':[null]} | /lines/0\\\" is missing",
        "{'customer':'x','lines':3}      | /lines\\\": expected a list"
      },
      quoteCharacter = '`')
  void invalidOrdersAre400(String order, String reason) {
    Reply reply = post(Records.app(), "/orders", "application/json", order.replace('\'', '"'));
    assertEquals(400, reply.status(), reply::toString);
    assertTrue(reply.text().contains(reason), reply::toString);
  }

  @Test
  void streamingSendsEventsAndLongTables() {
    App app = Streaming.app(Duration.ZERO);
    Reply events = get(app, "/time");
    assertEquals("text/event-stream", events.header("Content-Type"));
    assertEquals(10, events.text().split("\n\n").length, events::toString);
    assertTrue(events.text().startsWith("id: 1\ndata: "), events::toString);
    List<String> squares = get(app, "/squares").text().lines().toList();
    assertEquals(100_000, squares.size());
    assertEquals("100000,10000000000", squares.get(99_999));
  }

  @Test
  void asyncSendsTheResultOfAStage() {
    App app = Async.app();
    Reply reply = get(app, "/articles/tea");
    assertJson(200, "{'cents':410,'pieces':12}", reply);
    assertEquals(404, get(app, "/articles/salt").status());
  }

  @Test
  void uploadsShowFieldsAndFiles() {
    App app = Uploads.app();
    String form =
        """
        --X
        Content-Disposition: form-data; name="title"

        Cat
        --X
        Content-Disposition: form-data; name="photo"; filename="/home/cat.png"

        12345
        --X--
        """
            .replace("\n", "\r\n");
    Reply reply = post(app, "/photos", "multipart/form-data; boundary=X", form);
    assertJson(200, "{'title':'Cat','cat.png':'5bytes'}", reply);
    assertTrue(get(app, "/").text().contains("multipart/form-data"));
    String plain = "application/x-www-form-urlencoded";
    assertEquals(415, post(app, "/photos", plain, "title=Cat").status());
    assertEquals(400, Call.post("/photos").to(app).status());
  }

  @Test
  void chatSendsEachMessageToTheWholeRoom() throws Exception {
    try (MemoryClient client = MemoryClient.of(Chat.app(""))) {
      assertTrue(client.open(Call.get("/")).reply().text().contains("joinRoom("));
      assertEquals(200, client.open(Call.get("/rooms.js")).reply().status());
      TestWebSocket ann = client.webSocket("/rooms/tea?user=ann");
      ann.send("\"first\"");
      assertEquals("\"data\":\"ann: first\"", chatLine(ann));
      TestWebSocket ben = client.webSocket("/rooms/tea?user=ben");
      TestWebSocket other = client.webSocket("/rooms/coffee?user=eve");
      ben.send("\"hello\"");
      other.send("\"elsewhere\"");
      assertEquals("\"join\":\"ben\"", next(ann));
      assertEquals("\"data\":\"ben: hello\"", chatLine(ann));
      assertEquals("\"data\":\"ben: hello\"", chatLine(ben));
      assertEquals("\"data\":\"eve: elsewhere\"", chatLine(other));
      ann.close(1000, "");
      assertEquals(1000, ann.closeCode());
      ben.send("x".repeat(5000));
      assertEquals(1009, ben.closeCode());
    }
  }

  /** Returns the content of the next message, without ids and joins. */
  private static String chatLine(TestWebSocket socket) {
    String frame = next(socket);
    while (!frame.startsWith("\"data\"")) {
      frame = next(socket);
    }
    return frame;
  }

  private static String next(TestWebSocket socket) {
    String frame = socket.text();
    return frame.contains(",") ? frame.substring(frame.indexOf(',') + 1, frame.length() - 1) : "";
  }

  @Test
  void newsReachAllListeners() {
    App app = News.app();
    assertTrue(get(app, "/").text().contains("new EventSource("));
    assertEquals(201, post(app, "/news", "text/plain", "The tea\nis ready.").status());
    try (MemoryClient client = MemoryClient.of(app)) {
      TestEventStream talk = client.events("/news?lastEventId=0");
      String data = talk.data();
      assertTrue(data.startsWith("{\"text\":\"The tea\\nis ready.\","), data);
      assertEquals(201, post(app, "/news", "application/x-www-form-urlencoded", "b").status());
      assertTrue(talk.data().startsWith("{\"text\":\"b\","));
    }
  }
}
