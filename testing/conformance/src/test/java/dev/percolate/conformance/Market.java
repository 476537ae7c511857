package dev.percolate.conformance;

import static dev.percolate.conformance.MarketPages.hidden;
import static dev.percolate.conformance.MarketPages.itemForm;
import static dev.percolate.conformance.MarketPages.money;

import dev.percolate.conformance.MarketData.Item;
import dev.percolate.conformance.MarketData.Order;
import dev.percolate.conformance.MarketData.Picture;
import dev.percolate.conformance.MarketData.User;
import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.Html;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.CookieParser;
import dev.percolate.middleware.Csrf;
import dev.percolate.middleware.MethodOverride;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.StaticFiles;
import dev.percolate.multipart.Multipart;
import dev.percolate.multipart.Upload;
import dev.percolate.parsers.BodyParsers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A port of {@code record/market.cjs} with the same order of routes. */
final class Market {

  private static final Key<Item> ITEM = Key.of("item", Item.class);

  private static final Map<String, String> WELCOMES =
      Map.of("en", "Welcome", "de", "Willkommen", "fr", "Bienvenue");

  private final MarketData data = new MarketData();
  private final MarketPages pages = new MarketPages(data);
  private final Path files;

  private Market(Path files) {
    this.files = files;
  }

  /** Serves on the given port until the process ends. */
  public static void main(String[] args) throws Exception {
    App app = app(Path.of("record", "public"));
    System.out.println("listening at " + Library.serve(app, Integer.parseInt(args[0])).port());
  }

  /**
   * Creates the application.
   *
   * @param files the folder of static files
   */
  static App app(Path files) {
    return new Market(files).build();
  }

  private App build() {
    App app = new App();
    app.set("json spaces", 0); // as in Express 4
    app.set("conditional requests", "express"); // If-Range accepts weak entity tags
    withoutSessions(app);
    app.use("/api", new MarketApi(data).build());
    app.use("/admin", backOffice());

    app.use(CookieParser.of("of the cookies alone"));
    app.use(Sessions.of("of the sessions alone").name("connect.sid"));
    app.use(BodyParsers.urlencoded().extended(true).limit("5kb"));
    app.use(BodyParsers.json());
    app.use(Market::override);
    Middleware csrf = Chain.of(Csrf.of(), Market::token);
    Middleware seller = Chain.of(Market::member, this::sellers);
    Middleware upload = Multipart.files().maxFileSize("2000");
    app.post("/items/:item/picture", seller, upload, csrf, this::storePicture);
    app.post("/items/:item/notes", seller, upload, csrf, this::readNotes);
    app.use(csrf);
    app.param("item", this::findItem);

    app.get("/", this::home);
    app.get("/about", this::about);
    app.get("/theme/:theme(light|dark)", this::chooseTheme);
    app.get("/theme", (req, res) -> res.clearCookie("theme").redirect("/"));
    app.get("/visits", this::visit);
    app.get("/login", this::loginForm);
    app.post("/login", this::login);
    app.post("/logout", this::logout);
    app.get("/items", this::items);
    app.get("/items/new", seller, this::newItem);
    app.post("/items", seller, this::sell);
    app.get("/items/:item", this::item);
    app.get("/items/:item/edit", seller, this::editItem);
    app.put("/items/:item", seller, this::changeItem);
    app.delete("/items/:item", seller, this::removeItem);
    app.get("/items/:item/picture", this::picture);
    app.get("/items/:item/card", this::card);
    app.get("/manual", (req, res) -> res.download(files.resolve("manual.txt"), "Manual.txt"));
    MarketOrders shop = new MarketOrders(data, pages);
    app.use("/cart", shop.cart());
    app.use("/orders", shop.orders());

    app.get(
        "/teapot",
        (req, res) -> {
          throw new HttpError(418, "Short and stout");
        });
    app.get("/broken", Market::broken);
    app.options("*", Market::notFound); // in Express 4, later handlers handle OPTIONS
    app.use(Market::notFound);
    app.use(Market::failed);
    return app;
  }

  private void withoutSessions(App app) {
    app.use("/static", StaticFiles.of(files).maxAge("1h"));
    app.get("/robots.txt", (req, res) -> res.type("text").send("User-agent: *\nDisallow: /cart\n"));
    app.get("/health", (req, res) -> res.sendStatus(200));
    app.get(
        "/old/:item(\\d+)", (req, res) -> res.redirect(301, "/items/" + req.params().get("item")));
    app.get(
        Pattern.compile("^/i(\\d+)$"),
        (req, res) -> res.redirect(302, "/items/" + req.params().get(0)));
    app.get(
        "/docs/*",
        (req, res) -> res.type("text").send("No page " + req.params().get(0) + " yet.\n"));
    app.get("/language", Market::language);
  }

  private static void language(Request req, Response res) {
    String language =
        req.acceptedLanguages().stream()
            .map(tag -> tag.substring(0, Math.min(2, tag.length())))
            .filter(WELCOMES::containsKey)
            .findFirst()
            .orElse("en");
    res.vary("Accept-Language").set("Content-Language", language);
    res.type("text").send(WELCOMES.get(language));
  }

  private App backOffice() {
    App admin = new App();
    admin.use(BasicAuth.of("root", "back door").realm("Back office"));
    admin.get("/", this::report);
    admin.get("/orders", this::allOrders);
    admin.get("/export.csv", this::export);
    return admin;
  }

  private void report(Request req, Response res) {
    String counts = data.items.size() + " items, " + data.orders().size() + " orders on ";
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    res.send("<h1>Back office</h1><p>" + counts + today + "</p>");
  }

  private void allOrders(Request req, Response res) {
    List<Map<String, Object>> shown = new ArrayList<>();
    for (Order order : data.orders()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", order.id());
      one.put("user", order.user());
      one.put("total", order.total());
      one.put("state", order.state());
      shown.add(one);
    }
    res.json(shown);
  }

  private void export(Request req, Response res) throws IOException {
    res.attachment("market export.csv");
    for (Item item : data.items.values()) {
      res.write(item.id() + ";\"" + item.title() + "\";" + money(item.price()) + "\n");
    }
    res.end();
  }

  /** Overrides only POST, so that only its responses have {@code Vary}, as from npm's package. */
  private static void override(Request req, Response res, Next next) {
    if (req.method().equals("POST")) {
      MethodOverride.of().handle(req, res, next);
    } else {
      next.run();
    }
  }

  private static void token(Request req, Response res, Next next) {
    res.locals().put("csrf", Csrf.token(req));
    next.run();
  }

  static Session session(Request req) {
    return req.attr(Sessions.SESSION);
  }

  /** Requires a user; other visitors are sent to the login, and return afterwards. */
  static void member(Request req, Response res, Next next) {
    if (session(req).get("user") != null) {
      next.run();
      return;
    }
    session(req).set("returnTo", req.originalUrl());
    res.redirect("/login");
  }

  private void sellers(Request req, Response res, Next next) {
    if (!data.users.get(session(req).get("user", String.class)).seller()) {
      throw new HttpError(403, "Only for sellers");
    }
    next.run();
  }

  private void findItem(Request req, Response res, Next next, String id) {
    req.attr(ITEM, data.item(id));
    next.run();
  }

  private void storePicture(Request req, Response res) throws IOException {
    Item item = data.items.get(req.params().required("item", Integer.class));
    List<Upload> uploads = req.attr(Multipart.FILES);
    if (item == null || uploads.isEmpty()) {
      throw new HttpError(400, "No picture");
    }
    Upload file = uploads.get(0);
    Picture picture = new Picture(file.type(), Files.readAllBytes(file.path()));
    data.pictures.put(item.id(), picture);
    session(req).flash("Stored " + file.name() + " with " + file.size() + " bytes.");
    res.redirect(303, "/items/" + item.id());
  }

  private void readNotes(Request req, Response res) throws IOException {
    List<Map<String, Object>> notes = new ArrayList<>();
    for (Upload file : req.attr(Multipart.FILES)) {
      try (Stream<String> lines = Files.lines(file.path(), StandardCharsets.UTF_8)) {
        String first = lines.findFirst().orElse("");
        notes.add(
            Map.of("name", file.name(), "type", file.type(), "size", file.size(), "first", first));
      }
    }
    Object subject = req.form("subject");
    String item = req.params().get("item");
    res.status(201).json(Map.of("item", item, "subject", subject, "files", notes));
  }

  private void home(Request req, Response res) {
    List<Item> first = data.items.values().stream().limit(3).toList();
    pages.send(req, res, "Home", MarketPages.list(first));
  }

  private void about(Request req, Response res) {
    res.set("Cache-Control", "private, max-age=60");
    pages.send(req, res, "About", "<p>We sell what we like.</p>");
  }

  private void chooseTheme(Request req, Response res) {
    CookieOptions day = CookieOptions.none().maxAge(86_400_000);
    res.cookie("theme", req.params().get("theme"), day).redirect("back");
  }

  private void visit(Request req, Response res) {
    Object before = req.signedCookies().get("visits");
    int visits = before instanceof String count ? Integer.parseInt(count) + 1 : 1;
    CookieOptions options = CookieOptions.none().signed(true).httpOnly(true).path("/visits");
    res.cookie("visits", visits, options).type("text").send("Visit " + visits);
  }

  private void loginForm(Request req, Response res) {
    String form =
        """
        <form action="/login" method="post">%s
        <input name="user"> <input type="password" name="password"> \
        <button>Log in</button></form>""";
    pages.send(req, res, "Log in", form.formatted(hidden(res)));
  }

  private void login(Request req, Response res) {
    User user = data.users.get(req.form("user", String.class, ""));
    if (user == null || !user.password().equals(req.form("password"))) {
      session(req).flash("Wrong name or password.");
      res.redirect("/login");
      return;
    }
    Object cart = session(req).get("cart");
    String returnTo = session(req).get("returnTo", String.class);
    Session session = session(req).regenerate();
    session.set("user", user.name()).set("cart", cart);
    session.flash("Welcome, " + user.full() + "!");
    res.redirect(303, returnTo == null ? "/" : returnTo);
  }

  private void logout(Request req, Response res) {
    session(req).destroy();
    res.redirect("/");
  }

  private void items(Request req, Response res) {
    String query = req.query("q", String.class, "");
    String part = query.toLowerCase(Locale.ROOT);
    List<Item> found = new ArrayList<>(data.items.values());
    found.removeIf(item -> !item.title().toLowerCase(Locale.ROOT).contains(part));
    if ("price".equals(req.query("sort"))) {
      found.sort(Comparator.comparing(Item::price));
    }
    String title = query.isEmpty() ? "Items" : "Items with \"" + query + "\"";
    String list = found.isEmpty() ? "<p>Nothing found.</p>" : MarketPages.list(found);
    pages.send(req, res, title, list);
  }

  private void newItem(Request req, Response res) {
    pages.send(req, res, "New item", itemForm(res, "/items", "", "", List.of()));
  }

  private void sell(Request req, Response res) {
    String title = req.form("title", String.class, "");
    String price = req.form("price", String.class, "");
    Integer cents = price.matches("\\d{1,9}") ? Integer.valueOf(price) : null;
    List<Map<String, String>> errors = MarketData.problems(title, cents);
    if (!errors.isEmpty()) {
      String form = itemForm(res, "/items", title, price, errors);
      pages.send(req, res.status(422), "New item", form);
      return;
    }
    List<String> tags =
        Stream.of(req.form("tags", String.class, "").split(" "))
            .filter(tag -> !tag.isEmpty())
            .toList();
    Item item = data.add(title, cents, tags, session(req).get("user", String.class));
    session(req).flash(title + " is on sale.");
    res.redirect(303, "/items/" + item.id());
  }

  private void item(Request req, Response res) {
    Item item = req.attr(ITEM);
    String picture = "<img src=\"/items/" + item.id() + "/picture\">\n";
    String main =
        """
        <p>%s, on sale since %s</p>
        %s<form action="/cart" method="post">%s<input name="item" value="%d">\
        <button>Buy</button></form>"""
            .formatted(
                money(item.price()),
                item.created().toString().substring(0, 10),
                data.pictures.containsKey(item.id()) ? picture : "",
                hidden(res),
                item.id());
    pages.send(req, res, item.title(), main);
  }

  private void editItem(Request req, Response res) {
    Item item = req.attr(ITEM);
    String form = itemForm(res, "/items/" + item.id(), item.title(), "" + item.price(), List.of());
    pages.send(req, res, "Edit " + item.title(), form);
  }

  private void changeItem(Request req, Response res) {
    Item item = req.attr(ITEM);
    int price = req.formRequired("price", Integer.class);
    data.change(item, req.formRequired("title", String.class), price, item.tags());
    session(req).flash("Saved.");
    res.redirect(303, "/items/" + item.id());
  }

  private void removeItem(Request req, Response res) {
    Item item = req.attr(ITEM);
    data.items.remove(item.id());
    session(req).flash(item.title() + " is gone.");
    res.redirect(303, "/items");
  }

  private void picture(Request req, Response res) {
    Picture picture = data.pictures.get(req.attr(ITEM).id());
    if (picture == null) {
      throw new HttpError(404, "No picture");
    }
    res.type(picture.type()).set("Cache-Control", "public, max-age=3600").send(picture.bytes());
  }

  private void card(Request req, Response res) throws Exception {
    Item item = req.attr(ITEM);
    String price = money(item.price());
    Map<String, Handler> forms = new LinkedHashMap<>();
    forms.put("text", (asked, answer) -> answer.send(item.title() + ", " + price));
    forms.put(
        "html",
        (asked, answer) -> answer.send("<b>" + Html.escape(item.title()) + "</b> " + price));
    forms.put("json", (asked, answer) -> answer.json(item.shown()));
    res.format(forms);
  }

  private static void broken(Request req, Response res) {
    throw new IllegalStateException("no luck");
  }

  private static void notFound(Request req, Response res) {
    throw new HttpError(404, "No page " + req.path());
  }

  private static void failed(Throwable error, Request req, Response res, Next next) {
    int status = error instanceof HttpError known ? known.status() : 500;
    String message = "Something went wrong";
    if (status == 413) {
      message = "Too large";
    } else if (error instanceof HttpError known && known.type() == null) {
      message = known.getMessage();
    }
    res.status(status);
    if ("json".equals(req.accepts("html", "json"))) {
      res.json(Map.of("error", message));
      return;
    }
    String page =
        """
        <!doctype html>
        <title>%d</title>
        <h1>%s</h1>
        <a href="/">Home</a>
        """;
    res.type("html").send(page.formatted(status, Html.escape(message)));
  }
}
