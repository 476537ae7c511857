package dev.percolate.examples;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Converts JSON and forms to records and back. Invalid or missing values cause a 400 that lists all
 * of them. Decimals stay exact.
 *
 * <pre>
 * curl localhost:3000/orders -H 'Content-Type: application/json' \
 *   -d '{"customer": "Ann", "lines": [{"article": "tea", "count": 3, "price": 4.10}]}'
 * curl localhost:3000/orders -d customer=Ann -d 'lines[0][article]=tea' -d 'lines[0][count]=x'
 * </pre>
 */
final class Records {

  record Order(String customer, List<Line> lines, Optional<String> note) {}

  record Line(String article, int count, BigDecimal price) {

    Line {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive");
      }
    }

    BigDecimal total() {
      return price.multiply(BigDecimal.valueOf(count));
    }
  }

  private record Receipt(String customer, BigDecimal total) {}

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    return new App().post("/orders", BodyParsers.json(), BodyParsers.urlencoded(), Records::order);
  }

  private static void order(Request req, Response res) {
    Order order = req.body(Order.class);
    BigDecimal total =
        order.lines().stream().map(Line::total).reduce(BigDecimal.ZERO, BigDecimal::add);
    res.status(201).json(new Receipt(order.customer(), total));
  }
}
