package dev.percolate.logger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {

  @Test
  void absentValuesAreNullNotAHyphen() {
    assertEquals(
        "null null null 200",
        Lines.of(
            (tokens, req, res) ->
                tokens.get("referrer")
                    + " "
                    + tokens.get("req", "nope")
                    + " "
                    + tokens.get("remote-user")
                    + " "
                    + tokens.get("status")));
  }

  @Test
  void argumentsReachTheToken() {
    RequestLogger.token("t-join", (req, res, args) -> "" + args[0] + args[1] + args.length);
    assertEquals(
        "xy3 2000-10-10T13:55:36.789Z 0.0",
        Lines.of(
            (tokens, req, res) ->
                tokens.get("t-join", "x", "y", 5)
                    + " "
                    + tokens.get("date", "iso")
                    + " "
                    + tokens.get("response-time", 1)));
  }

  @Test
  void valuesAreEscapedAndConvertedToText() {
    RequestLogger.token("t-quote", (req, res) -> "a\"\n");
    RequestLogger.token("t-zero", (req, res) -> 0.0);
    assertEquals(
        "a\\\"\\n 0 [a\\\"b]",
        Lines.of(
            (tokens, req, res) -> {
              RequestLogger.token("t-list", (one, two) -> List.of("a\"b"));
              return tokens.get("t-quote")
                  + " "
                  + tokens.get("t-zero")
                  + " "
                  + tokens.get("t-list");
            }));
  }

  @Test
  void anUnknownTokenLosesTheLine() {
    Lines lines = new Lines();
    RequestLogger logger = lines.logger((tokens, req, res) -> tokens.get("t-unknown"));
    new Visit("/").through(logger, Lines.OK);
    assertEquals(List.of(), lines.all);
    assertEquals(1, logger.failedLines());
  }
}
