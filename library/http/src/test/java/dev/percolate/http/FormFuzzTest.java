package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** With any options, a form is parsed or rejected with a FormException. */
final class FormFuzzTest {

  @FuzzTest
  void formsAreReadOrRefused(byte[] data) {
    String text = FuzzLines.text(data);
    Form odd = Form.extended().charsetSentinel(true).interpretNumericEntities(true);
    for (Form form : List.of(Form.simple(), Form.extended(), odd, Form.extended().depth(2))) {
      for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
        try {
          Map<String, Object> first = form.parse(text, charset);
          assertEquals(first, form.parse(text, charset));
        } catch (FormException e) {
          assertNotNull(e.reason());
        }
      }
    }
  }
}
