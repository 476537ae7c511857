package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.TestConnection;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A form becomes fields and files, or an error with a status code, however it is split. */
final class MultipartFuzzTest {

  private static final MemoryEngine ENGINE = new MemoryEngine(ThreadMode.EVENT_LOOP);
  private static final int LIMIT = 4_000;

  @FuzzTest
  void formsAreReadOrRefusedHoweverTheyAreCut(byte[] data) {
    String whole = play(data, Math.max(1, data.length));
    assertEquals(whole, play(data, 1 + data.length % 7));
  }

  private static Multipart forms(StringBuilder files) {
    return Multipart.stream((req, part) -> new Content(part, files))
        .limit("" + LIMIT)
        .maxFileSize("1000")
        .maxFieldsSize("1000")
        .maxParts(20)
        .maxHeaderBytes(300)
        .extended(true);
  }

  /** Records the name and the bytes of each complete file. */
  private record Content(FilePart part, StringBuilder files, ByteArrayOutputStream bytes)
      implements ChunkReader {

    Content(FilePart part, StringBuilder files) {
      this(part, files, new ByteArrayOutputStream());
    }

    @Override
    public boolean chunk(ByteBuffer piece) {
      while (piece.hasRemaining()) {
        bytes.write(piece.get());
      }
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      assertTrue(bytes.size() <= LIMIT);
      if (failure == null) {
        files.append(part).append('=').append(bytes.toString(StandardCharsets.ISO_8859_1));
      }
    }
  }

  private static String play(byte[] body, int size) {
    StringBuilder files = new StringBuilder();
    Middleware answering = (req, res, next) -> res.send("200 " + req.body() + files);
    ErrorHandler errors =
        (error, req, res, next) -> {
          boolean known = error instanceof HttpError;
          res.send(known ? "" + ((HttpError) error).type() : "unexpected: " + error);
        };
    Settings settings = new Settings().set("env", "test").set("etag", false);
    Lint lint = new Lint();
    Service service =
        lint.service(Chain.service(settings, lint.around(forms(files)), answering, errors));
    Call call = Call.post("/").header("Content-Type", "multipart/form-data; boundary=X").chunked();
    try (TestConnection connection = call.open(ENGINE.client(service))) {
      for (int at = 0; at < body.length; at += size) {
        connection.send(Arrays.copyOfRange(body, at, Math.min(body.length, at + size)));
      }
      String response = connection.finish().reply().text();
      lint.check();
      assertTrue(!response.startsWith("unexpected"), response);
      return response;
    }
  }
}
