package ${package};

import dev.percolate.auth.Auth;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.openapi.Api;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.sql.SQLException;
import java.util.List;

/** The notes of an account. */
final class Notes {

  private static final TypeRef<List<Note>> LIST = new TypeRef<>() {};

  private final Database database;

  record NewNote(@NotBlank @Size(max = 1000) String text) {}

  record Note(long id, String text) {}

  Notes(Database database) {
    this.database = database;
  }

  void define(App app) {
    app.get(
        "/notes",
        Auth.required(),
        Api.of("Lists notes, newest first")
            .query("before", long.class, "Only notes before this id")
            .response(200, LIST),
        this::list);
    app.post(
        "/notes",
        Auth.required(),
        Api.of("Adds a note").body(NewNote.class).response(201, Note.class),
        this::add);
    app.delete(
        "/notes/:id",
        Auth.required(),
        Api.of("Removes a note").path("id", long.class).response(204).response(404),
        this::remove);
  }

  private void list(Request req, Response res) throws SQLException {
    res.json(
        database.list(
            row -> new Note(row.getLong(1), row.getString(2)),
            "select id, text from note where account = ? and id < ?"
                + " order by id desc fetch first 20 rows only",
            account(req),
            req.query("before", long.class, Long.MAX_VALUE)));
  }

  private void add(Request req, Response res) throws SQLException {
    String text = req.body(NewNote.class).text();
    long id =
        database.insert("insert into note (account, text) values (?, ?)", account(req), text);
    res.location("/notes/" + id).json(201, new Note(id, text));
  }

  private void remove(Request req, Response res) throws SQLException {
    long id = req.params().required("id", long.class);
    String sql = "delete from note where account = ? and id = ?";
    if (database.update(sql, account(req), id) == 0) {
      throw new HttpError(404, "There is no such note");
    }
    res.status(204).end();
  }

  private static long account(Request req) {
    return Long.parseLong(req.attr(Auth.USER).name());
  }
}
