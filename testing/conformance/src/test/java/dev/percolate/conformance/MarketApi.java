package dev.percolate.conformance;

import dev.percolate.conformance.MarketData.Item;
import dev.percolate.conformance.MarketData.User;
import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The API of the marketplace: the router {@code api} of {@code record/market.cjs}. */
final class MarketApi {

  private static final Key<Item> ITEM = Key.of("item", Item.class);
  private static final Key<User> USER = Key.of("user", User.class);
  private static final Pattern BEARER = Pattern.compile("^Bearer (\\w+)$");

  private final SecureRandom random = new SecureRandom();
  private final MarketData data;

  MarketApi(MarketData data) {
    this.data = data;
  }

  App build() {
    App api = new App();
    api.use(BodyParsers.json().limit("5kb"));
    api.param("item", this::findItem);

    api.post("/tokens", this::createToken);
    api.delete("/tokens", this::clients, this::deleteToken);
    api.get("/me", this::clients, this::me);
    api.get("/items", this::list);
    api.options("/items", this::allow);
    api.post("/items", this::clients, this::checked, this::create);
    api.get("/items/:item", (req, res) -> res.json(req.attr(ITEM).shown()));
    api.put("/items/:item", this::clients, this::checked, this::replace);
    api.patch("/items/:item", this::clients, this::checked, this::change);
    api.delete("/items/:item", this::clients, this::delete);
    api.get("/search", this::search);
    api.get("/stats", this::stats);
    api.post("/words", BodyParsers.text(), this::words);
    api.post("/blobs", BodyParsers.raw(), this::blobs);
    api.get("/broken", MarketApi::broken);
    api.all("/ping", (req, res) -> res.type("text").send(req.method() + " pong"));
    api.use(
        (Handler)
            (req, res) -> {
              throw new HttpError(404, "not found");
            });
    api.use(MarketApi::failed);
    return api;
  }

  private void findItem(Request req, Response res, Next next, String id) {
    req.attr(ITEM, data.item(id));
    next.run();
  }

  private void clients(Request req, Response res, Next next) {
    User user = null;
    String token = token(req);
    if (token != null && data.tokens.get(token) != null) {
      user = data.users.get(data.tokens.get(token));
    }
    if (user == null) {
      res.set("WWW-Authenticate", "Bearer realm=\"api\"");
      res.status(401).json(Map.of("error", "token missing or unknown"));
      return;
    }
    req.attr(USER, user);
    next.run();
  }

  private static String token(Request req) {
    String given = req.get("Authorization");
    Matcher bearer = BEARER.matcher(given == null ? "" : given);
    return bearer.matches() ? bearer.group(1) : null;
  }

  private void checked(Request req, Response res, Next next) {
    Map<String, Object> values = new HashMap<>();
    if (req.method().equals("PATCH")) {
      values.putAll(req.attr(ITEM).shown());
    }
    body(req).forEach((name, value) -> values.put("" + name, value));
    List<?> errors = MarketData.problems(values.get("title"), values.get("price"));
    if (errors.isEmpty()) {
      next.run();
    } else {
      res.status(422).json(Map.of("errors", errors));
    }
  }

  private void createToken(Request req, Response res) {
    Object name = body(req).get("user");
    Object password = body(req).get("password");
    if (name == null || password == null) {
      res.status(400).json(Map.of("error", "user and password are required"));
      return;
    }
    User user = data.users.get("" + name);
    if (user == null || !user.password().equals(password)) {
      res.status(403).json(Map.of("error", "wrong password"));
      return;
    }
    byte[] bytes = new byte[24];
    random.nextBytes(bytes);
    String token = HexFormat.of().formatHex(bytes);
    data.tokens.put(token, user.name());
    Instant expires = Instant.now().plus(Duration.ofHours(1));
    res.status(201).set("Cache-Control", "no-store");
    res.json(Map.of("token", token, "expires", expires));
  }

  private void deleteToken(Request req, Response res) {
    data.tokens.remove(token(req));
    res.status(204).end();
  }

  private void me(Request req, Response res) {
    User user = req.attr(USER);
    res.json(Map.of("name", user.name(), "full", user.full(), "seller", user.seller()));
  }

  private void list(Request req, Response res) {
    int per = Math.min(req.query("per", int.class, 2), 10);
    List<Item> all = List.copyOf(data.items.values());
    int pages = (all.size() + per - 1) / per;
    int page = Math.max(req.query("page", int.class, 1), 1);
    Map<String, String> links = new LinkedHashMap<>();
    if (page < pages) {
      links.put("next", link(page + 1, per));
      links.put("last", link(pages, per));
    }
    if (page > 1) {
      links.put("prev", link(page - 1, per));
    }
    List<?> items = all.stream().skip((page - 1L) * per).limit(per).map(Item::shown).toList();
    res.links(links).set("X-Total-Count", "" + all.size());
    res.json(Map.of("page", page, "pages", pages, "items", items));
  }

  private static String link(int page, int per) {
    return "/api/items?page=" + page + "&per=" + per;
  }

  private void allow(Request req, Response res) {
    res.set("Allow", "GET, POST").set("Access-Control-Allow-Methods", "GET, POST");
    res.set("Access-Control-Allow-Origin", "*").status(204).end();
  }

  private void create(Request req, Response res) {
    Map<?, ?> body = body(req);
    int price = ((Number) body.get("price")).intValue();
    String title = "" + body.get("title");
    Item item = data.add(title, price, tags(body, List.of()), req.attr(USER).name());
    res.status(201).location("/api/items/" + item.id()).json(item.shown());
  }

  private void replace(Request req, Response res) {
    Map<?, ?> body = body(req);
    int price = ((Number) body.get("price")).intValue();
    String title = "" + body.get("title");
    res.json(data.change(req.attr(ITEM), title, price, tags(body, List.of())).shown());
  }

  private void change(Request req, Response res) {
    Item item = req.attr(ITEM);
    Map<?, ?> body = body(req);
    String title = body.get("title") instanceof String text ? text : item.title();
    int price = body.get("price") instanceof Number cents ? cents.intValue() : item.price();
    res.json(data.change(item, title, price, tags(body, item.tags())).shown());
  }

  private void delete(Request req, Response res) {
    if (!req.attr(ITEM).seller().equals(req.attr(USER).name())) {
      throw new HttpError(403, "not your item");
    }
    data.items.remove(req.attr(ITEM).id());
    res.status(204).end();
  }

  private void search(Request req, Response res) {
    Map<?, ?> filter = req.query().get("filter") instanceof Map<?, ?> map ? map : Map.of();
    Map<?, ?> price = filter.get("price") instanceof Map<?, ?> map ? map : Map.of();
    List<?> tags = filter.get("tags") instanceof List<?> list ? list : List.of();
    int least = price.get("gte") instanceof String text ? Integer.parseInt(text) : 0;
    int most = price.get("lte") instanceof String text ? Integer.parseInt(text) : Integer.MAX_VALUE;
    List<String> found =
        data.items.values().stream()
            .filter(item -> item.price() >= least && item.price() <= most)
            .filter(item -> item.tags().containsAll(tags))
            .map(Item::title)
            .toList();
    res.json(Map.of("filter", filter, "found", found));
  }

  private void stats(Request req, Response res) {
    int cheapest = data.items.values().stream().mapToInt(Item::price).min().orElse(0);
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("items", data.items.size());
    stats.put("cheapest", cheapest);
    res.jsonp(stats);
  }

  private void words(Request req, Response res) {
    if (!(req.body() instanceof String text)) {
      res.status(415).json(Map.of("error", "send text"));
      return;
    }
    long words =
        Pattern.compile("\\s+").splitAsStream(text).filter(word -> !word.isEmpty()).count();
    res.json(Map.of("words", words, "characters", text.length()));
  }

  private void blobs(Request req, Response res) {
    byte[] bytes = req.body() instanceof byte[] given ? given : new byte[0];
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    res.type("application/octet-stream").send(reversed);
  }

  private static void broken(Request req, Response res) {
    throw new IllegalStateException("no luck");
  }

  private static void failed(Throwable error, Request req, Response res, Next next) {
    if (error instanceof HttpError known) {
      String text = known.type() == null ? known.getMessage() : known.type();
      res.status(known.status()).json(Map.of("error", text));
    } else {
      res.status(500).json(Map.of("error", "internal"));
    }
  }

  private static Map<?, ?> body(Request req) {
    return req.body() instanceof Map<?, ?> body ? body : Map.of();
  }

  private static List<String> tags(Map<?, ?> body, List<String> fallback) {
    return body.get("tags") instanceof List<?> tags
        ? tags.stream().map(String::valueOf).toList()
        : fallback;
  }
}
