package dev.percolate.conformance;

import dev.percolate.conformance.MarketData.Item;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.Html;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The HTML of the marketplace. */
final class MarketPages {

  private final MarketData data;

  MarketPages(MarketData data) {
    this.data = data;
  }

  /** Returns an amount of cents as text. */
  static String money(int cents) {
    return String.format(Locale.ROOT, "%.2f", cents / 100.0);
  }

  /** Returns the field of a form that contains the CSRF token. */
  static String hidden(Response res) {
    String token = Html.escape("" + res.locals().get("csrf"));
    return "<input type=\"hidden\" name=\"_csrf\" value=\"" + token + "\">";
  }

  /** Returns the cart of a session: the number of pieces by item. */
  Map<Integer, Integer> cart(Session session) {
    Map<Integer, Integer> cart = new TreeMap<>();
    if (session.get("cart") instanceof Map<?, ?> stored) {
      stored.forEach(
          (id, count) -> {
            if (data.items.containsKey(Integer.valueOf("" + id))) {
              cart.put(Integer.valueOf("" + id), ((Number) count).intValue());
            }
          });
    }
    return cart;
  }

  /** Sends a page, with the flash messages of the session. */
  void send(Request req, Response res, String title, String main) {
    Session session = req.attr(Sessions.SESSION);
    StringBuilder flashes = new StringBuilder();
    for (String message : session.flashes()) {
      flashes.append("<p class=\"flash\">").append(Html.escape(message)).append("</p>\n");
    }
    String account = "<a href=\"/login\">Log in</a>";
    if (session.get("user") instanceof String user) {
      account =
          "<form action=\"/logout\" method=\"post\">%s<button>Log out %s</button></form>"
              .formatted(hidden(res), Html.escape(data.users.get(user).full()));
    }
    String page =
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="csrf-token" content="%s">\
        <title>%s - Market</title></head>
        <body class="%s">
        <nav><a href="/">Market</a> <a href="/cart">Cart (%d)</a> %s</nav>
        %s<h1>%s</h1>
        %s
        </body>
        </html>
        """;
    boolean dark = "dark".equals(req.cookies().get("theme"));
    res.type("html")
        .send(
            page.formatted(
                res.locals().get("csrf"),
                Html.escape(title),
                dark ? "dark" : "light",
                cart(session).size(),
                account,
                flashes,
                Html.escape(title),
                main));
  }

  static String list(Collection<Item> found) {
    StringBuilder list = new StringBuilder("<ul>\n");
    for (Item item : found) {
      list.append("<li><a href=\"/items/").append(item.id()).append("\">");
      list.append(Html.escape(item.title())).append("</a> ").append(money(item.price()));
      list.append("</li>\n");
    }
    return list + "</ul>";
  }

  /** Returns the form of an item, with the entered values and their errors. */
  static String itemForm(
      Response res, String action, String title, String price, List<Map<String, String>> errors) {
    StringBuilder told = new StringBuilder();
    errors.forEach(error -> told.append("<li>").append(error.get("message")).append("</li>"));
    String list = errors.isEmpty() ? "" : "<ul class=\"errors\">" + told + "</ul>\n";
    return """
    %s<form action="%s" method="post">%s
    <input name="title" value="%s"> <input name="price" value="%s"> <input name="tags">
    <button>Save</button></form>"""
        .formatted(list, action, hidden(res), Html.escape(title), Html.escape(price));
  }
}
