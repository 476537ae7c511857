package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.FormBody;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FormRecordTest {

  private record Line(int count, Upload photo) {}

  private record Entry(
      String title, @Nullable Upload cover, List<Upload> photos, List<Line> lines) {}

  private static Service app(boolean extended) {
    return Chain.service(
        new Settings(),
        Multipart.files().extended(extended),
        (Handler)
            (req, res) -> {
              Entry entry = req.body(Entry.class);
              assertEquals(entry, req.form(Entry.class));
              StringBuilder text = new StringBuilder(entry.title());
              for (Upload photo : entry.photos()) {
                text.append(' ').append(Files.readString(photo.path()));
              }
              for (Line line : entry.lines()) {
                text.append(' ').append(line.count()).append(line.photo().name());
              }
              res.send(text.append(' ').append(entry.cover() == null).toString());
            });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesAreComponentsOfRecords(boolean extended) {
    FormBody form =
        FormBody.of()
            .field("title", "Pets")
            .file("photos", "a.txt", "text/plain", bytes("cat"))
            .file("photos", "b.txt", "text/plain", bytes("dog"))
            .field("lines[0][count]", "2")
            .file("lines[0][photo]", "c.txt", "text/plain", bytes("owl"));
    assertEquals("Pets cat dog 2c.txt true", Call.post("/").form(form).to(app(extended)).text());
  }

  @Test
  void aFieldIsNoFile() {
    FormBody form =
        FormBody.of()
            .field("title", "x")
            .field("cover[path]", "/etc/passwd")
            .field("cover[field]", "cover")
            .field("cover[name]", "x")
            .field("cover[size]", "1")
            .file("photos", "a.txt", "text/plain", bytes("cat"));
    Reply reply = Call.post("/").form(form).to(app(false));
    assertEquals(400, reply.status());
  }

  @Test
  void filesHandedOnAreAbsent() {
    Service app =
        Chain.service(
            new Settings(),
            Multipart.stream((req, part) -> chunk -> true),
            (Handler)
                (req, res) -> res.send(req.form(Entry.class) + " " + req.attr(Request.FORM_FILES)));
    FormBody form =
        FormBody.of().field("title", "x").file("cover", "a", "text/plain", bytes("cat"));
    Reply reply = Call.post("/").form(form).to(app);
    assertTrue(reply.text().contains("cover=null"), reply::toString);
  }
}
