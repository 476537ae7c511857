package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.regex.Pattern.DOTALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ChunkReader;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Malformed requests, each sent as a whole, byte by byte, and in two parts. The responses must be
 * as in docs/security/rows.tsv, and only requests that were sent as such may reach the handlers.
 *
 * <p>Requests are split at some offsets; with {@code -Dpercolate.corpus=whole}, at all.
 */
final class MalformedRequestsTest extends ServerFixture {

  private static final boolean WHOLE = "whole".equals(System.getProperty("percolate.corpus"));

  /** Longer requests are split at a few offsets only, and sent byte by byte only at both ends. */
  private static final int CUT_EVERYWHERE = 300;

  /** The distance between offsets if not all are used. It is prime, so that the offsets vary. */
  private static final int STRIDE = 37;

  private static final int CONNECTIONS = 64;
  private static final String AFTER = "GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  /**
   * The head of the last response. A response in HTTP/1.0 need not announce that it is the last.
   */
  private static final Pattern LAST =
      Pattern.compile("HTTP/1\\.(?:0 |1 .*\r\nConnection: close\r\n)", CASE_INSENSITIVE | DOTALL);

  private final Map<String, Integer> entered = new ConcurrentHashMap<>();

  /** The first failure of each request that failed. */
  private final Map<String, String> wrong = new ConcurrentSkipListMap<>();

  @Test
  void malformedRequestsAreRejectedHoweverTheyAreSplit() throws Exception {
    List<MalformedRequest> corpus = MalformedRequest.corpus();
    assertTrue(corpus.size() >= 200, corpus.size() + " entries");
    play(corpus, STRIDE);
  }

  @Test
  void mutatedRequestsAreRejectedHoweverTheyAreSplit() throws Exception {
    play(Mutations.all(), 2 * CUT_EVERYWHERE); // one split each
  }

  private void play(List<MalformedRequest> requests, int stride) throws Exception {
    Settings settings = Settings.ofApplication().set("etag", false);
    Service service = Chain.service(settings, this::route);
    ListenOptions options = options();
    int expected = 0;
    ExecutorService clients = Executors.newFixedThreadPool(6);
    try (Server server = engine().listen(service, options)) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < requests.size(); i++) {
        MalformedRequest request = requests.get(i);
        byte[] bytes = (request.bytes() + AFTER).getBytes(ISO_8859_1);
        List<byte[][]> ways = ways(bytes, i, stride);
        for (int from = 0; from < ways.size(); from += CONNECTIONS) {
          int to = Math.min(ways.size(), from + CONNECTIONS);
          List<byte[][]> volley = ways.subList(from, to);
          tasks.add(() -> fire(server, request, volley));
        }
      }
      for (Future<Integer> done : clients.invokeAll(tasks)) {
        expected += done.get();
      }
    } finally {
      clients.shutdown();
    } // closing the server has waited until every handler has run
    assertEquals("", String.join("\n", wrong.values()), wrong.size() + " failed");
    int all = entered.values().stream().mapToInt(Integer::intValue).sum();
    assertEquals(expected, all, new TreeMap<>(entered)::toString);
    assertEquals(null, entered.get("/smuggled"));
  }

  /**
   * Sends a request in several ways. Returns the number of requests that should reach the handlers.
   */
  private int fire(Server server, MalformedRequest request, List<byte[][]> ways)
      throws IOException {
    try (Volley volley = new Volley(server, ways)) {
      List<String> responses = volley.fire();
      for (int i = 0; i < responses.size(); i++) {
        String response = responses.get(i);
        boolean right = request.accepts(Volley.statuses(response));
        if (!right || !LAST.matcher(response).find()) {
          int pieces = ways.get(i).length;
          String way = pieces == 2 ? "split at " + ways.get(i)[0].length : pieces + " parts";
          wrong.putIfAbsent(request.toString(), request + " (" + way + "): " + shown(response));
        }
      }
    }
    return ways.size() * request.entered();
  }

  private static String shown(String response) {
    return Volley.statuses(response) + " " + response.replace("\r\n", "; ");
  }

  /** Returns the ways in which to send the bytes. */
  private static List<byte[][]> ways(byte[] bytes, int number, int stride) {
    List<byte[][]> ways = new ArrayList<>();
    ways.add(new byte[][] {bytes});
    boolean everywhere = WHOLE && bytes.length <= CUT_EVERYWHERE;
    if (WHOLE || stride == STRIDE || number % 4 == 0) {
      ways.add(single(bytes));
    }
    int step = everywhere ? 1 : Math.max(stride, bytes.length / 8);
    for (int cut = everywhere ? 1 : 1 + number % step; cut < bytes.length; cut += step) {
      byte[] first = Arrays.copyOf(bytes, cut);
      ways.add(new byte[][] {first, Arrays.copyOfRange(bytes, cut, bytes.length)});
    }
    return ways;
  }

  /** Returns single bytes; of long requests only at both ends. */
  private static byte[][] single(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      boolean within = i >= CUT_EVERYWHERE && i < bytes.length - CUT_EVERYWHERE;
      int end = within ? bytes.length - CUT_EVERYWHERE : i + 1;
      pieces.add(Arrays.copyOfRange(bytes, i, end));
      i = end - 1;
    }
    return pieces.toArray(byte[][]::new);
  }

  /** Reads a body completely and responds if it is valid. */
  private void route(Request req, Response res, Next next) {
    entered.merge(req.url(), 1, Integer::sum);
    req.read(
        new ChunkReader() {
          @Override
          public boolean chunk(ByteBuffer bytes) {
            return true;
          }

          @Override
          public void done(@Nullable Throwable failure) {
            if (failure instanceof HttpError error) {
              res.status(error.status()).end("no"); // like the default page, which also logs
            } else if (failure == null) {
              res.status(req.get("X-Trailer") == null ? 200 : 500).end("ok");
            } else {
              next.fail(failure);
            }
          }
        });
  }
}
