package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Map;

/** A JSON body becomes a value, or an error with a status code, however it is split. */
final class JsonBodyFuzzTest {

  private static final JsonParser STRICT = BodyParsers.json().limit(2_000);
  private static final JsonParser LOOSE = BodyParsers.json().strict(false).type("*/*").limit(2_000);
  private static final JsonParser EXACT = STRICT.exactNumbers(true);

  @FuzzTest
  void jsonIsReadOrRefused(byte[] data) {
    FuzzBody body = new FuzzBody(data, "application/json");
    Recorder strict = body.sendThrough(STRICT);
    boolean container = strict.body instanceof List || strict.body instanceof Map;
    assertEquals(strict.error == null && strict.body != null, container);
    body.sendThrough(EXACT);
    Recorder loose = body.sendThrough(LOOSE);
    if (container) {
      loose.body(); // the other parser accepts everything that the strict one accepts
    }
  }
}
