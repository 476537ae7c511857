package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.BodyMemory;
import dev.percolate.testkit.TestExchange;
import org.junit.jupiter.api.Test;

/** Tests forms for which there is not enough memory. */
final class FormMemoryTest {

  @Test
  void nestedMapsThatWouldExceedTheHeapAre413BeforeParsing() {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < 900; i++) {
      form.append("--X\nContent-Disposition: form-data; name=\"f").append(i);
      form.append("[a]".repeat(30)).append("\"\n\n1\n");
    }
    byte[] body = Forms.bytes(form.append("--X--\n").toString());
    assertEquals("413 entity.too.large", read(Multipart.files().extended(true), body));
    assertTrue(read(Multipart.files(), body).startsWith("{"));
  }

  private static String read(Multipart options, byte[] body) {
    TestExchange exchange =
        TestExchange.of("POST", "/")
            .header("Content-Type", "multipart/form-data; boundary=X")
            .length(body.length)
            .chunk(body)
            .memory(BodyMemory.of("4mb"));
    return Forms.show(exchange.serve(Forms.service(options)).reply());
  }
}
