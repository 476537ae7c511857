package dev.percolate.examples.conduit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.examples.conduit.Users.Profile;
import dev.percolate.examples.database.Transaction;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Articles with their tags, favorites and comments. */
final class Articles {

  /** The articles that match all parameters that are not null. */
  private static final String MATCHES =
      """
      from (select cast(? as bigint) as me, cast(? as boolean) as feed, cast(? as varchar) as slug,
        cast(? as varchar) as tag, cast(? as varchar) as author, cast(? as varchar) as fan) q
      cross join article a join member m on m.id = a.author
      where (q.slug is null or a.slug = q.slug) and (q.author is null or m.username = q.author)
      and (not q.feed or exists (select 1 from follow where followed = m.id and follower = q.me))
      and (q.tag is null or exists (select 1 from tag where article = a.id and name = q.tag))
      and (q.fan is null or exists (select 1 from favorite f join member l on l.id = f.member
        where f.article = a.id and l.username = q.fan))
      """;

  private static final String ONE =
      """
      select a.slug, a.title, a.description, a.body, a.created_at, a.updated_at,
        (select array_agg(name order by name) from tag where article = a.id),
        exists (select 1 from favorite where article = a.id and member = q.me),
        (select count(*) from favorite where article = a.id),
      """
          + Users.PROFILE.replace("?", "q.me")
          + MATCHES;

  private static final String PAGE =
      ONE.replace("a.body", "null") + " order by a.id desc limit ? offset ?";

  /** Comments do not change, so both times are the same. */
  private static final String COMMENT =
      "select c.id, c.created_at, c.created_at, c.body, "
          + Users.PROFILE
          + " from comment c join member m on m.id = c.author ";

  private static final SecureRandom RANDOM = new SecureRandom();

  record Creation(NewArticle article) {}

  record NewArticle(
      @NotBlank(message = Conduit.EMPTY) @Size(max = 200) String title,
      @NotBlank(message = Conduit.EMPTY) String description,
      @NotBlank(message = Conduit.EMPTY) String body,
      Set<@NotBlank(message = Conduit.EMPTY) @Size(max = 100) String> tagList) {}

  record Update(Change article) {}

  record Change(
      Optional<@NotBlank(message = Conduit.EMPTY) @Size(max = 200) String> title,
      Optional<@NotBlank(message = Conduit.EMPTY) String> description,
      Optional<@NotBlank(message = Conduit.EMPTY) String> body) {}

  record Search(
      Optional<String> tag,
      Optional<String> author,
      Optional<String> favorited,
      Optional<@Min(1) @Max(100) Integer> limit,
      Optional<@Min(0) Integer> offset) {}

  record Article(
      String slug,
      String title,
      String description,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String body,
      Instant createdAt,
      Instant updatedAt,
      List<String> tagList,
      boolean favorited,
      long favoritesCount,
      Profile author) {}

  record CommentCreation(NewComment comment) {}

  record NewComment(@NotBlank(message = Conduit.EMPTY) String body) {}

  record Comment(long id, Instant createdAt, Instant updatedAt, String body, Profile author) {}

  /** An article or a comment, and its author. */
  record Owned(long id, long author) {

    /** Returns the id, which only the author may change. */
    long ownedBy(Request req, String kind) {
      if (author != Conduit.user(req)) {
        throw Conduit.error(403, kind, "forbidden");
      }
      return id;
    }
  }

  private Articles() {}

  /** Lists the articles that match the query; of a feed, only those of followed users. */
  static void list(Request req, Response res, boolean feed) throws SQLException {
    Search search = req.query(Search.class);
    long me = Conduit.user(req);
    String tag = search.tag().orElse(null);
    String author = search.author().orElse(null);
    String fan = search.favorited().orElse(null);
    int offset = search.offset().orElse(0);
    Transaction db = Transaction.of(req);
    List<Article> page =
        db.list(
            Article.class,
            PAGE,
            me,
            feed,
            null,
            tag,
            author,
            fan,
            search.limit().orElse(20),
            offset);
    String count = "select count(*) " + MATCHES;
    Long all = db.first(Long.class, count, me, feed, null, tag, author, fan).orElseThrow();
    res.json(Map.of("articles", page, "articlesCount", all));
  }

  static void show(Request req, Response res) throws SQLException {
    respond(req, res, 200, slug(req));
  }

  private static void respond(Request req, Response res, int status, String slug)
      throws SQLException {
    Article article =
        Transaction.of(req)
            .first(Article.class, ONE, Conduit.user(req), false, slug, null, null, null)
            .orElseThrow(() -> Conduit.error(404, "article", "not found"));
    res.json(status, Map.of("article", article));
  }

  static void add(Request req, Response res) throws SQLException {
    NewArticle sent = Conduit.body(req, Creation.class).article();
    Transaction db = Transaction.of(req);
    String slug = newSlug(db, sent.title());
    String sql =
        "insert into article (slug, title, description, body, author) values (?, ?, ?, ?, ?)";
    long me = Conduit.user(req);
    long id = db.insert(sql, slug, sent.title(), sent.description(), sent.body(), me);
    for (String tag : sent.tagList()) {
      db.update("insert into tag (article, name) values (?, ?)", id, tag);
    }
    respond(req, res, 201, slug);
  }

  static void update(Request req, Response res) throws SQLException {
    Change sent = Conduit.body(req, Update.class).article();
    Transaction db = Transaction.of(req);
    long id = find(req).ownedBy(req, "article");
    String title = sent.title().orElse(null);
    String slug = title == null ? slug(req) : newSlug(db, title);
    String description = sent.description().orElse(null);
    String sql =
        """
        update article set slug = ?, title = coalesce(?, title),
          description = coalesce(?, description), body = coalesce(?, body),
          updated_at = current_timestamp where id = ?
        """;
    db.update(sql, slug, title, description, sent.body().orElse(null), id);
    respond(req, res, 200, slug);
  }

  static void remove(Request req, Response res) throws SQLException {
    Transaction.of(req)
        .update("delete from article where id = ?", find(req).ownedBy(req, "article"));
    res.status(204).end();
  }

  /** Adds the article to the favorites with POST, and removes it with DELETE. */
  static void favorite(Request req, Response res) throws SQLException {
    String sql =
        req.method().equals("POST")
            ? "insert into favorite (article, member) values (?, ?) on conflict do nothing"
            : "delete from favorite where article = ? and member = ?";
    Transaction.of(req).update(sql, id(req), Conduit.user(req));
    show(req, res);
  }

  static void tags(Request req, Response res) throws SQLException {
    String sql = "select name from tag group by name order by count(*) desc, name";
    res.json(Map.of("tags", Transaction.of(req).list(String.class, sql)));
  }

  static void comments(Request req, Response res) throws SQLException {
    String sql = COMMENT + "where c.article = ? order by c.id";
    long article = id(req);
    long me = Conduit.user(req);
    res.json(Map.of("comments", Transaction.of(req).list(Comment.class, sql, me, article)));
  }

  static void addComment(Request req, Response res) throws SQLException {
    String body = Conduit.body(req, CommentCreation.class).comment().body();
    Transaction db = Transaction.of(req);
    long me = Conduit.user(req);
    String sql = "insert into comment (article, author, body) values (?, ?, ?)";
    long id = db.insert(sql, id(req), me, body);
    Comment added = db.first(Comment.class, COMMENT + "where c.id = ?", me, id).orElseThrow();
    res.json(Map.of("comment", added));
  }

  static void removeComment(Request req, Response res) throws SQLException {
    Transaction db = Transaction.of(req);
    long id = req.params().required("id", long.class);
    String sql = "select id, author from comment where id = ? and article = ?";
    Owned comment =
        db.first(Owned.class, sql, id, id(req))
            .orElseThrow(() -> Conduit.error(404, "comment", "not found"));
    db.update("delete from comment where id = ?", comment.ownedBy(req, "comment"));
    res.status(204).end();
  }

  private static String slug(Request req) {
    return req.params().required("slug", String.class);
  }

  /** Returns the id of the article in the path. */
  private static long id(Request req) throws SQLException {
    return find(req).id();
  }

  private static Owned find(Request req) throws SQLException {
    return Transaction.of(req)
        .first(Owned.class, "select id, author from article where slug = ?", slug(req))
        .orElseThrow(() -> Conduit.error(404, "article", "not found"));
  }

  /** Returns a free slug: the title in lower case, with random characters if that is taken. */
  private static String newSlug(Transaction db, String title) throws SQLException {
    String plain =
        title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]+", "-").replaceAll("^-|-$", "");
    String sql = "select 1 from article where slug = ?";
    boolean free = !plain.isEmpty() && !plain.equals("feed"); // which is a path of its own
    return free && db.first(Integer.class, sql, plain).isEmpty()
        ? plain
        : plain + "-" + Integer.toString(RANDOM.nextInt(1 << 30), 36);
  }
}
