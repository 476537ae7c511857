package dev.percolate.benchmarks;

import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Further routes of {@code measure/benchmarks/run http}, which the peers have, too. */
final class WorkRoutes {

  private static final List<String> FIELDS =
      List.of(
          "name", "street", "city", "country", "mail", "phone", "item", "count", "gift", "comment");

  private WorkRoutes() {}

  static void addTo(App app) {
    app.get("/header", (req, res) -> res.type("text/plain").send(req.get("X-Item-40")));
    app.post(
        "/fields",
        BodyParsers.urlencoded(),
        (req, res) -> res.type("text/plain").send(values((Map<?, ?>) req.body())));
    List<Object> orders = orders(130);
    app.get("/list", (req, res) -> res.json(orders));
    byte[] mebibyte = new byte[1 << 20];
    Arrays.fill(mebibyte, (byte) 'x');
    app.get("/mebibyte", (req, res) -> res.type("text/plain").send(mebibyte));
  }

  private static String values(Map<?, ?> form) {
    return FIELDS.stream()
        .map(name -> String.valueOf(form.get(name)))
        .collect(Collectors.joining(" "));
  }

  private static List<Object> orders(int count) {
    List<Object> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Map<String, Object> order = new LinkedHashMap<>();
      order.put("id", 1000 + i);
      order.put("customer", "Ann Example");
      order.put("paid", i % 2 == 0);
      order.put("total", i + 0.25);
      order.put("tags", List.of("new", "gift"));
      order.put("note", null);
      order.put("address", Map.of("street", "1 Main Street", "city", "Springfield"));
      orders.add(order);
    }
    return orders;
  }
}
