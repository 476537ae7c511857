package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Edits of an application that runs in the development loop. */
@Timeout(120)
class DevTest {

  private static final String SOURCE = "src/main/java/com/example/";

  @TempDir static Path folder;
  private static DevProcess dev;

  @BeforeAll
  static void start() throws Exception {
    DevProcess.writeMain(folder, sends("first"));
    dev = DevProcess.start(folder, "com.example.Main");
  }

  @AfterAll
  static void end() {
    dev.close();
  }

  @BeforeEach
  void forgetOutput() throws Exception {
    dev.clear();
  }

  private static String sends(String text) {
    return "app.get(\"/\", (req, res) -> res.send(\"" + text + "\"));";
  }

  @Test
  void theNextRequestIsServedByTheChangedCode() throws Exception {
    for (int i = 0; i < 5; i++) {
      dev.edit(sends("edit " + i));
      assertEquals("edit " + i, dev.get("/").text());
    }
  }

  @Test
  void twoEditsOfTheSameSizeAtTheSameTimeAreSeen() throws Exception {
    dev.edit(sends("0000"));
    Path file = folder.resolve(SOURCE + "Main.java");
    assertEquals("0000", dev.get("/").text());
    for (int i = 1001; i < 1004; i++) {
      dev.edit(sends("" + i));
      FileTime time = Files.getLastModifiedTime(file);
      assertEquals("" + i, dev.get("/").text());
      dev.edit(sends("" + (i + 1000)));
      Files.setLastModifiedTime(file, time);
      assertEquals("" + (i + 1000), dev.get("/").text());
    }
  }

  @Test
  void compileErrorsAreShownWithFileLineAndSource() throws Exception {
    dev.edit("int x = \"text\";");
    Reply json = Call.get("/").header("Accept", "application/json").to(dev.uri());
    assertEquals(500, json.status());
    assertTrue(
        json.text().contains("\"file\":\"src/main/java/com/example/Main.java\""), json.text());
    assertTrue(json.text().contains("\"line\":9,\"column\":"), json.text());
    assertTrue(json.text().contains("incompatible types"), json.text());
    assertTrue(json.text().contains("int x = \\\"text\\\";"), json.text());
    Reply page = dev.page("/");
    assertEquals(500, page.status());
    assertTrue(page.text().contains("<h2>src/main/java/com/example/Main.java:9</h2>"), page.text());
    assertTrue(page.text().contains("<mark>    9  int x = &quot;text&quot;;</mark>"), page.text());
    String text = dev.get("/").text();
    assertTrue(text.contains("src/main/java/com/example/Main.java:9: incompatible types"), text);
    assertTrue(text.contains(">    9  int x = \"text\";"), text);
    dev.await("The sources do not compile:");
    dev.edit(sends("two"));
    assertEquals("two", dev.get("/").text());
  }

  @Test
  void aMainThatThrowsIsShownAndItsCloseActionsRun() throws Exception {
    dev.edit(
        """
        app.onClose(() -> System.out.println("closed the failed one"));
        if (true) throw new IllegalStateException("no database");
        """);
    Reply failed = dev.get("/");
    assertEquals(500, failed.status());
    assertTrue(
        failed.text().contains("java.lang.IllegalStateException: no database"), failed::text);
    assertTrue(failed.text().contains("Main.java:10"), failed::text);
    assertTrue(dev.page("/").text().contains("<mark>   10"));
    dev.edit(sends("two"));
    assertEquals("two", dev.get("/").text());
    dev.await("closed the failed one");
  }

  @Test
  void aDeletedClassDoesNotCompile() throws Exception {
    DevProcess.write(
        folder,
        SOURCE + "Text.java",
        "package com.example; class Text { static String of() { return \"text\"; } }");
    dev.edit("app.get(\"/\", (req, res) -> res.send(Text.of()));");
    assertEquals("text", dev.get("/").text());
    Files.delete(folder.resolve(SOURCE + "Text.java"));
    String error = dev.get("/").text();
    assertTrue(error.contains("cannot find symbol"), error);
    dev.write(
        SOURCE + "Text.java",
        "package com.example; class Text { static String of() { return \"again\"; } }");
    assertEquals("again", dev.get("/").text());
  }

  @Test
  void requestsDoNotWaitForAVersionThatAnEditReplaces() throws Exception {
    dev.edit("System.out.println(\"main sleeps\"); Thread.sleep(60_000);" + sends("two"));
    try (Client client = dev.client();
        TestConnection waiting = Call.get("/").open(client)) {
      dev.await("main sleeps");
      dev.edit(sends("three"));
      assertEquals("three", waiting.reply().text());
    }
  }

  @Test
  void closeActionsRunAfterTheRequestsOfTheVersion() throws Exception {
    String slow =
        """
        app.onClose(() -> System.out.println("closed one"));
        app.get("/slow", (req, res) -> {
          System.out.println("slow begins");
          Thread.sleep(600);
          System.out.println("slow ends");
          res.send("slow one");
        });
        """;
    dev.edit(slow);
    try (Client client = dev.client();
        TestConnection request = Call.get("/slow").open(client)) {
      dev.await("slow begins");
      dev.edit(sends("two"));
      assertEquals("two", dev.get("/").text());
      assertEquals("slow one", request.reply().text());
      dev.await("closed one");
      assertTrue(dev.output().indexOf("slow ends") < dev.output().indexOf("closed one"));
    }
  }

  @Test
  void aRequestThatHoldsTheOldCodeDoesNotDelayTheNewCodeForEver() throws Exception {
    String held =
        """
        app.onClose(() -> System.out.println("closed one"));
        app.get("/held", (req, res) -> {
          System.out.println("held begins");
          Thread.sleep(6000);
          res.send("held one");
        });
        """;
    dev.edit(held);
    try (Client client = dev.client();
        TestConnection request = Call.get("/held").open(client)) {
      dev.await("held begins");
      dev.edit(sends("two"));
      assertEquals("two", dev.get("/").text());
      assertFalse(dev.output().contains("closed one"));
      dev.await(" still has the request GET /held at Main.");
      assertEquals("held one", request.reply().text());
      dev.await("closed one");
    }
  }

  @Test
  void webSocketsEndWith1012AndEventStreamsWithRetry() throws Exception {
    String body =
        """
        app.get("/ws", dev.percolate.middleware.WebSockets.callbacks().onText((socket, text) -> socket.send(text)));
        app.get("/events", dev.percolate.middleware.Events.async((req, events) -> events.send("hello")));
        """;
    dev.edit(body);
    try (Client client = dev.client();
        TestWebSocket socket = client.webSocket("/ws");
        TestEventStream events = client.events("/events")) {
      socket.send("hello");
      assertEquals("hello", socket.text());
      assertEquals("hello", events.data());
      assertEquals("200", events.retry());
      dev.edit(body + sends("two"));
      assertEquals(1012, socket.closeCode());
      assertTrue(events.awaitEnd());
      assertEquals("two", dev.get("/").text());
    }
  }

  @Test
  void anOpenInspectorDoesNotDelayTheEndOfAVersion() throws Exception {
    dev.edit(
        """
        app.use(dev.percolate.inspector.Inspector.inDevelopment());
        app.onClose(() -> System.out.println("closed one"));
        """);
    try (Client client = dev.client();
        TestEventStream events = client.events("/_percolate/events")) {
      assertEquals(200, events.head().status());
      dev.edit(sends("two"));
      assertEquals("two", dev.get("/").text());
      assertTrue(events.awaitEnd());
      dev.await("closed one");
    }
  }

  @Test
  void handlersThatContinueOnAPoolThreadSeeTheResourcesOfTheirVersion() throws Exception {
    dev.edit(
        """
        app.use((req, res, next) -> { System.out.println("arrived"); next.run(); });
        app.use(dev.percolate.parsers.BodyParsers.text());
        app.post("/", (req, res) -> res.send("" + (Thread.currentThread().getContextClassLoader() == Main.class.getClassLoader())));
        System.out.println("pool " + app.listen(dev.percolate.engine.ListenOptions.ofPort(0).threads("pool")).port());
        """);
    int port = Integer.parseInt(dev.await("pool ").substring(5));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String head =
          "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      dev.await("arrived");
      socket.getOutputStream().write("body".getBytes(StandardCharsets.US_ASCII));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(response.endsWith("true"), response);
    }
  }

  @Test
  void resourcesAreServedFromTheSourceFolderWithoutARestart() throws Exception {
    String body =
        """
        long started = System.nanoTime();
        app.use(dev.percolate.middleware.StaticFiles.ofClassPath("/public"));
        app.get("/started", (req, res) -> res.send("" + started));
        """;
    DevProcess.write(folder, "src/main/resources/public/a.txt", "one");
    DevProcess.write(folder, "src/main/resources/app.properties", "a=1");
    dev.edit(body);
    String started = dev.get("/started").text();
    assertEquals("one", dev.get("/a.txt").text());
    dev.write("src/main/resources/public/a.txt", "changed");
    dev.write("src/main/resources/public/b.txt", "new");
    assertEquals("changed", dev.get("/a.txt").text());
    assertEquals("new", dev.get("/b.txt").text());
    assertEquals(started, dev.get("/started").text());
    dev.write("src/main/resources/app.properties", "a=2");
    assertNotEquals(started, dev.get("/started").text());
  }

  @Test
  void pagesReloadThroughOneEventStream() throws Exception {
    String body =
        """
        app.get("/", (req, res) -> res.set("Content-Security-Policy", "default-src 'self'").send("<p>one"));
        app.get("/text", (req, res) -> res.type("text").send("text"));
        """;
    dev.edit(body);
    try (Client client = dev.client()) {
      Reply page = dev.page("/");
      String version =
          page.text().replaceFirst("(?s)^<p>one\n<script data-version=\"([\\w-]+)\">.*", "$1");
      assertTrue(page.text().endsWith("</script>\n"), page::text);
      assertTrue(
          page.header("Content-Security-Policy").contains("script-src 'self' 'sha256-"),
          page::toString);
      assertEquals("no-store", page.header("Cache-Control"));
      assertNull(page.header("ETag"));
      assertEquals("text", dev.page("/text").text());
      assertEquals("<p>one", dev.get("/").text());
      try (TestEventStream events = client.events("/_percolate/reload")) {
        assertEquals(version, events.data());
        dev.edit(body.replace("one", "two"));
        String changed = events.data();
        assertNotEquals(version, changed);
        assertTrue(
            dev.page("/").text().startsWith("<p>two\n<script data-version=\"" + changed + "\">"));
      }
    }
  }

  @Test
  @DisplayName("DEV-07: the development loop shows its errors and versions to this machine only")
  void otherOriginsSeeNeitherErrorsNorVersions() throws Exception {
    dev.edit("int secret = ;");
    for (String[] header :
        new String[][] {{"Host", "evil.example"}, {"X-Forwarded-For", "192.0.2.1"}}) {
      Call call = Call.get("/").header(header[0], header[1]).header("Accept", "text/html");
      Reply reply = call.to(dev.uri());
      assertEquals(500, reply.status());
      assertFalse(reply.text().contains("secret") || reply.text().contains("<script"), reply::text);
      assertEquals(
          403, Call.get("/_percolate/reload").header(header[0], header[1]).to(dev.uri()).status());
    }
    Call foreign = Call.get("/_percolate/reload").header("Sec-Fetch-Site", "cross-site");
    assertEquals(403, foreign.to(dev.uri()).status());
  }

  @Test
  void aSecondPortOpensAndCloses() throws Exception {
    String second =
        "System.out.println(\"second \" + new App().use((req, res) -> res.send(\"two\")).listen(0).port());";
    dev.edit(sends("one") + "\n" + second);
    assertEquals("one", dev.get("/").text());
    String line = dev.await("second ");
    URI other = URI.create("http://localhost:" + line.substring(7));
    assertEquals("two", Call.get("/").to(other).text());
    dev.edit(sends("three"));
    assertEquals("three", dev.get("/").text());
    DevProcess.awaitRefusal(other.getPort());
  }

  @Test
  void aPortInUseIsShownWithTheLineThatOpensIt() throws Exception {
    try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      dev.edit("new App().listen(\"127.0.0.1\", " + used.getLocalPort() + ");");
      String error = dev.get("/").text();
      assertTrue(error.contains("" + used.getLocalPort()), error);
      assertTrue(error.contains("Main.java:9"), error);
    }
  }

  @Test
  void anotherHostOnAnOpenPortIsServedByItsSocket() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String listens = "new App().use((req, res) -> res.send(\"%s\")).listen(\"%s\", " + port + ");";
    URI uri = URI.create("http://127.0.0.1:" + port);
    dev.edit(listens.formatted("one", "0.0.0.0"));
    assertEquals(404, dev.get("/").status());
    assertEquals("one", Call.get("/").to(uri).text());
    dev.edit(listens.formatted("two", "127.0.0.1"));
    assertEquals("two", Call.get("/").to(uri).text());
  }

  @Test
  void classesHaveALocation() throws Exception {
    String location = "Main.class.getProtectionDomain().getCodeSource().getLocation()";
    dev.edit("app.get(\"/\", (req, res) -> res.send(" + location + ".toString()));");
    String text = dev.get("/").text();
    assertTrue(text.startsWith("file:/") && text.endsWith("/"), text);
  }

  @Test
  void downloadedFilesStayUnchanged() throws Exception {
    dev.edit(
        "app.get(\"/f\", (req, res) -> res.attachment(\"a.html\").type(\"html\").send(\"<p>one\"));");
    assertEquals("<p>one", dev.page("/f").text());
  }

  @Test
  void threadsThatTheApplicationLeavesAreNamed() throws Exception {
    String leaves =
        "new Thread(() -> { while (true) { java.util.concurrent.locks.LockSupport.park(); Thread.interrupted(); } },"
            + " \"forgotten\").start();";
    dev.edit(leaves + sends("one"));
    assertEquals("one", dev.get("/").text());
    dev.edit(sends("two"));
    assertEquals("two", dev.get("/").text());
    dev.await("thread \"forgotten\" of the previous version still runs, at Main.");
  }
}
