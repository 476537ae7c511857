package dev.percolate.examples.conduit;

import dev.percolate.auth.Passwords;
import dev.percolate.auth.TokenIssuer;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.examples.database.Transaction;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Registration, login, the current user, and the profiles of all users. */
final class Users {

  /** The columns of the profile of m. */
  static final String PROFILE =
      " m.username, m.bio, m.image,"
          + " exists (select 1 from follow where followed = m.id and follower = ?) ";

  private static final Passwords PASSWORDS = Passwords.argon2id();

  private final TokenIssuer tokens;

  record Login(Credentials user) {}

  record Credentials(
      @NotBlank(message = Conduit.EMPTY) String email,
      @NotBlank(message = Conduit.EMPTY) String password) {}

  record Registration(NewUser user) {}

  record NewUser(
      @NotBlank(message = Conduit.EMPTY) @Size(max = 100) String username,
      @NotBlank(message = Conduit.EMPTY) @Email @Size(max = 200) String email,
      @NotBlank(message = Conduit.EMPTY) @Size(max = 200) String password) {}

  record Update(Change user) {}

  @SuppressWarnings("NullableOptional") // null is an absent property
  record Change(
      Optional<@NotBlank(message = Conduit.EMPTY) @Size(max = 100) String> username,
      Optional<@NotBlank(message = Conduit.EMPTY) @Email @Size(max = 200) String> email,
      Optional<@NotBlank(message = Conduit.EMPTY) @Size(max = 200) String> password,
      @Nullable Optional<String> bio,
      @Nullable Optional<String> image) {}

  record User(
      String email, String token, String username, @Nullable String bio, @Nullable String image) {}

  record Profile(
      String username, @Nullable String bio, @Nullable String image, boolean following) {}

  private record Account(long id, String password) {}

  Users(TokenIssuer tokens) {
    this.tokens = tokens;
  }

  void register(Request req, Response res) throws SQLException {
    NewUser sent = Conduit.body(req, Registration.class).user();
    String hash = PASSWORDS.hash(sent.password()); // before a connection is needed
    Transaction db = Transaction.of(req);
    rejectTaken(db, 0, sent.username(), sent.email());
    String sql = "insert into member (username, email, password) values (?, ?, ?)";
    long id = db.insert(sql, sent.username(), sent.email(), hash);
    res.json(201, Map.of("user", find(db, id)));
  }

  void login(Request req, Response res) throws SQLException {
    Credentials sent = Conduit.body(req, Login.class).user();
    Transaction db = Transaction.of(req);
    String sql = "select id, password from member where email = ?";
    Optional<Account> account = db.first(Account.class, sql, sent.email());
    db.commit(); // no connection is needed while the password is hashed
    String hash = account.map(Account::password).orElse(null);
    if (!PASSWORDS.verify(sent.password(), hash)) {
      res.set("WWW-Authenticate", "Token");
      throw Conduit.error(401, "credentials", "invalid");
    }
    res.json(Map.of("user", find(db, account.orElseThrow().id())));
  }

  void current(Request req, Response res) throws SQLException {
    res.json(Map.of("user", find(Transaction.of(req), Conduit.user(req))));
  }

  void update(Request req, Response res) throws SQLException {
    Change sent = Conduit.body(req, Update.class).user();
    String hash = sent.password().map(PASSWORDS::hash).orElse(null);
    Transaction db = Transaction.of(req);
    long id = Conduit.user(req);
    User now = find(db, id);
    String username = sent.username().orElse(now.username());
    String email = sent.email().orElse(now.email());
    rejectTaken(db, id, username, email);
    String bio = sent.bio() == null ? now.bio() : sent.bio().orElse(null);
    String image = sent.image() == null ? now.image() : sent.image().orElse(null);
    String sql =
        "update member set username = ?, email = ?, password = coalesce(?, password), bio = ?,"
            + " image = ? where id = ?";
    db.update(sql, username, email, hash, bio, image, id);
    res.json(Map.of("user", find(db, id)));
  }

  /** Rejects a name or an address of another user. */
  private static void rejectTaken(Transaction db, long id, String username, String email)
      throws SQLException {
    String sql = "select 1 from member where id <> ? and ";
    if (db.first(Integer.class, sql + "username = ?", id, username).isPresent()) {
      throw Conduit.error(422, "username", "has already been taken");
    } else if (db.first(Integer.class, sql + "email = ?", id, email).isPresent()) {
      throw Conduit.error(422, "email", "has already been taken");
    }
  }

  private User find(Transaction db, long id) throws SQLException {
    String sql = "select email, cast(? as varchar), username, bio, image from member where id = ?";
    return db.first(User.class, sql, tokens.issue(Long.toString(id)), id)
        .orElseThrow(() -> Conduit.error(401, "token", "is unknown"));
  }

  static void profile(Request req, Response res) throws SQLException {
    String sql = "select " + PROFILE + " from member m where m.id = ?";
    long id = member(req);
    Optional<Profile> found = Transaction.of(req).first(Profile.class, sql, Conduit.user(req), id);
    res.json(Map.of("profile", found.orElseThrow()));
  }

  /** Follows a user with POST, and stops following with DELETE. */
  static void follow(Request req, Response res) throws SQLException {
    String sql =
        req.method().equals("POST")
            ? "insert into follow (follower, followed) values (?, ?) on conflict do nothing"
            : "delete from follow where follower = ? and followed = ?";
    Transaction.of(req).update(sql, Conduit.user(req), member(req));
    profile(req, res);
  }

  /** Returns the id of the user in the path. */
  private static long member(Request req) throws SQLException {
    String username = req.params().required("username", String.class);
    return Transaction.of(req)
        .first(Long.class, "select id from member where username = ?", username)
        .orElseThrow(() -> Conduit.error(404, "profile", "not found"));
  }
}
