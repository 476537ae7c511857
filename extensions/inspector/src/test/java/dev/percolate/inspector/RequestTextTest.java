package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTextTest {

  private static String curl(String method, String body) {
    return new RequestText(method, "http://localhost", "/x", List.of(), body).curl();
  }

  @Test
  void aBodyThatBeginsWithAnAtSignIsNotTheNameOfAFile() {
    String command = curl("POST", "@/etc/passwd");
    assertTrue(command.endsWith("--data-raw '@/etc/passwd'"), command);
  }

  @Test
  void aGetRequestWithABodyRemainsAGetRequest() {
    String command = curl("GET", "{}");
    assertTrue(command.startsWith("curl -i -X GET "), command);
  }

  @Test
  void aDecodedBodyHasNoContentEncoding() {
    List<String> headers = List.of("Content-Type: text/plain", "Content-Encoding: gzip");
    String command = new RequestText("POST", "http://localhost", "/x", headers, "text").curl();
    assertTrue(command.endsWith("-H 'Content-Type: text/plain' \\\n  --data-raw text"), command);
  }

  @Test
  void aHeadRequestWaitsForNoBody() {
    String command = curl("HEAD", "");
    assertTrue(command.startsWith("curl --head --path-as-is "), command);
  }
}
