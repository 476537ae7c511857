package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AppContextTest {

  private final Request request = new FakeExchange().request();
  private final List<String> asked = new ArrayList<>();

  @Test
  void aResponseRendersWithTheContextOfItsRequest() {
    RequestControl.context(request, new Recording());
    request.response().render("a");
    request.response().render("b", Map.of("x", 1));
    request.response().render("c", Map.of(), (error, text) -> {});
    assertEquals(List.of("a {} to send", "b {x=1} to send", "c {} to call back"), asked);
  }

  @Test
  void renderingWithoutAnApplicationFails() {
    assertEquals(
        "render(\"a\") needs an application with views, but none handles this request",
        assertThrows(IllegalStateException.class, () -> request.response().render("a"))
            .getMessage());
  }

  private final class Recording implements AppContext {

    @Override
    public Settings settings() {
      return new Settings();
    }

    @Override
    public void render(
        String view,
        Map<String, ?> locals,
        @Nullable BiConsumer<@Nullable Throwable, @Nullable String> callback) {
      asked.add(view + " " + locals + (callback == null ? " to send" : " to call back"));
    }
  }
}
