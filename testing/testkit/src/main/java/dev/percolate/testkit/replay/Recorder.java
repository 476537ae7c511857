package dev.percolate.testkit.replay;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ByteSize;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Copyable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Middleware that records requests and their responses, so that they can be replayed as a test; see
 * {@link Replay}. Add it before all other middleware.
 *
 * <p>Secrets and personal data are masked before anything is written: cookies, credentials, and the
 * values of fields, parameters and headers with names such as {@code password}, {@code token} or
 * {@code email}, at any depth. A body in which they cannot be found, such as one in an unknown
 * content coding, is not written. Names of your application must be added with {@link #mask},
 * secret parts of paths with {@link #maskPath}, free text with {@link #maskValues}.
 *
 * <p>The part of a request body that the application reads is recorded. WebSockets are not
 * recorded; of event streams and longer bodies, only the head is. A separate thread writes the
 * file. If it cannot keep up, or the file is full, requests are not recorded, and are served as
 * usual.
 *
 * <p>Each option returns a changed copy:
 *
 * <pre>
 *   sample        1        the fraction of clients that are recorded
 *   maxBodySize   64kb     the longest body that is recorded
 *   maxSize       100mb    the size at which recording stops
 *   mask                   further names of secret fields, headers and parameters
 *   maskPath               paths with secret parameters
 *   maskValues             texts that are masked wherever they occur
 * </pre>
 */
@CheckReturnValue
public final class Recorder extends Copyable<Recorder> implements Middleware, AutoCloseable {

  private final RecordingFile file;
  private double sample = 1;
  private int maxBodySize = 64 << 10;
  private long maxSize = 100L << 20;
  private PrivateNames names = new PrivateNames(List.of());
  private List<Pattern> paths = List.of();
  private List<String> values = List.of();

  private Recorder(RecordingFile file) {
    this.file = file;
  }

  /**
   * Creates a recorder that writes one file. An existing file is replaced by the first request.
   *
   * @param file the file, such as {@code shop.json}
   */
  public static Recorder to(Path file) {
    return new Recorder(new RecordingFile(file, false));
  }

  /**
   * Creates a recorder for production. It writes a file for each failure: a response with status
   * code 500 or more, a response that violates the API description, and no response within 10
   * seconds. The file contains up to 20 earlier requests of the same session, so that it is a bug
   * report that can be replayed. The replay fails until the failure is fixed.
   *
   * <p>At most 3 files are written for each route and status code, and 100 in total. Existing files
   * count.
   *
   * @param folder the folder of the files; created if absent
   */
  public static Recorder failures(Path folder) {
    return new Recorder(new RecordingFile(folder, true));
  }

  /**
   * Sets the fraction of clients that are recorded. All requests with the cookies of a recorded
   * client are recorded, so that sessions are complete. Default: 1, all requests.
   *
   * @param fraction 0 to 1
   * @throws IllegalArgumentException if it is outside of this range
   */
  public Recorder sample(double fraction) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("sample must be from 0 to 1, was " + fraction);
    }
    return with(copy -> copy.sample = fraction);
  }

  /**
   * Sets the longest body that is recorded. Default: 64 KiB.
   *
   * @param size a size such as {@code 64kb}
   * @throws IllegalArgumentException if the size is invalid, or more than 4 MiB
   */
  public Recorder maxBodySize(String size) {
    long bytes = ByteSize.bytes("maxBodySize", size);
    if (bytes > 4 << 20) {
      throw new IllegalArgumentException("maxBodySize must be at most 4mb, was " + size);
    }
    return with(copy -> copy.maxBodySize = (int) bytes);
  }

  /**
   * Sets the size of the file, or of all files, at which recording stops. Default: 100 MiB.
   *
   * @param size a size such as {@code 1gb}
   * @throws IllegalArgumentException if the size is invalid
   */
  public Recorder maxSize(String size) {
    return with(copy -> copy.maxSize = ByteSize.bytes("maxSize", size));
  }

  /**
   * Adds names whose values are masked: fields of JSON, forms and multipart bodies, parameters,
   * headers, and elements of XML. A name matches if it contains one of these, in any letter case
   * and with any separators.
   *
   * @param names names such as {@code nickname}
   */
  public Recorder mask(String... names) {
    return with(copy -> copy.names = copy.names.and(names));
  }

  /**
   * Adds a path with secret parameters.
   *
   * @param path a path such as {@code /reset/:token}
   * @throws IllegalArgumentException if the path does not begin with a slash, or has no parameter
   */
  public Recorder maskPath(String path) {
    if (!path.startsWith("/") || !path.contains("/:")) {
      throw new IllegalArgumentException(
          "maskPath must begin with / and have a parameter such as /:token, was " + path);
    }
    return with(copy -> copy.paths = plus(copy.paths, List.of(Masking.path(path))));
  }

  /**
   * Adds texts that are masked wherever they occur, such as the names of customers.
   *
   * @param texts the texts; those with less than 3 characters are ignored
   */
  public Recorder maskValues(List<String> texts) {
    List<String> long3 = texts.stream().filter(text -> text.length() > 2).toList();
    return with(copy -> copy.values = plus(copy.values, long3));
  }

  @Override
  public void handle(Request req, Response res, Next next) {
    if (file.isOpen() && (sample >= 1 || file.clients().records(req, this::chance))) {
      Tape tape = Tape.start(req, maxBodySize, file.held());
      if (tape != null) {
        res.onFinish(
            () -> {
              tape.finish(res);
              file.add(tape, this::text, maxSize);
            });
      }
    }
    next.run();
  }

  /** Writes what is still queued, and stops recording. */
  @Override
  public void close() {
    file.close();
  }

  private boolean chance() {
    return ThreadLocalRandom.current().nextDouble() < sample;
  }

  /** Creates the text of a file. */
  private TapeText text() {
    SecretMarks marks = new SecretMarks();
    return new TapeText(new Masking(names, paths, marks), marks, values, maxBodySize);
  }

  private static <T> List<T> plus(List<T> list, List<T> more) {
    return Stream.concat(list.stream(), more.stream()).toList();
  }
}
