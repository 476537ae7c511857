package dev.percolate.demo;

import dev.percolate.core.HttpError;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The notices as JSON, errors too; an application to be mounted. */
final class NoticeApi {

  private final Notices notices;

  private NoticeApi(Notices notices) {
    this.notices = notices;
  }

  static App app(Notices notices) {
    NoticeApi api = new NoticeApi(notices);
    App app = new App();
    app.use(BodyParsers.json().limit("10kb"));
    app.get("/", (req, res) -> res.json(notices.all()));
    app.get("/:id(\\d{1,9})", api::show);
    app.post("/", api::add);
    app.use(
        (error, req, res, next) -> {
          if (error instanceof HttpError fault && fault.expose()) {
            res.status(fault.status()).json(Map.of("error", String.valueOf(fault.getMessage())));
          } else {
            next.fail(error);
          }
        });
    return app;
  }

  private void show(Request req, Response res) {
    Notice notice = notices.find(Integer.parseInt(String.valueOf(req.params().get("id"))));
    if (notice == null) {
      throw new HttpError(404, "no such notice");
    }
    res.json(notice);
  }

  private void add(Request req, Response res) {
    @Nullable Object name = null;
    @Nullable Object text = null;
    if (req.body() instanceof Map<?, ?> given) {
      name = given.get("name");
      text = given.get("text");
    }
    String author = Notices.checked(name, 40);
    String words = Notices.checked(text, 500);
    if (author == null || words == null) {
      throw new HttpError(422, "name (to 40 characters) and text (to 500) are needed");
    }
    Notice notice = notices.add(author, words);
    res.set("Location", "/api/notices/" + notice.id()).status(201).json(notice);
  }
}
