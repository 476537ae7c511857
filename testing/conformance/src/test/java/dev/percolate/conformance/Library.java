package dev.percolate.conformance;

import dev.percolate.core.ETagFunction;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.HttpError;
import dev.percolate.nio.NioEngine;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A port of {@code record/library.cjs} with the same order of routes. */
final class Library {

  private record Book(int id, String title, String by) {}

  private static final Key<Book> BOOK = Key.of("book", Book.class);
  private static final Key<String> USER = Key.of("user", String.class);
  private static final Pattern BEARER = Pattern.compile("^Bearer (\\w+):(\\w+)$");
  private static final Pattern VISITOR = Pattern.compile("visitor=(\\w+)");

  private final Map<Integer, Book> books = new TreeMap<>();
  private final Map<Integer, String> loans = new LinkedHashMap<>();
  private final Map<String, Integer> seen = new LinkedHashMap<>();
  private int last = 2;

  /** Serves on the given port until the process ends. */
  public static void main(String[] args) throws Exception {
    System.out.println("listening at " + serve(app(), Integer.parseInt(args[0])).port());
  }

  /** Starts the application on the nio engine. */
  static Server serve(App app, int port) throws IOException {
    return new NioEngine().listen(app, ListenOptions.ofPort(port).host("127.0.0.1"));
  }

  static App app() {
    return new Library().build();
  }

  // #region port
  private App build() {
    books.put(1, new Book(1, "Emma", "Austen"));
    books.put(2, new Book(2, "Ulysses", "Joyce"));
    App app = new App();
    app.set("json spaces", 0);
    app.set("etag", (ETagFunction) Library::tag); // as in Express 4
    app.use(BodyParsers.json().limit("10kb"));
    app.use(BodyParsers.urlencoded().extended(true));
    app.param("book", this::findBook);

    app.get("/", (req, res) -> res.type("html").send("<h1>Library</h1>"));
    app.get("/robots.txt", (req, res) -> res.type("text").send("User-agent: *\n"));
    app.get("/health", (req, res) -> res.sendStatus(204));
    app.get("/books", this::list);
    app.post("/books", this::add);
    app.get("/books/:book", (req, res) -> res.json(req.attr(BOOK)));
    app.put("/books/:book", this::rename);
    app.delete("/books/:book", this::remove);
    app.get("/books/:book/title", this::title);
    app.get("/books/:book/card", this::card);
    app.post("/login", this::login);
    app.get("/me", this::readers, this::loansOfReader);
    app.post("/books/:book/loan", this::readers, this::lend);
    app.delete("/books/:book/loan", this::readers, this::bringBack);
    app.get("/visits", this::visit);
    app.get("/old", (req, res) -> res.redirect("/books"));
    app.get(Pattern.compile("^/shelf/(\\d+)-(\\d+)$"), this::shelf);
    app.get("/files/*", (req, res) -> res.type("text").send("file " + req.params().get(0)));
    app.all("/echo", this::echo);
    app.get("/fail", Library::fail);

    app.options("*", Library::notFound); // in Express 4, later handlers handle OPTIONS
    app.use(Library::notFound);
    app.use(Library::failed);
    return app;
  }

  // #endregion port

  private synchronized void findBook(Request req, Response res, Next next, String id) {
    Book book = id.matches("\\d{1,9}") ? books.get(Integer.parseInt(id)) : null;
    if (book == null) {
      res.status(404).json(Map.of("error", "no book " + id));
      return;
    }
    req.attr(BOOK, book);
    next.run();
  }

  private synchronized void list(Request req, Response res) {
    String by = req.query("by");
    List<Book> found =
        books.values().stream().filter(book -> by == null || book.by().equals(by)).toList();
    res.set("X-Total", "" + found.size());
    res.json(found.stream().limit(req.query("limit", int.class, 10)).toList());
  }

  private synchronized void add(Request req, Response res) {
    Map<?, ?> body = (Map<?, ?>) req.body();
    if (body.get("title") == null) {
      res.status(422).json(Map.of("error", "title is missing"));
      return;
    }
    Object by = body.get("by") == null ? "unknown" : body.get("by");
    Book book = new Book(++last, "" + body.get("title"), "" + by);
    books.put(book.id(), book);
    res.status(201).location("/books/" + book.id()).json(book);
  }

  private synchronized void rename(Request req, Response res) {
    Book old = req.attr(BOOK);
    books.put(old.id(), new Book(old.id(), "" + ((Map<?, ?>) req.body()).get("title"), old.by()));
    res.json(books.get(old.id()));
  }

  private synchronized void remove(Request req, Response res) {
    books.remove(req.attr(BOOK).id());
    res.status(204).end();
  }

  private void title(Request req, Response res) throws Exception {
    String title = req.attr(BOOK).title();
    Map<String, Handler> forms = new LinkedHashMap<>();
    forms.put("text", (asked, answer) -> answer.send(title));
    forms.put("html", (asked, answer) -> answer.send("<b>" + title + "</b>"));
    forms.put("json", (asked, answer) -> answer.json(Map.of("title", title)));
    res.format(forms);
  }

  private void card(Request req, Response res) {
    Book book = req.attr(BOOK);
    res.attachment("book-" + book.id() + ".txt").send(book.title() + " by " + book.by() + "\n");
  }

  private void login(Request req, Response res) {
    Map<?, ?> body = (Map<?, ?>) req.body();
    if (!"open sesame".equals(body.get("password"))) {
      res.status(403).json(Map.of("error", "wrong password"));
      return;
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("user", body.get("user"));
    answer.put("token", sign("" + body.get("user")));
    res.json(answer);
  }

  private void readers(Request req, Response res, Next next) {
    String given = req.get("Authorization");
    Matcher bearer = BEARER.matcher(given == null ? "" : given);
    if (!bearer.matches() || !sign(bearer.group(1)).equals(bearer.group(2))) {
      res.set("WWW-Authenticate", "Bearer").status(401).json(Map.of("error", "log in first"));
      return;
    }
    req.attr(USER, bearer.group(1));
    next.run();
  }

  private synchronized void loansOfReader(Request req, Response res) {
    List<Integer> own = new ArrayList<>();
    loans.forEach((id, user) -> own.addAll(user.equals(req.attr(USER)) ? List.of(id) : List.of()));
    res.json(ordered("user", req.attr(USER), "loans", own));
  }

  private synchronized void lend(Request req, Response res) {
    if (loans.putIfAbsent(req.attr(BOOK).id(), req.attr(USER)) != null) {
      res.status(409).json(Map.of("error", "lent already"));
      return;
    }
    res.status(201).json(ordered("book", req.attr(BOOK).id(), "user", req.attr(USER)));
  }

  private synchronized void bringBack(Request req, Response res) {
    loans.remove(req.attr(BOOK).id());
    res.redirect(303, "/me");
  }

  private synchronized void visit(Request req, Response res) {
    String cookies = req.get("Cookie");
    Matcher visitor = VISITOR.matcher(cookies == null ? "" : cookies);
    String name = visitor.find() ? visitor.group(1) : sign("" + seen.size()).substring(0, 12);
    int visits = seen.merge(name, 1, Integer::sum);
    res.cookie("visitor", name, CookieOptions.none().httpOnly(true).path("/visits"));
    res.send("visit " + visits);
  }

  private void shelf(Request req, Response res) {
    res.json(ordered("from", req.params().get(0), "to", req.params().get(1)));
  }

  private void echo(Request req, Response res) {
    Map<String, Object> answer = ordered("method", req.method(), "query", req.query());
    answer.put("body", req.body() == null ? Map.of() : req.body());
    res.json(answer);
  }

  private static void fail(Request req, Response res) {
    throw new IllegalStateException("no luck");
  }

  private static void notFound(Request req, Response res) {
    res.status(404).json(Map.of("error", "not found"));
  }

  private static String tag(Object body, String charset) {
    byte[] bytes =
        body instanceof byte[] given ? given : ("" + body).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] sum = MessageDigest.getInstance("SHA-1").digest(bytes);
      String hash = Base64.getEncoder().encodeToString(sum).substring(0, 27);
      return "W/\"" + Integer.toHexString(bytes.length) + "-" + hash + "\"";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void failed(Throwable error, Request req, Response res, Next next) {
    if (error instanceof HttpError known) {
      res.status(known.status()).json(Map.of("error", known.type()));
    } else {
      res.status(500).json(Map.of("error", "internal"));
    }
  }

  private static Map<String, Object> ordered(String a, Object x, String b, Object y) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(a, x);
    map.put(b, y);
    return map;
  }

  private static String sign(String user) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = "of this program alone".getBytes(StandardCharsets.UTF_8);
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] sum = mac.doFinal(user.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
