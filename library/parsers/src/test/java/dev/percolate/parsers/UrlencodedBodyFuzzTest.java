package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Map;

/** A form becomes a map, or an error with a status code, however it is split. */
final class UrlencodedBodyFuzzTest {

  private static final List<UrlencodedParser> PARSERS =
      List.of(
          BodyParsers.urlencoded().extended(false).limit(2_000),
          BodyParsers.urlencoded().extended(true).depth(4).parameterLimit(50),
          BodyParsers.urlencoded()
              .extended(true)
              .charsetSentinel(true)
              .interpretNumericEntities(true)
              .type("*/*"));

  @FuzzTest
  void formsAreReadOrRefused(byte[] data) {
    FuzzBody body = new FuzzBody(data, "application/x-www-form-urlencoded");
    for (UrlencodedParser parser : PARSERS) {
      Recorder seen = body.sendThrough(parser);
      if (seen.error == null && seen.body != null) {
        assertInstanceOf(Map.class, seen.body);
      }
    }
  }
}
