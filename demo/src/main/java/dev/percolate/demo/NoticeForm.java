package dev.percolate.demo;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.Map;

/** Takes the form of the page. */
final class NoticeForm implements Handler {

  private final Notices notices;

  NoticeForm(Notices notices) {
    this.notices = notices;
  }

  @Override
  public void handle(Request req, Response res) {
    Map<?, ?> form = req.body() instanceof Map<?, ?> fields ? fields : Map.of();
    String name = Notices.checked(form.get("name"), 40);
    String text = Notices.checked(form.get("text"), 500);
    if (name == null || text == null) {
      res.send(422, Page.message("Please give a name (to 40 characters) and a text (to 500)."));
    } else {
      notices.add(name, text);
      res.set("Location", "/").sendStatus(303);
    }
  }
}
