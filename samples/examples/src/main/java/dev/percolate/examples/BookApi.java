package dev.percolate.examples;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.parsers.BodyParsers;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A REST API with a database, validation, JWT authentication, and errors as problem+json.
 *
 * <pre>
 * token=$(curl -s localhost:3000/login -H 'Content-Type: application/json' -d '{"name": "ann", "password": "secret"}' | tr -d '"')
 * curl localhost:3000/books -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"title": "Emma", "year": 1815}'
 * curl localhost:3000/books?from=1800 -H "Authorization: Bearer $token"
 * </pre>
 */
final class BookApi {
  private record Login(String name, String password) {}

  private record Book(long id, String title, int year) {}

  record NewBook(String title, int year) {
    NewBook {
      if (title.isBlank() || title.length() > 100 || year < 1450) {
        throw new HttpError(422, "title must have 1 to 100 characters, year must be 1450 or later");
      }
    }
  }

  private record Search(Optional<Integer> from, Optional<String> title) {}

  private static final String TABLE =
      "create table if not exists book (id identity, title varchar(100), published int)";
  private static final byte[] KEY = SecureRandom.getSeed(32);
  private final DefaultJWTProcessor<SecurityContext> tokens = new DefaultJWTProcessor<>();
  private final DataSource db = JdbcConnectionPool.create("jdbc:h2:mem:books", "sa", "");

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() throws SQLException {
    BookApi api = new BookApi();
    api.query(TABLE);
    api.tokens.setJWSKeySelector(
        new JWSVerificationKeySelector<>(JWSAlgorithm.HS256, new ImmutableSecret<>(KEY)));
    App app = new App().use(BodyParsers.json()).post("/login", api::login);
    app.use("/books", api::authenticate);
    app.route("/books").get(api::list).post(api::add);
    app.route("/books/:id").get(api::show).delete(api::remove);
    return app.use(ProblemDetails.notFound()).use(ProblemDetails.json());
  }

  private void login(Request req, Response res) throws JOSEException {
    Login login = req.body(Login.class);
    if (!login.equals(new Login("ann", "secret"))) {
      res.set("WWW-Authenticate", "Bearer");
      throw new HttpError(401, "wrong name or password");
    }
    Date end = Date.from(Instant.now().plusSeconds(3600));
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder().subject(login.name()).expirationTime(end).build();
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims);
    token.sign(new MACSigner(KEY));
    res.json(token.serialize());
  }

  private void authenticate(Request req, Response res, Next next) throws JOSEException {
    String sent = Optional.ofNullable(req.get("Authorization")).orElse("");
    try {
      tokens.process(sent.replaceFirst("(?i)^Bearer ", ""), null);
    } catch (BadJOSEException | ParseException e) {
      res.set("WWW-Authenticate", "Bearer");
      throw new HttpError(401, "missing or invalid token");
    }
    next.run();
  }

  private void list(Request req, Response res) throws SQLException {
    Search search = req.query(Search.class);
    String like = "%" + search.title().orElse("") + "%";
    String sql = "select * from book where published >= ? and title like ? order by id";
    res.json(query(sql, search.from().orElse(0), like));
  }

  private void add(Request req, Response res) throws SQLException {
    NewBook book = req.body(NewBook.class);
    String sql = "select * from final table (insert into book (title, published) values (?, ?))";
    Book added = query(sql, book.title(), book.year()).get(0);
    res.status(201).location("/books/" + added.id()).json(added);
  }

  private void show(Request req, Response res) throws SQLException {
    long id = req.params().required("id", long.class);
    res.json(only(query("select * from book where id = ?", id)));
  }

  private void remove(Request req, Response res) throws SQLException {
    long id = req.params().required("id", long.class);
    res.json(only(query("select * from old table (delete from book where id = ?)", id)));
  }

  private static Book only(List<Book> found) {
    return found.stream().findFirst().orElseThrow(() -> new HttpError(404, "no such book"));
  }

  private List<Book> query(String sql, Object... values) throws SQLException {
    try (Connection connection = db.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      List<Book> books = new ArrayList<>();
      ResultSet rows = statement.execute() ? statement.getResultSet() : null;
      while (rows != null && rows.next()) {
        books.add(new Book(rows.getLong(1), rows.getString(2), rows.getInt(3)));
      }
      return books;
    }
  }
}
