import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Shared by the peers of the arena: settings, the dataset, and its JSON. */
final class Arena {

  record Rating(int score, int count) {}

  record Item(
      int id,
      String name,
      String category,
      int price,
      int quantity,
      boolean active,
      List<String> tags,
      Rating rating) {}

  record Priced(
      int id,
      String name,
      String category,
      int price,
      int quantity,
      boolean active,
      List<String> tags,
      Rating rating,
      long total) {}

  record Items<T>(List<T> items, int count) {}

  record Page(List<Item> items, int total, int page, int limit) {}

  record NewItem(int id, String name, String category, int price, int quantity) {}

  record Change(String name, int price, int quantity) {}

  record Changed(int id, String name, int price, int quantity) {}

  static final int PORT = Integer.getInteger("port", 8080);
  static final String SCHEME = System.getenv().getOrDefault("ARENA_SCHEME", "http");
  static final boolean SECURE = SCHEME.equals("https") || SCHEME.equals("h2");
  static final Path DATA = Path.of(System.getenv().getOrDefault("ARENA_DATA", "/data"));
  static final Path FILES = DATA.resolve("static");
  static final Path CERTIFICATE =
      Path.of(System.getenv().getOrDefault("TLS_CERT", "/certs/server.crt"));
  static final Path KEY = Path.of(System.getenv().getOrDefault("TLS_KEY", "/certs/server.key"));

  /** The URL of the database; null without one. */
  static final String DATABASE = System.getenv("DATABASE_URL");

  static final int CONNECTIONS =
      Integer.parseInt(System.getenv().getOrDefault("DATABASE_MAX_CONN", "256"));

  /** More than the largest upload, in bytes. */
  static final int LIMIT = 25 << 20;

  static final byte[] OK = bytes("ok");
  static final JsonMapper JSON = new JsonMapper();

  private static final List<Item> DATASET = dataset();

  private Arena() {}

  private static List<Item> dataset() {
    try {
      return List.of(
          JSON.readValue(Files.readAllBytes(DATA.resolve("dataset.json")), Item[].class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the first items of the dataset with their totals. */
  static Items<Priced> priced(int count, int factor) {
    List<Priced> priced = new ArrayList<>();
    for (Item item : DATASET.subList(0, Math.max(0, Math.min(count, DATASET.size())))) {
      long total = (long) item.price() * item.quantity() * factor;
      priced.add(
          new Priced(
              item.id(),
              item.name(),
              item.category(),
              item.price(),
              item.quantity(),
              item.active(),
              item.tags(),
              item.rating(),
              total));
    }
    return new Items<>(priced, priced.size());
  }

  static byte[] json(Object value) {
    return JSON.writeValueAsBytes(value);
  }

  /** Returns the number after the last slash of a path. */
  static int last(String path) {
    return Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
  }

  /** Returns a parameter as a number. */
  static int number(String value, int otherwise) {
    return value == null || value.isEmpty() ? otherwise : Integer.parseInt(value);
  }

  static int limit(String value, int otherwise) {
    return Math.max(1, Math.min(50, number(value, otherwise)));
  }

  static String sum(String a, String b, String body) {
    return Integer.toString(Integer.parseInt(a) + Integer.parseInt(b) + number(body.strip(), 0));
  }

  /** Reads a body and counts its bytes. */
  static String count(InputStream body) throws IOException {
    return Long.toString(body.transferTo(java.io.OutputStream.nullOutputStream()));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns a parameter of a query in which nothing is encoded; for servers that do not parse
   * queries.
   */
  static String parameter(String query, String name) {
    for (String pair : query == null ? new String[0] : query.split("&")) {
      if (pair.startsWith(name) && pair.startsWith("=", name.length())) {
        return pair.substring(name.length() + 1);
      }
    }
    return null;
  }

  static void ready() {
    System.out.println("ready");
  }
}
