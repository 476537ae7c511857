package dev.percolate.testkit;

import dev.percolate.http.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Collects a response while it arrives. Callers can wait for parts of it. */
final class IncomingReply {

  static final long DEADLINE_SECONDS = 10;

  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final String call;
  private final Supplier<String> place;
  private int status;
  private Headers headers = new Headers();
  private boolean over;
  private boolean complete;
  private String trouble = "";

  /**
   * Creates an empty response.
   *
   * @param call the method and target, for messages
   * @param place the current position of the request for messages; empty if unknown
   */
  IncomingReply(String call, Supplier<String> place) {
    this.call = call;
    this.place = place;
  }

  synchronized void start(int status, Headers headers) {
    this.status = status;
    this.headers = headers;
    notifyAll();
  }

  synchronized void add(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    body.writeBytes(copy);
    notifyAll();
  }

  synchronized void end(boolean complete) {
    if (!over) {
      over = true;
      this.complete = complete;
      notifyAll();
    }
  }

  /** Ends a malformed response. Callers that wait for it get an error. */
  synchronized void fail(String trouble) {
    this.trouble = trouble;
    end(false);
  }

  synchronized boolean isOver() {
    return over;
  }

  Reply head() {
    return await("head", () -> status != 0);
  }

  synchronized Reply soFar() {
    return new Reply(status, headers, body.toByteArray(), complete, over && !complete);
  }

  /** Waits until the body is longer than {@code from}. Returns the rest; empty at the end. */
  byte[] more(int from) {
    await("more", () -> body.size() > from);
    byte[] all = soFar().bytes();
    return Arrays.copyOfRange(all, Math.min(from, all.length), all.length);
  }

  Reply whole() {
    return await("end", () -> false);
  }

  void text(String text) {
    Reply reply =
        await('"' + text + '"', () -> body.toString(StandardCharsets.UTF_8).contains(text));
    if (!reply.text().contains(text)) {
      throw new AssertionError(call + ": response ended without \"" + text + "\": " + reply);
    }
  }

  private synchronized Reply await(String what, BooleanSupplier there) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!over && !there.getAsBoolean()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        throw new AssertionError(
            call + ": no " + what + " of a response within " + DEADLINE_SECONDS + " s" + so());
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(call + ": interrupted while waiting for the " + what + so(), e);
      }
    }
    if (!trouble.isEmpty()) {
      throw new AssertionError(call + ": " + trouble + so());
    }
    return soFar();
  }

  private String so() {
    String stands = place.get();
    return (stands.isEmpty() ? "" : "; current position: " + stands)
        + "; received: status "
        + status
        + " and "
        + body.size()
        + " bytes of the body";
  }
}
