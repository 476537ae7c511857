package com.example.books;

import dev.percolate.auth.Passwords;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.RateLimit;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Registration, and logins that get a token. */
final class Readers {

  private final Passwords passwords = Passwords.argon2id();
  private final Database database;
  private final TokenIssuer tokens;

  record NewReader(
      @NotBlank @Size(max = 100) String name, @Size(min = 8, max = 200) String password) {}

  record Login(String name, String password) {}

  private record Reader(long id, String password) {}

  Readers(Database database, TokenIssuer tokens) {
    this.database = database;
    this.tokens = tokens;
  }

  void define(App app) {
    RateLimit limit = RateLimit.of(20, Duration.ofMinutes(1));
    app.post("/readers", limit, this::register);
    app.post("/login", limit, this::login);
  }

  private void register(Request req, Response res) throws SQLException {
    NewReader sent = req.body(NewReader.class);
    String hash = passwords.hash(sent.password()); // slow, so before the transaction
    String sql = "insert into reader (name, password) values (?, ?)";
    try {
      database.transaction(tx -> tx.insert(sql, sent.name(), hash));
    } catch (SQLException e) {
      if ("23505".equals(e.getSQLState())) { // unique violation
        throw new HttpError(409, "This name has already been taken");
      }
      throw e;
    }
    res.status(204).end();
  }

  private void login(Request req, Response res) throws SQLException {
    Login sent = req.body(Login.class);
    String sql = "select id, password from reader where name = ?";
    List<Reader> found =
        database.transaction(
            tx -> tx.list(row -> new Reader(row.getLong(1), row.getString(2)), sql, sent.name()));
    String hash = found.isEmpty() ? null : found.get(0).password();
    if (!passwords.verify(sent.password(), hash)) { // takes as long for null
      res.set("WWW-Authenticate", "Bearer");
      throw new HttpError(401, "Wrong name or password");
    }
    res.json(Map.of("token", tokens.issue(String.valueOf(found.get(0).id()))));
  }
}
