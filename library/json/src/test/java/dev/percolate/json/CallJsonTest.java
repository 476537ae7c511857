package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.engine.Service;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CallJsonTest {

  /** The type that is sent and read. */
  record User(String name, int age) {}

  private static Service answering(String text) {
    return Chain.service(new Settings(), (Handler) (req, res) -> res.type("json").send(text));
  }

  @Test
  void aCallSendsAValueAsJson() {
    Service echo =
        Chain.service(
            new Settings(),
            (Handler)
                (req, res) -> res.send(req.get("Content-Type") + " " + req.get("Content-Length")));
    assertEquals("application/json 22", Call.post("/").json(new User("ann", 7)).to(echo).text());
    Call typed = Call.post("/").header("Content-Type", "application/merge-patch+json");
    assertEquals("application/merge-patch+json 4", typed.json(null).to(echo).text());
  }

  @Test
  void aReplyIsReadAsATypeOrAListOfIt() {
    Service one = answering("{\"name\":\"ann\",\"age\":7}");
    assertEquals(new User("ann", 7), Call.get("/").to(one).json(User.class));
    assertEquals(Map.of("name", "ann", "age", 7), Call.get("/").to(one).json(Map.class));
    Service list = answering("[{\"name\":\"ann\",\"age\":7}]");
    assertEquals(
        List.of(new User("ann", 7)), Call.get("/").to(list).json(new TypeRef<List<User>>() {}));
  }

  @Test
  void invalidJsonFailsWithTheWholeResponse() {
    for (String text : List.of("<p>oops</p>", "[1]", "null")) {
      Reply reply = Call.get("/").to(answering(text));
      AssertionError error = assertThrows(AssertionError.class, () -> reply.json(User.class));
      assertTrue(
          error.getMessage().contains("not JSON of " + User.class.getName()), error::getMessage);
      assertTrue(error.getMessage().endsWith("\n" + text), error::getMessage);
    }
  }
}
