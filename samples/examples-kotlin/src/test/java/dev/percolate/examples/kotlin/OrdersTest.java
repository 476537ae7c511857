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
import tools.jackson.databind.json.JsonMapper;

final class OrdersTest {

  private final App app = OrdersKt.orders().set("json spaces", 0);

  @BeforeAll
  static void reflectionOfKotlinIsLoaded() { // takes seconds on a busy machine
    String line = "{\"article\":\"tea\",\"price\":1}";
    assertNotNull(new JacksonCodec().read(line, Line.class));
  }

  @Test
  void missingValuesHaveDefaults() {
    Reply reply = post("{'customer':'Ann','lines':[{'article':'tea','price':2.50}]}");
    assertEquals(201, reply.status(), reply::text);
    assertEquals("/orders/1", reply.header("Location"));
    assertEquals(
        "{'id':1,'total':2.50,'order':{'customer':'Ann','lines':[{'article':'tea','price':2.50,"
            + "'count':1}],'note':null}}",
        reply.text().replace('"', '\''));
    assertEquals(reply.text(), Call.get("/orders/1").to(app).text());
    assertEquals("[]", Call.get("/orders?customer=Bob").to(app).text());
    assertEquals(404, Call.get("/orders/2").to(app).status());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "400 | /customer        | {'lines':[]}",
        "400 | /customer        | {'customer':null,'lines':[]}",
        "400 | /lines           | {'customer':'Ann'}",
        "400 | /lines           | {'customer':'Ann','lines':null}",
        "400 | /lines/1/price   |"
            + " {'customer':'Ann','lines':[{'article':'a','price':1},{'article':'b'}]}",
        "400 | /lines/0/price   | {'customer':'Ann','lines':[{'article':'a','price':'much'}]}",
        "400 | /lines/0/count   |"
            + " {'customer':'Ann','lines':[{'article':'a','price':1,'count':1.5}]}",
        "422 | /customer        | {'customer':' ','lines':[{'article':'a','price':1}]}",
        "422 | /lines           | {'customer':'Ann','lines':[]}",
        "422 | /lines/0/count   | {'customer':'Ann','lines':[{'article':'a','price':1,'count':0}]}",
      })
  void invalidValuesAreRejectedWithTheirPath(int status, String pointer, String body) {
    Reply reply = post(body);
    assertEquals(status, reply.status(), reply.text());
    assertTrue(reply.text().contains("\"pointer\":\"" + pointer + "\""), reply.text());
  }

  @Test
  void withoutTheModuleTheMessageNamesIt() {
    JacksonCodec codec = JacksonCodec.of(JsonMapper.builder().build());
    String message =
        assertThrows(
                IllegalStateException.class, () -> codec.read("{\"article\":\"tea\"}", Line.class))
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
