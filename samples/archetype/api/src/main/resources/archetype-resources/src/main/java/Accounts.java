package ${package};

import dev.percolate.auth.Passwords;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.RateLimit;
import dev.percolate.openapi.Api;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Registration, and logins that get a token. */
final class Accounts {

  /** The SQLSTATE of a unique key that exists already. */
  private static final String UNIQUE_VIOLATION = "23505";

  private final Passwords passwords = Passwords.argon2id();
  private final Database database;
  private final TokenIssuer tokens;

  record NewAccount(
      @NotBlank @Size(max = 100) String name, @Size(min = 8, max = 200) String password) {}

  record Login(String name, String password) {}

  record Token(String token) {}

  private record Account(long id, String password) {}

  Accounts(Database database, TokenIssuer tokens) {
    this.database = database;
    this.tokens = tokens;
  }

  void define(App app) {
    app.post(
        "/accounts",
        RateLimit.of(20, Duration.ofMinutes(1)),
        Api.of("Adds an account").body(NewAccount.class).response(204).response(409),
        this::add);
    app.post(
        "/login",
        RateLimit.of(20, Duration.ofMinutes(1)),
        Api.of("Returns a token").body(Login.class).response(200, Token.class).response(401),
        this::login);
  }

  private void add(Request req, Response res) throws SQLException {
    NewAccount sent = req.body(NewAccount.class);
    String hash = passwords.hash(sent.password());
    try {
      database.insert("insert into account (name, password) values (?, ?)", sent.name(), hash);
    } catch (SQLException e) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        throw new HttpError(409, "This name has already been taken");
      }
      throw e;
    }
    res.status(204).end();
  }

  private void login(Request req, Response res) throws SQLException {
    Login sent = req.body(Login.class);
    Optional<Account> account = find(sent.name());
    String hash = account.map(Account::password).orElse(null); // verify takes as long for null
    if (!passwords.verify(sent.password(), hash)) {
      res.set("WWW-Authenticate", "Bearer");
      throw new HttpError(401, "Wrong name or password");
    }
    res.json(new Token(tokens.issue(String.valueOf(account.get().id()))));
  }

  private Optional<Account> find(String name) throws SQLException {
    return database.first(
        row -> new Account(row.getLong(1), row.getString(2)),
        "select id, password from account where name = ?",
        name);
  }
}
