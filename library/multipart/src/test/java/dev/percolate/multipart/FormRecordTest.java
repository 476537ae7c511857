package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Public like its records, which another module creates. */
public final class FormRecordTest {

  /** Creates the test. */
  public FormRecordTest() {}

  /**
   * A record inside a record.
   *
   * @param count a number
   * @param photo a file
   */
  public record Line(int count, Upload photo) {}

  /**
   * The type that forms are read to.
   *
   * @param title a text
   * @param cover a file that may be absent
   * @param photos files of one name
   * @param lines records with a file each
   */
  public record Entry(
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
    Call call =
        Call.post("/")
            .form("title", "Pets")
            .file("photos", "a.txt", "text/plain", bytes("cat"))
            .file("photos", "b.txt", "text/plain", bytes("dog"))
            .form("lines[0][count]", "2")
            .file("lines[0][photo]", "c.txt", "text/plain", bytes("owl"));
    assertEquals("Pets cat dog 2c.txt true", call.to(app(extended)).text());
  }

  @Test
  void aFieldIsNotAFile() {
    Call call =
        Call.post("/")
            .form("title", "x")
            .form("cover[path]", "/etc/passwd")
            .form("cover[field]", "cover")
            .form("cover[name]", "x")
            .form("cover[size]", "1")
            .file("photos", "a.txt", "text/plain", bytes("cat"));
    assertEquals(400, call.to(app(false)).status());
    assertEquals(400, call.to(app(true)).status());
  }

  @Test
  void streamedFilesAreAbsent() {
    Service app =
        Chain.service(
            new Settings(),
            Multipart.stream((req, part) -> new Discarded()),
            (Handler)
                (req, res) -> res.send(req.form(Entry.class) + " " + req.attr(Request.FORM_FILES)));
    Call call = Call.post("/").form("title", "x").file("cover", "a", "text/plain", bytes("cat"));
    Reply reply = call.to(app);
    assertTrue(reply.text().contains("cover=null"), reply::toString);
  }

  /** Discards the bytes of a file. */
  private static final class Discarded implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {}
  }
}
