package dev.percolate.examples.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OrdersTest {

  private final App app = OrdersKt.orders().set("json spaces", 0);

  @BeforeAll
  static void reflectionOfKotlinIsLoaded() { // takes seconds on a busy machine
    String order = "{\"customer\":\"Ann\",\"lines\":[{\"unit_price\":1}]}";
    assertNotNull(OrdersKt.orders().settings().jsonCodec().read(order, Order.class));
  }

  @Test
  void missingValuesHaveDefaults() {
    Reply reply = post("{'customer':'Ann','lines':[{'unit_price':2.5}]}");
    assertEquals(201, reply.status());
    assertEquals(
        "{\"customer\":\"Ann\",\"lines\":[{\"unit_price\":2.5,\"count\":1}],\"note\":null}",
        reply.text());
    assertEquals(
        "{\"customer\":\"Ann\",\"lines\":[],\"note\":\"x\"}",
        post("{'customer':'Ann','note':'x'}").text());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "/customer              | {}",
        "/customer              | {'customer':null}",
        "/lines/1/unit_price    | {'customer':'Ann','lines':[{'unit_price':1},{'count':2}]}",
        "/lines/0/unit_price    | {'customer':'Ann','lines':[{'unit_price':'much'}]}",
        "/lines/0/count         | {'customer':'Ann','lines':[{'unit_price':1,'count':1.5}]}",
        "/lines/0/unitPrice     | {'customer':'Ann','lines':[{'unit_price':1,'unitPrice':1}]}",
        "/lines                 | {'customer':'Ann','lines':null}",
      })
  void invalidValuesAreRejectedWithTheirPath(String pointer, String body) {
    Reply reply = post(body);
    assertEquals(400, reply.status(), reply.text());
    assertTrue(reply.text().contains("\"pointer\":\"" + pointer + "\""), reply.text());
  }

  @Test
  void withoutTheModuleTheMessageNamesIt() {
    String message =
        assertThrows(
                IllegalStateException.class,
                () -> new JacksonCodec().read("{\"unit_price\":1}", Line.class))
            .getMessage();
    assertTrue(message.contains("tools.jackson.module:jackson-module-kotlin"), message);
  }

  private Reply post(String body) {
    return Call.post("/orders")
        .header("Content-Type", "application/json")
        .body(body.replace('\'', '"'))
        .to(app);
  }
}
