package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets are masked at any depth and in every spelling of their names. */
final class SecretsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"token\":\"S3\"}",
        "{\"nested\":{\"token\":\"S3\"}}",
        "{\"a\":{\"b\":{ \"password\" : \"S3\", \"c\":1}}}",
        "[{\"token\":\"S3\"},{\"token\":\"S3\"}]",
        "{\"list\":[{\"token\":\"S3\"},[{\"secret\":\"S3\"}]]}",
        "{\"token\":{\"value\":\"S3\"}}",
        "{\"token\":[\"x\",\"S3\"]}",
        "{\"token\":[[\"x\"],\"S3\"],\"b\":1}",
        "{\"pass\\u0077ord\":\"S3\"}",
        "{\"pin\":53}{\"otp\": \"S3\"}",
        "{\"a\\\"b\":{\"api_key\":\"S3 \\\" S3\"}}",
        "{\"client_secret\":\"S3",
        "{\"session\":{\"x\":\"S3\""
      })
  @DisplayName("DEV-03: fields of JSON at any depth")
  void fieldsOfJson(String json) {
    assertFalse(Secrets.json(json).contains("S3"), Secrets.json(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"nested\":{\"name\":\"x\",\"n\":[1,2]},\"text\":\"token: x\"}",
        "{\"author\":\"x\",\"authority\":\"x\"}",
        "{\"country_code\":\"de\",\"keyboard\":\"x\",\"a\":\"password\"}",
        "not json \" at all"
      })
  void otherFieldsStay(String json) {
    assertEquals(json, Secrets.json(json));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password=S3",
        "pass%77ord=S3&a=1",
        "a=1&%70%61%73%73word=S3",
        "user%5Bpassword%5D=S3",
        "user[password]=S3",
        "user[code]=S3",
        "access_token=S3",
        "code=S3&state=x",
        "CODE=S3",
        "client_assertion=S3",
        "code_verifier=S3",
        "user=x&pass=S3",
        "sv=2024&sig=S3",
        "x+auth=S3"
      })
  @DisplayName("DEV-03: parameters of queries and forms, with encoded names")
  void parametersOfQueriesAndForms(String form) {
    assertFalse(Secrets.form(form).contains("S3"), Secrets.form(form));
    assertFalse(Secrets.target("/a?" + form).contains("S3"), Secrets.target("/a?" + form));
    String line = "::1 - - \"GET /a?" + form + " HTTP/1.1\" 200 5";
    assertFalse(Secrets.text(line).contains("S3"), Secrets.text(line));
    String referrer = "https://x.example/cb?" + form;
    assertFalse(Secrets.value("Referer", referrer).contains("S3"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /x?password=PPP&access_token=TTT 200|GET /x?password=masked&access_token=masked 200",
        "url=\"/x?token=TTT\" status=200|url=\"/x?token=masked\" status=200",
        "authorization=\"Basic T T\" a=1|authorization=masked a=1",
        "{\"url\":\"/x?token=TTT\",\"n\":1}|{\"url\":\"/x?token=masked\",\"n\":1}",
        "{\"authorization\":\"Basic TTT\",\"n\":1}|{\"authorization\":\"masked\",\"n\":1}",
        "redis://ann:PPP@h:6379/0?a=1|redis://ann:masked@h:6379/0?a=1",
        "no server at amqp://:P:P@h, b@c|no server at amqp://:masked@h, b@c",
        "http://h:80?a=b@c http://[::1]:80/@|http://h:80?a=b@c http://[::1]:80/@",
        "GET /x?zip=1 200 - 5 ms|GET /x?zip=1 200 - 5 ms"
      })
  @DisplayName("DEV-03: lines of logs")
  void linesOfLogs(String line, String shown) {
    assertEquals(shown, Secrets.text(line));
  }

  @Test
  void fieldsOfValues() {
    Object value =
        Map.of("a", List.of(Map.of("token", "S3"), "x"), "b", Map.of("secret", List.of("S3")));
    assertEquals(
        Map.of("a", List.of(Map.of("token", "masked"), "x"), "b", Map.of("secret", "masked")),
        Secrets.fields(value));
  }

  @Test
  void fieldsThatNestTooDeepAreLeftOut() {
    Object value = List.of();
    for (int i = 0; i < 50_000; i++) {
      value = List.of(value);
    }
    assertEquals("[".repeat(100) + "-" + "]".repeat(100), "" + Secrets.fields(value));
  }
}
