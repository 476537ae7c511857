package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The error handlers of this module remove the headers of the failed response: RFC 9110 section 8,
 * RFC 9111 section 3.
 */
final class ErrorHeadersTest {

  private static final List<String> GONE =
      List.of(
          "Cache-Control",
          "Expires",
          "ETag",
          "Last-Modified",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Language");

  private static final Handler FAILING =
      (req, res) -> {
        res.set("Cache-Control", "max-age=60").set("Expires", "Fri, 31 Dec 9999 23:59:59 GMT");
        res.set("ETag", "\"a\"").set("Last-Modified", "Thu, 02 Jan 2020 03:04:05 GMT");
        res.set("Content-Encoding", "gzip").set("Content-Language", "de");
        res.set("X-Kept", "1").attachment("report.csv");
        throw new HttpError(409);
      };

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "application/json", "text/plain"})
  void errorPagesHaveNoHeadersOfTheFailedResponse(String accept) {
    assertAlone(accept, ErrorPages.of().log(false));
  }

  @Test
  void problemsHaveNoHeadersOfTheFailedResponse() {
    assertAlone("application/json", ProblemDetails.json());
  }

  private static void assertAlone(String accept, ErrorHandler handler) {
    Middleware failing = FAILING;
    Reply reply = Played.reply(Call.get("/").header("Accept", accept), failing, handler);
    assertEquals("409 1", reply.status() + " " + reply.header("X-Kept"));
    GONE.forEach(name -> assertNull(reply.header(name), name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=99-", "bytes=5-2"})
  void anUnsatisfiableRangeIsAProblemWithoutCacheHeaders(String range, @TempDir Path folder)
      throws Exception {
    Files.writeString(folder.resolve("a.txt"), "123456789");
    Middleware files = StaticFiles.of(folder).maxAge("1 year").immutable(true);
    Call call = Call.get("/a.txt").header("Range", range);
    Reply reply = Played.reply(call, files, ProblemDetails.json());
    assertEquals("416 bytes */9", reply.status() + " " + reply.header("Content-Range"));
    assertEquals("application/problem+json", reply.header("Content-Type"));
    GONE.forEach(name -> assertNull(reply.header(name), name));
  }
}
