package dev.percolate.replay;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.JsonText;
import dev.percolate.http.Percent;
import dev.percolate.testkit.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Requests and responses that contain secrets wherever a rule names the place. */
final class PlantedSecrets {

  private static final List<String> NAMES =
      List.of(
          "password",
          "user_password",
          "newPassword",
          "PASS-WD-passwd",
          "access_token",
          "csrfToken",
          "_csrf",
          "client-secret",
          "apiKey",
          "e-mail",
          "emailAddress",
          "phone_number",
          "pin",
          "firstName",
          "last_name",
          "card[number][cvc]",
          "user[nickname]",
          "credentials.value",
          "sessionId",
          "nickname",
          "iban",
          "otp",
          "birth-date");

  /** Characters of secrets, which the syntaxes of bodies escape in different ways. */
  private static final String CHARACTERS =
      "abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ23456789";

  private static final String AWKWARD = "é+/=&%\"'<> \\ü€;,:{}";

  private static final Pattern BASE64 =
      Pattern.compile("\"(?:base64|bodyBase64)\":\"([A-Za-z0-9+/=]+)\"");

  private final Random random;
  private final List<String> all = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private Consumer<Response> response = res -> {};

  PlantedSecrets(long seed) {
    random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      listed.add("Customer " + secret(""));
    }
  }

  /** Returns the free texts that the recorder masks. */
  List<String> listed() {
    return listed;
  }

  int count() {
    return all.size();
  }

  /** Returns the secrets that occur in a text, with their surroundings. */
  List<String> foundIn(String file) {
    String text = file + decoded(file);
    return all.stream()
        .filter(text::contains)
        .map(
            secret -> {
              int at = text.indexOf(secret);
              return secret
                  + " in "
                  + text.substring(Math.max(0, at - 200), Math.min(text.length(), at + 60));
            })
        .limit(5)
        .toList();
  }

  /** Returns the binary bodies of a recording. */
  private static String decoded(String file) {
    return BASE64
        .matcher(file)
        .results()
        .map(body -> Base64.getDecoder().decode(body.group(1)))
        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
        .collect(Collectors.joining("\n", "\n", ""));
  }

  /** Returns the next request; its response contains secrets too. */
  Call next() {
    planResponse();
    return switch (random.nextInt(9)) {
      case 0 -> Call.get("/search?q=1&" + form());
      case 1 -> Call.get("/reset/" + secret("") + "?n=1");
      case 2 ->
          Call.get("/")
              .header("Authorization", "Bearer " + secret(""))
              .header("X-Api-Key", secret(""))
              .header("X-Forwarded-For", secret(""))
              .header("Referer", "http://localhost/x?access_token=" + secret(""));
      case 3 -> Call.get("/").header("Cookie", "a=" + secret("") + "; theme=" + secret(""));
      case 4 -> typed("application/json", json(1 + random.nextInt(30)));
      case 5 -> typed("application/x-www-form-urlencoded", form());
      case 6 ->
          Call.post("/")
              .form(name(), value())
              .form("plain", listed.get(all.size() % listed.size()))
              .form("payload", json(3))
              .file(name(), "a.txt", "text/plain", value().getBytes(StandardCharsets.UTF_8))
              .file("picture", "a.png", "image/png", new byte[] {(byte) 0x89, 1, 2});
      case 7 ->
          Call.post("/")
              .header("Content-Type", "application/vnd.api+json")
              .header("Content-Encoding", "gzip")
              .body(gzip(json(4)));
      default -> typed("text/xml", "<a><password>" + secret("") + "</password></a>");
    };
  }

  /** Sends the planned response after reading the body. */
  void respond(Request req, Response res) throws IOException {
    if (req.hasBody()) {
      byte[] unused = req.inputStream(1 << 20).readAllBytes();
    }
    response.accept(res);
  }

  private void planResponse() {
    String secret = value();
    String free = listed.get(random.nextInt(listed.size()));
    int kind = random.nextInt(6);
    response =
        res -> {
          switch (kind) {
            case 0 -> res.type("json").send(json(5));
            case 1 ->
                res.type("html")
                    .send(
                        "<meta content='%s' name=csrf-token><p>%s</p><input value=\"%s\" name=\"%s\">"
                            .formatted(secret(""), free, secret(""), "_csrf"));
            case 2 ->
                res.cookie("sid", secret(""), CookieOptions.none())
                    .redirect("/welcome?token=" + secret(""));
            case 3 -> res.type("text").send("password=" + secret("") + "\nemail: x " + free);
            case 4 -> res.type("json").send("{\"token\":" + JsonText.of(secret) + "}");
            default ->
                res.type("html")
                    .send("<script>var state = {\"csrfToken\": \"" + secret("") + "\"}</script>");
          }
        };
  }

  private Call typed(String type, String body) {
    return Call.post("/").header("Content-Type", type).body(body);
  }

  private String form() {
    StringBuilder out = new StringBuilder("a=b");
    for (int i = 0; i < 3; i++) {
      out.append('&').append(escaped(name())).append('=').append(encoded(value()));
    }
    return out.append("&state=").append(encoded(json(2))).toString();
  }

  /** Returns JSON with secrets at a depth. */
  private String json(int depth) {
    Object value = random.nextBoolean() ? Map.of(name(), List.of(1, Map.of("x", value()))) : "x";
    for (int i = 0; i < depth; i++) {
      Map<String, Object> around = new LinkedHashMap<>();
      around.put("n", i);
      around.put(name(), value());
      around.put("inner", random.nextInt(4) == 0 ? JsonText.of(value) : value);
      value = random.nextBoolean() ? List.of(around, around.get("n")) : around;
    }
    String json = JsonText.of(value);
    return random.nextBoolean() ? json : json.replace("password", "p\\u0061ssword");
  }

  private String name() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /** Returns a value with a secret in it, which may contain characters that are escaped. */
  private String value() {
    char first = AWKWARD.charAt(random.nextInt(AWKWARD.length()));
    return random.nextBoolean() ? secret("") : secret(first + "") + first + "x";
  }

  private String secret(String before) {
    StringBuilder secret = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      secret.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
    }
    all.add(secret.toString());
    return before + secret;
  }

  /** Percent-encodes some letters that need not be. */
  private String escaped(String name) {
    String encoded = Percent.encodeComponent(name);
    return random.nextBoolean() ? encoded : encoded.replace("a", "%61");
  }

  private String encoded(String value) {
    String encoded = Percent.encodeComponent(value);
    return random.nextBoolean() ? encoded : encoded.replace("%20", "+");
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
