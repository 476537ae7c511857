package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsers without a framework, on the engine in memory. */
class StandaloneTest {

  private static final Middleware SHOW =
      (req, res, next) -> res.send(req.body() instanceof byte[] ? "bytes" : "" + req.body());

  private static final ErrorHandler ERRORS =
      ErrorHandler.of(
          HttpError.class,
          (error, req, res, next) -> res.status(error.status()).send(error.type()));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json|{\"a\":[1]}|200 {a=[1]}",
        "application/x-www-form-urlencoded|a[b]=1|200 {a={b=1}}",
        "text/plain|x|200 x",
        "application/octet-stream|x|200 bytes",
        "image/png|x|200 null",
        "application/json|{|400 entity.parse.failed",
        "text/plain; charset=nosuch|x|415 charset.unsupported"
      })
  void parsersWorkInAChain(String type, String body, String response) {
    Service service =
        Chain.service(
            new Settings(),
            BodyParsers.json(),
            BodyParsers.urlencoded().extended(true),
            BodyParsers.text(),
            BodyParsers.raw(),
            SHOW,
            ERRORS);
    Reply reply = Call.post("/").header("Content-Type", type).body(body).to(service);
    assertEquals(response, reply.status() + " " + reply.text().strip());
  }
}
