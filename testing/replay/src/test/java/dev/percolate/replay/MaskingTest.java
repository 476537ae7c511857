package dev.percolate.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.replay.Recorder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that secrets are masked in each syntax and spelling. */
final class MaskingTest {

  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("shop.json");
  }

  @Test
  void secretsInPathsAreMaskedWhateverTheyContain() throws Exception {
    List<String> paths =
        List.of(
            "/customers/Anna%20Quimby",
            "/%63ustomers/Anna%20Quimby",
            "/customers/q1Wx%2FQuimby%3D%3D",
            "/customers/a%26Quimby/orders",
            "/customers/a;Quimby",
            "/customers/./a'Quimby",
            "/shop;jsessionid=Quimby0123;v=1");
    try (Recorder recorder = Recorder.to(file).maskPath("/customers/:name")) {
      App app = new App();
      app.use(recorder);
      app.use((req, res, next) -> res.send("x"));
      for (String path : paths) {
        assertEquals(200, Call.get(path).to(app).status(), path);
      }
    }
    String text = Files.readString(file);
    assertFalse(text.contains("Quimby"), text);
    assertTrue(text.contains("}/orders") && text.contains("%3Bv=1"), text);
  }

  @Test
  void listedTextsAreMaskedInEverySpelling() throws Exception {
    try (Recorder recorder = Recorder.to(file).maskValues(List.of("Zoë", "Zoë O'Quimby"))) {
      App app = new App();
      app.use(recorder);
      app.use(
          (req, res, next) -> {
            read(req);
            res.type("html").send("<p>Zo&#xEB; O&#039;Quimby &amp; Zoë O&apos;Quimby");
          });
      Call post = Call.post("/");
      Call json = post.header("Content-Type", "application/json");
      List<Call> calls =
          List.of(
              json.body("{\"n\":\"Zo\\u00EB O'Quimby\"}"),
              post.header("Content-Type", FORM).body("n=Zo%c3%ab+O%27Quimby"),
              post.form("n", "Zoë O'Quimby")
                  .file("p", "Zoë O'Quimby.png", "image/png", new byte[] {(byte) 0x89, 1}),
              Call.get("/?u=%2Fa%3Fn%3DZo%25C3%25AB%2520O%2527Quimby"));
      for (Call call : calls) {
        assertEquals(200, call.to(app).status());
      }
    }
    String text = Files.readString(file);
    assertFalse(text.contains("Quimby"), text);
    Map<?, ?> coded = (Map<?, ?>) request(2).get("body");
    byte[] body = Base64.getDecoder().decode("" + coded.get("base64"));
    assertFalse(new String(body, StandardCharsets.UTF_8).contains("Quimby"));
  }

  @Test
  void namedSecretsAreMaskedWithinOtherSyntaxes() throws Exception {
    try (Recorder recorder = Recorder.to(file)) {
      App app = new App();
      app.use(recorder);
      app.use(
          (req, res, next) -> {
            read(req);
            res.set("Link", "</login?next=%2Freset%3Ftoken%3DQuimby01>; rel=x");
            res.type("html")
                .send(
                    "<div data-page=\"{&quot;csrfToken&quot;:&quot;Quimby02&quot;}\">"
                        + "<a href='/l?a=%2Fb%3Fc%3D%252Fd%253Ftoken%253DQuimby03'>"
                        + "<a href='/l?next=/b%3Ftoken%3DQuimby11'>");
          });
      Call xml = Call.post("/").header("Content-Type", "text/xml");
      List<Call> calls =
          List.of(
              xml.body("<a><password><![CDATA[Quimby04]]></password><b>kept</b></a>"),
              xml.body("<a><password><v x='1'>Quimby05</v></password></a>"),
              xml.body("<a><address>Quimby06</address><u password = \"Quimby07\"/></a>"),
              Call.post("/")
                  .header("Content-Type", FORM)
                  .body("otp[0]=Quimby08&address2=Quimby09&statusCode2=seen"));
      for (Call call : calls) {
        assertEquals(200, call.to(app).status());
      }
      byte[] packed = "..password.Quimby10".getBytes(StandardCharsets.ISO_8859_1);
      packed[0] = (byte) 0x81;
      packed[1] = (byte) 0xa8;
      Call call = Call.post("/").header("Content-Type", "application/msgpack").body(packed);
      assertEquals(200, call.to(app).status());
    }
    String text = Files.readString(file);
    assertFalse(text.contains("Quimby"), text);
    assertTrue(text.contains("kept") && text.contains("statusCode2=seen"), text);
    assertEquals("its secrets cannot be found", request(4).get("bodyOmitted"));
  }

  private static void read(Request req) throws IOException {
    if (req.hasBody()) {
      byte[] unused = req.inputStream(1 << 20).readAllBytes();
    }
  }

  /** Returns a recorded request. */
  private Map<?, ?> request(int index) throws IOException {
    List<?> all = (List<?>) JsonCodec.find().read(Files.readString(file));
    return (Map<?, ?>) ((List<?>) ((Map<?, ?>) all.get(index)).get("requests")).get(0);
  }
}
