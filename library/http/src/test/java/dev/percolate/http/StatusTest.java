package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTest {

  @ParameterizedTest
  @CsvSource({
    "100,Continue",
    "103,Early Hints",
    "200,OK",
    "204,No Content",
    "208,Already Reported",
    "226,IM Used",
    "304,Not Modified",
    "308,Permanent Redirect",
    "404,Not Found",
    "407,Proxy Authentication Required",
    "412,Precondition Failed",
    "413,Payload Too Large",
    "414,URI Too Long",
    "416,Range Not Satisfiable",
    "418,I'm a Teapot",
    "422,Unprocessable Entity",
    "424,Failed Dependency",
    "425,Too Early",
    "426,Upgrade Required",
    "429,Too Many Requests",
    "431,Request Header Fields Too Large",
    "451,Unavailable For Legal Reasons",
    "503,Service Unavailable",
    "506,Variant Also Negotiates",
    "509,Bandwidth Limit Exceeded",
    "511,Network Authentication Required"
  })
  void knownCodesHaveAPhrase(int code, String phrase) {
    assertEquals(phrase.replace("''", "'"), Status.phrase(code));
    assertTrue(Status.isKnown(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 99, 104, 209, 306, 309, 419, 420, 427, 430, 432, 450, 512, 999})
  void otherCodesHaveNoPhrase(int code) {
    assertEquals("", Status.phrase(code));
    assertFalse(Status.isKnown(code));
  }

  @Test
  void informationalResponsesAnd204And205And304HaveNoBody() {
    assertFalse(Status.hasBody(100));
    assertFalse(Status.hasBody(199));
    assertFalse(Status.hasBody(204));
    assertFalse(Status.hasBody(304));
    assertTrue(Status.hasBody(200));
    assertFalse(Status.hasBody(205));
    assertTrue(Status.hasBody(206));
    assertTrue(Status.hasBody(404));
  }
}
