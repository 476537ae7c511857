import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Shared by the servers of all peers: settings, bodies, and the request counter. */
final class Peer {

  static final int PORT = Integer.getInteger("port", 8080);
  static final boolean VIRTUAL = "virtual".equals(System.getProperty("threads"));
  static final boolean EVENT_LOOP = "event loop".equals(System.getProperty("threads"));
  /** A key store for HTTPS, with the password {@code secret}; null for clear text. */
  static final String KEY_STORE = System.getProperty("keyStore");
  static final String PASSWORD = "secret";
  /** The default alias of keytool. */
  static final String KEY_ALIAS = "mykey";
  /** Whether to serve HTTP/2 over TLS. */
  static final boolean HTTP2 = Boolean.getBoolean("http2");
  /** Whether to serve HTTP/2 in clear text, with prior knowledge. */
  static final boolean PRIOR_KNOWLEDGE = Boolean.getBoolean("http2PriorKnowledge");
  /** Whether to serve WebSockets at {@code /sockets}. */
  static final boolean SOCKETS = Boolean.getBoolean("sockets");
  static final int LIMIT = 100 * 1024;
  static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.UTF_8);
  static final byte[] MEBIBYTE = new byte[1 << 20];
  static final String HEADER = "X-Item-40";

  private static final JsonMapper JSON = new JsonMapper();
  private static final LongAdder ENTERED = new LongAdder();
  private static final List<Object> ORDERS = orders(130);
  private static final List<String> FIELDS =
      List.of("name", "street", "city", "country", "mail", "phone", "item", "count", "gift", "comment");

  static {
    Arrays.fill(MEBIBYTE, (byte) 'x');
  }

  private Peer() {}

  static byte[] json() {
    return JSON.writeValueAsBytes(Map.of("message", "Hello, World!"));
  }

  /** Returns about 20 KB of JSON, written from objects. */
  static byte[] list() {
    return JSON.writeValueAsBytes(ORDERS);
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

  /** Returns the values of all fields of a form. */
  static String fields(UnaryOperator<String> form) {
    return FIELDS.stream().map(form).collect(Collectors.joining(" "));
  }

  /** Parses JSON and writes it again; returns null if it is invalid. */
  static byte[] echo(byte[] body) {
    try {
      return JSON.writeValueAsBytes(JSON.readValue(body, Object.class));
    } catch (JacksonException e) {
      return null;
    }
  }

  static Path file() {
    return Path.of(System.getProperty("file", "pom.xml"));
  }

  static void enter(String path) {
    if (!path.equals("/count")) {
      ENTERED.increment();
    }
  }

  static String entered() {
    return Long.toString(ENTERED.sum());
  }

  static String sleep(String millis) {
    try {
      Thread.sleep(Long.parseLong(millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "slept";
  }

  static void ready() {
    System.out.println("ready");
  }
}
