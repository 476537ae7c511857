package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.engine.Server;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestEventStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests examples over TCP, with the client of the JDK. */
final class ChatTest {

  private static final int MESSAGES = Integer.getInteger("chat.messages", 1000);

  /** Records received messages and close codes. */
  private static final class Heard implements WebSocket.Listener {

    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        texts.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture(last);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      codes.add(code);
      return CompletableFuture.completedFuture(code);
    }

    /** Returns the text of the next message, without ids, joins and leaves. */
    String text() throws InterruptedException {
      String text = String.valueOf(texts.poll(10, TimeUnit.SECONDS));
      int data = text.indexOf(",\"data\":");
      return text.startsWith("{") && data < 0
          ? text()
          : text.substring(data + 8, text.length() - 1);
    }

    int code() throws InterruptedException {
      Integer code = codes.poll(10, TimeUnit.SECONDS);
      return code == null ? -1 : code;
    }
  }

  private static WebSocket open(Server server, Heard heard) {
    URI uri = URI.create("ws://localhost:" + server.port() + "/rooms/tea?user=ann");
    return HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(uri, heard).join();
  }

  @Test
  void theClientOfTheJdkSendsAndReceives() throws Exception {
    try (Server server = Chat.app("").listen()) {
      Heard heard = new Heard();
      WebSocket socket = open(server, heard);
      socket.sendText("\"in two ", false).join();
      socket.sendText("parts ü€😀\"", true).join();
      assertEquals("\"ann: in two parts ü€😀\"", heard.text());
      for (int i = 0; i < MESSAGES; i++) {
        socket.sendText("\"message " + i + "\"", true).join();
      }
      for (int i = 0; i < MESSAGES; i++) {
        assertEquals("\"ann: message " + i + "\"", heard.text());
      }
      socket.sendClose(1000, "bye").join();
      assertEquals(1000, heard.code());
    }
  }

  @Test
  void roomsMayBeInADatabase() throws Exception {
    String url = "jdbc:h2:mem:chat;DB_CLOSE_DELAY=-1";
    try (Server server = Chat.app(url).listen()) {
      Heard ann = new Heard();
      Heard ben = new Heard();
      WebSocket socket = open(server, ann);
      WebSocket ignored = open(server, ben);
      socket.sendText("\"hello\"", true).join();
      assertEquals("\"ann: hello\"", ann.text());
      assertEquals("\"ann: hello\"", ben.text());
    }
  }

  @Test
  void closingTheServerClosesSocketsWith1001AndEndsStreams() throws Exception {
    Heard heard = new Heard();
    Server chat = Chat.app("").listen();
    WebSocket socket = open(chat, heard);
    socket.sendText("\"a\"", true).join();
    assertEquals("\"ann: a\"", heard.text());
    long begun = System.nanoTime();
    chat.close();
    assertEquals(1001, heard.code());
    Server news = News.app().listen();
    try (Client client = Client.of(news.uri())) {
      TestEventStream stream = client.events("/news");
      assertEquals(200, stream.head().status());
      news.close();
      assertEquals(true, stream.awaitEnd());
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
    assertEquals(true, seconds < 25, () -> "closed within " + seconds + " s");
  }

  @Test
  void pagesOfOtherOriginsAreRejected() throws Exception {
    try (Server server = Chat.app("").listen();
        Client client = Client.of(server.uri())) {
      Call call = Call.get("/rooms/tea").header("Origin", "http://evil.example");
      assertEquals(403, client.webSocket(call).head().status());
      URI page = URI.create("ws://localhost:" + server.port() + "/");
      CompletionException rejected =
          assertThrows(
              CompletionException.class,
              () ->
                  HttpClient.newHttpClient()
                      .newWebSocketBuilder()
                      .buildAsync(page, new Heard())
                      .join());
      WebSocketHandshakeException cause = (WebSocketHandshakeException) rejected.getCause();
      assertEquals(200, cause.getResponse().statusCode());
    }
  }
}
