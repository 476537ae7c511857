package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.validation.constraints.Email;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Code of the recipe for mail. */
final class MailRecipeTest {

  // #region mail
  record Signup(@Email String email) {}

  static Session smtp(String host, int port) {
    Properties options = new Properties();
    options.setProperty("mail.smtp.host", host);
    options.setProperty("mail.smtp.port", Integer.toString(port));
    options.setProperty("mail.smtp.connectiontimeout", "5000"); // ms, otherwise no timeout
    options.setProperty("mail.smtp.timeout", "10000");
    options.setProperty("mail.smtp.writetimeout", "10000");
    return Session.getInstance(options);
  }

  static void send(Session smtp, String to, String subject, String html) throws MessagingException {
    MimeMessage message = new MimeMessage(smtp);
    message.setFrom("shop@example.com");
    message.setRecipient(Message.RecipientType.TO, new InternetAddress(to, true));
    message.setSubject(subject, "UTF-8");
    message.setContent(html, "text/html; charset=UTF-8");
    Transport.send(message);
  }

  static App app(Session smtp) {
    App app = new App().set("view engine", "peb");
    app.post(
        "/signup",
        BodyParsers.urlencoded(),
        (req, res) -> {
          String email = req.form(Signup.class).email();
          try {
            send(smtp, email, "Welcome", app.render("welcome-mail", Map.of("email", email)));
          } catch (AddressException e) { // @Email accepts some that InternetAddress does not
            throw new HttpError(422, "Invalid email address");
          }
          res.redirect(303, "/welcome");
        });
    return app;
  }

  // #endregion mail

  /** Receives one mail by SMTP, and returns its lines. */
  private static CompletableFuture<List<String>> receive(ServerSocket port, ExecutorService by) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Socket client = port.accept()) {
            return conversation(client);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        by);
  }

  private static List<String> conversation(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
    List<String> lines = new ArrayList<>();
    boolean isData = false;
    reply(client, "220 ready");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      lines.add(line);
      isData = isData ? !line.equals(".") : line.equals("DATA");
      if (line.equals("DATA")) {
        reply(client, "354 go on");
      } else if (line.equals("QUIT")) {
        reply(client, "221 bye");
        return lines;
      } else if (!isData) {
        reply(client, "250 fine");
      }
    }
    return lines;
  }

  private static void reply(Socket client, String line) throws IOException {
    OutputStream out = client.getOutputStream();
    out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  @Test
  void aSignupSendsAMail() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<List<String>> mail = receive(port, threads);
      App app = app(smtp("127.0.0.1", port.getLocalPort()));
      Reply reply = Call.post("/signup").form("email", "ann@example.org").to(app);
      assertEquals("303 /welcome", reply.status() + " " + reply.header("Location"));
      List<String> lines = mail.get(10, TimeUnit.SECONDS);
      assertTrue(lines.contains("RCPT TO:<ann@example.org>"), lines::toString);
      assertTrue(lines.contains("Subject: Welcome"), lines::toString);
      assertTrue(lines.contains("<p>Welcome, ann@example.org!</p>"), lines::toString);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anInvalidAddressIsRejected() {
    App app = app(smtp("127.0.0.1", 1));
    for (String invalid : List.of("x", "", "ann@under_score.example")) {
      assertEquals(422, Call.post("/signup").form("email", invalid).to(app).status(), invalid);
    }
    String forged = "ann@example.org\r\nBcc: eve@example.org";
    assertEquals(422, Call.post("/signup").form("email", forged).to(app).status());
    assertThrows(AddressException.class, () -> send(smtp("127.0.0.1", 1), forged, "x", "x"));
  }
}
