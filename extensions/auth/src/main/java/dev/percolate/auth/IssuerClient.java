package dev.percolate.auth;

import dev.percolate.core.AsyncHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests to issuers, without blocking. The whole exchange has a timeout, and the body
 * of the response has a limit. Redirects are not followed, since they could lead anywhere.
 */
final class IssuerClient {

  static final int MOST_BYTES = 256 * 1024;

  private static final int TIMEOUT_SECONDS = 5;
  private static final int OK = 200;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS))
          .build();

  private IssuerClient() {}

  /**
   * A response.
   *
   * @param status the status code
   * @param contentType the media type
   * @param body the text
   */
  record Reply(int status, String contentType, String body) {}

  /** Returns the body of a resource; an {@link IOException} unless the status code is 200. */
  static CompletionStage<String> get(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "application/json");
    return send(request)
        .thenCompose(
            reply ->
                reply.status() == OK
                    ? CompletableFuture.completedFuture(reply.body())
                    : CompletableFuture.failedFuture(
                        new IOException(uri + " responded with " + reply.status())));
  }

  /** Sends a request; the stage fails with an {@link IOException} that names the URL. */
  static CompletionStage<Reply> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    URI uri = IssuerUri.of("URL of the issuer", request.uri().toString());
    // The JDK completes its own future on the common pool, which an application may block. So the
    // subscriber completes this one.
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    CompletableFuture<HttpResponse<Reply>> sending =
        CLIENT.sendAsync(request, head -> new LimitedBody(head, reply));
    CompletionStage<HttpResponse<Reply>> ignored =
        sending.whenComplete(
            (response, error) -> {
              if (error != null) {
                reply.completeExceptionally(error);
              }
            });
    // The timeout of a request ends with the head of its response, so the body needs another.
    return reply
        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            error -> {
              boolean unused = sending.cancel(true);
              throw new CompletionException(
                  new IOException("cannot read " + uri, AsyncHandler.unwrap(error)));
            });
  }

  /** Collects a body as text, up to the limit. */
  private static final class LimitedBody implements HttpResponse.BodySubscriber<Reply> {

    private final HttpResponse.ResponseInfo head;
    private final CompletableFuture<Reply> reply;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    LimitedBody(HttpResponse.ResponseInfo head, CompletableFuture<Reply> reply) {
      this.head = head;
      this.reply = reply;
    }

    @Override
    public CompletionStage<Reply> getBody() {
      return reply;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> chunks) {
      for (ByteBuffer chunk : chunks) {
        if (bytes.size() + chunk.remaining() > MOST_BYTES) {
          if (subscription != null) {
            subscription.cancel();
          }
          onError(new IOException("the response is larger than " + MOST_BYTES + " bytes"));
          return;
        }
        byte[] part = new byte[chunk.remaining()];
        chunk.get(part);
        bytes.write(part, 0, part.length);
      }
    }

    @Override
    public void onError(Throwable error) {
      reply.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      String type = head.headers().firstValue("Content-Type").orElse("text/plain");
      reply.complete(new Reply(head.statusCode(), type, bytes.toString(StandardCharsets.UTF_8)));
    }
  }
}
