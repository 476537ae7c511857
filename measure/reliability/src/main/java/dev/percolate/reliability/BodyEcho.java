package dev.percolate.reliability;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.reliability.Ledger.Entry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Reads a body piece by piece, and responds with it; each call is recorded as a step. */
final class BodyEcho implements ChunkReader, Flow.Subscriber<ByteBuffer> {

  private final Entry entry;
  private final Response res;
  private final boolean atOnce;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private Flow.@Nullable Subscription subscription;

  private BodyEcho(Entry entry, Response res, boolean atOnce) {
    this.entry = entry;
    this.res = res;
    this.atOnce = atOnce;
  }

  /** Reads a body to its end, then responds. */
  static BodyEcho whole(Entry entry, Response res) {
    return new BodyEcho(entry, res, false);
  }

  /** Responds with each piece as soon as it arrives. */
  static BodyEcho atOnce(Entry entry, Response res) {
    return new BodyEcho(entry, res, true);
  }

  /** Reads the first piece, then runs the task that responds. */
  static void first(Entry entry, Request req, Runnable response) {
    req.read(
        new ChunkReader() {
          @Override
          public boolean chunk(ByteBuffer bytes) {
            return false;
          }

          @Override
          public void done(@Nullable Throwable failure) {
            if (failure == null) {
              note(entry, response::run);
            }
          }
        });
  }

  @Override
  public boolean chunk(ByteBuffer bytes) throws Exception {
    entry.step(() -> take(bytes));
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    if (failure == null) {
      note(entry, this::end);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(1);
  }

  @Override
  public void onNext(ByteBuffer bytes) {
    note(entry, () -> take(bytes));
    if (subscription != null) {
      subscription.request(1 + ThreadLocalRandom.current().nextInt(2));
    }
  }

  @Override
  public void onError(Throwable failure) {
    done(failure);
  }

  @Override
  public void onComplete() {
    done(null);
  }

  private void take(ByteBuffer bytes) throws Exception {
    byte[] piece = new byte[bytes.remaining()];
    bytes.get(piece);
    if (atOnce) {
      res.write(piece);
    } else {
      body.writeBytes(piece);
    }
  }

  private void end() {
    if (atOnce) {
      res.end();
    } else {
      res.send(body.toByteArray());
    }
  }

  private static void note(Entry entry, Ledger.Step step) {
    try {
      entry.step(step);
    } catch (Exception e) {
      // Only a response after the timeout fails here.
      if (!entry.isOlderThan(HandlerKind.ANSWER_MS / 2)) {
        entry.fault("failed: " + e);
      }
    }
  }
}
