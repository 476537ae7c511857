package dev.percolate.conformance;

import static dev.percolate.conformance.Market.session;
import static dev.percolate.conformance.MarketPages.hidden;
import static dev.percolate.conformance.MarketPages.money;

import dev.percolate.conformance.MarketData.Item;
import dev.percolate.conformance.MarketData.Order;
import dev.percolate.conformance.MarketData.OrderLine;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.http.Html;
import dev.percolate.http.HttpDate;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routers {@code cart} and {@code order} of {@code record/market.cjs}. */
final class MarketOrders {

  private static final Key<Item> ITEM = Key.of("item", Item.class);
  private static final Key<Order> ORDER = Key.of("order", Order.class);

  private final MarketData data;
  private final MarketPages pages;

  MarketOrders(MarketData data, MarketPages pages) {
    this.data = data;
    this.pages = pages;
  }

  App cart() {
    App cart = new App();
    cart.param("item", this::findItem);
    cart.get("/", this::showCart);
    cart.post("/", this::addToCart);
    cart.patch("/:item", this::changeCart);
    cart.delete("/:item", this::removeFromCart);
    cart.post("/checkout", Market::member, this::checkOut);
    return cart;
  }

  private void findItem(Request req, Response res, Next next, String id) {
    req.attr(ITEM, data.item(id));
    next.run();
  }

  private void showCart(Request req, Response res) {
    Map<Integer, Integer> cart = pages.cart(session(req));
    if ("json".equals(req.accepts("html", "json"))) {
      List<Map<String, Integer>> lines = new ArrayList<>();
      cart.forEach((id, count) -> lines.add(Map.of("item", id, "count", count)));
      res.json(Map.of("lines", lines, "total", data.total(cart)));
      return;
    }
    StringBuilder rows = new StringBuilder();
    cart.forEach(
        (id, count) -> {
          rows.append("<tr><td>").append(Html.escape(data.items.get(id).title()));
          rows.append("</td><td>").append(count).append("</td></tr>\n");
        });
    String main =
        """
        <table>
        %s</table>
        <p>Total %s</p>
        <form action="/cart/checkout" method="post">%s<button>Order</button></form>"""
            .formatted(rows, money(data.total(cart)), hidden(res));
    pages.send(req, res, "Cart", main);
  }

  private void addToCart(Request req, Response res) {
    Integer id = req.form("item", Integer.class);
    Item item = id == null ? null : data.items.get(id);
    if (item == null) {
      throw new HttpError(400, "Unknown item");
    }
    put(req, id, pages.cart(session(req)).getOrDefault(id, 0) + 1);
    session(req).flash(item.title() + " is in your cart.");
    res.redirect("back");
  }

  private void changeCart(Request req, Response res) {
    int id = req.attr(ITEM).id();
    Object sent = req.body() instanceof Map<?, ?> body ? body.get("count") : null;
    if (!(sent instanceof Number count) || count.doubleValue() % 1 != 0 || count.intValue() < 1) {
      res.status(400).json(Map.of("error", "count must be positive"));
      return;
    }
    put(req, id, count.intValue());
    int total = data.total(pages.cart(session(req)));
    res.json(Map.of("item", id, "count", count.intValue(), "total", total));
  }

  private void removeFromCart(Request req, Response res) {
    put(req, req.attr(ITEM).id(), 0);
    res.status(204).end();
  }

  /** Sets the number of pieces in the cart; 0 removes the item. */
  private void put(Request req, int id, int count) {
    Map<String, Integer> cart = new LinkedHashMap<>();
    pages.cart(session(req)).forEach((known, pieces) -> cart.put("" + known, pieces));
    if (count == 0) {
      cart.remove("" + id);
    } else {
      cart.put("" + id, count);
    }
    session(req).set("cart", cart);
  }

  private void checkOut(Request req, Response res) {
    Session session = session(req);
    Map<Integer, Integer> cart = pages.cart(session);
    if (cart.isEmpty()) {
      throw new HttpError(409, "Your cart is empty");
    }
    Order order = data.order(session.get("user", String.class), cart);
    session.remove("cart").flash("Thank you for order " + order.id() + ".");
    res.redirect(303, "/orders/" + order.id());
  }

  App orders() {
    App orders = new App();
    orders.use(Market::member);
    orders.param("order", this::findOrder);
    orders.get("/", this::ownOrders);
    orders.get("/:order", this::order);
    orders.get("/:order/invoice", this::invoice);
    orders.post("/:order/cancel", this::cancel);
    return orders;
  }

  private void findOrder(Request req, Response res, Next next, String id) {
    Order order = data.order(id);
    if (!order.user().equals(session(req).get("user"))) {
      throw new HttpError(403, "Not your order");
    }
    req.attr(ORDER, order);
    next.run();
  }

  private void ownOrders(Request req, Response res) {
    Object user = session(req).get("user");
    res.json(data.orders().stream().filter(order -> order.user().equals(user)).toList());
  }

  private void order(Request req, Response res) {
    Order order = req.attr(ORDER);
    StringBuilder lines = new StringBuilder();
    for (OrderLine line : order.lines()) {
      lines.append("<li>").append(line.count()).append(" x ");
      lines.append(Html.escape(line.title())).append("</li>");
    }
    String placed = HttpDate.format(order.placed());
    String main =
        """
        <p>Placed on %s, %s</p>
        <ol>%s</ol>
        <form action="/orders/%s/cancel" method="post">%s<button>Cancel</button></form>"""
            .formatted(placed, order.state(), lines, order.id(), hidden(res));
    pages.send(req, res, "Order " + order.id(), main);
  }

  private void invoice(Request req, Response res) {
    Order order = req.attr(ORDER);
    String text =
        "Invoice %s\nDate: %s\nTotal: %s\n"
            .formatted(order.id(), order.placed(), money(order.total()));
    res.attachment("invoice-" + order.id() + ".txt").send(text);
  }

  private void cancel(Request req, Response res) {
    data.cancel(req.attr(ORDER).id());
    session(req).flash("The order is cancelled.");
    res.redirect("back");
  }
}
