import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What the servers of all peers share: settings, bodies, and how many requests have entered. */
final class Peer {

  static final int PORT = Integer.getInteger("port", 8080);
  static final boolean VIRTUAL = "virtual".equals(System.getProperty("threads"));
  static final boolean EVENT_LOOP = "event loop".equals(System.getProperty("threads"));
  static final int LIMIT = 100 * 1024;
  static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.UTF_8);

  private static final JsonMapper JSON = new JsonMapper();
  private static final LongAdder ENTERED = new LongAdder();

  private Peer() {}

  static byte[] json() {
    return JSON.writeValueAsBytes(Map.of("message", "Hello, World!"));
  }

  /** Reads JSON and writes it again; null if it is none. */
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
