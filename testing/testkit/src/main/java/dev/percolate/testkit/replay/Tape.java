package dev.percolate.testkit.replay;

import dev.percolate.core.BodyFilter;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import dev.percolate.http.Target;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Copies one request and its response, up to the limit of bodies. Contains secrets in clear. */
final class Tape implements BodyFilter {

  /** The maximum number of bytes of all tapes of a recorder. */
  private static final long MOST_HELD = 16 << 20;

  /** The approximate memory of a tape without bodies, in bytes. */
  private static final int BASE = 2 << 10;

  final Instant at = Instant.now();
  final String method;
  final String target;
  final Headers headers;
  final Copy body;
  final Copy responseBody;
  final List<String> warnings = new CopyOnWriteArrayList<>();
  Headers responseHeaders = new Headers();
  int status;
  boolean finished;
  String route = "";

  private final AtomicLong held;
  private final int limit;

  /** A copy of a body. */
  static final class Copy {

    private final int limit;
    private final AtomicLong held;
    private @Nullable ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);
    private String omitted = "";

    Copy(int limit, AtomicLong held) {
      this.limit = limit;
      this.held = held;
    }

    synchronized void add(ByteBuffer chunk) {
      ByteArrayOutputStream kept = bytes;
      if (kept == null) {
        return;
      }
      int size = chunk.remaining();
      if (size > limit - kept.size()) {
        omit("longer than " + limit + " bytes");
      } else if (size > 0) {
        if (held.addAndGet(size) > MOST_HELD) {
          held.addAndGet(-size);
          omit("too many requests at the same time");
          return;
        }
        byte[] copy = new byte[size];
        chunk.duplicate().get(copy);
        kept.writeBytes(copy);
      }
    }

    synchronized void omit(String reason) {
      ByteArrayOutputStream kept = bytes;
      if (kept != null) {
        held.addAndGet(-kept.size());
        bytes = null;
        omitted = reason;
      }
    }

    /** Returns the body; null if it is omitted. */
    synchronized byte @Nullable [] bytes() {
      return bytes == null ? null : bytes.toByteArray();
    }

    synchronized String omitted() {
      return omitted;
    }
  }

  private Tape(Request req, int limit, AtomicLong held) {
    this.method = req.method();
    String sent = req.originalUrl();
    String own = sent.substring(Target.pathStart(sent)); // without the authority, if any
    this.target = own.startsWith("/") || own.equals("*") ? own : "/" + own;
    this.headers = req.headers().copy();
    this.limit = limit;
    this.held = held;
    this.body = new Copy(limit, held);
    this.responseBody = new Copy(limit, held);
    held.addAndGet(BASE);
  }

  /** Starts to copy a request; returns null if too much is copied already. */
  static @Nullable Tape start(Request req, int limit, AtomicLong held) {
    if (held.get() + BASE > MOST_HELD) {
      return null;
    }
    Tape tape = new Tape(req, limit, held);
    Response res = req.response();
    RequestControl.onWarning(req, tape.warnings::add);
    if (ContentLength.announced(tape.headers) > limit) {
      tape.body.omit("longer than " + limit + " bytes");
    } else if (req.hasBody()) {
      RequestControl.onBody(req, tape.body::add);
    }
    res.onHeaders(() -> tape.filter(res));
    return tape;
  }

  private void filter(Response res) {
    String type = res.get("Content-Type");
    if (type != null && type.startsWith("text/event-stream")) {
      responseBody.omit("an event stream");
    } else if (ContentLength.announced(res.headers()) > limit) {
      responseBody.omit("longer than " + limit + " bytes");
    } else {
      Response unused = res.filter(this);
    }
  }

  @Override
  public ByteBuffer write(ByteBuffer piece) {
    responseBody.add(piece);
    return piece;
  }

  /** Stores the head of the response. */
  void finish(Response res) {
    status = res.sentStatus();
    finished = res.finished();
    responseHeaders = res.headers().copy();
    route = String.valueOf(res.req().routePath());
  }

  /** Frees the memory of this tape. */
  void release() {
    body.omit("");
    responseBody.omit("");
    held.addAndGet(-BASE);
  }
}
