package dev.percolate.auth;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  /** Returns the body of a resource; an {@link IOException} unless the status code is 200. */
  static CompletionStage<String> get(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "application/json");
    return send(request)
        .thenCompose(
            response ->
                response.statusCode() == OK
                    ? CompletableFuture.completedFuture(response.body())
                    : CompletableFuture.failedFuture(
                        new IOException(uri + " responded with " + response.statusCode())));
  }

  /** Sends a request; the stage fails with an {@link IOException} that names the URL. */
  static CompletionStage<HttpResponse<String>> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    URI uri = IssuerUri.of("URL of the issuer", request.uri().toString());
    CompletableFuture<HttpResponse<String>> sent =
        CLIENT.sendAsync(request, info -> new LimitedBody());
    CompletableFuture<HttpResponse<String>> result = new CompletableFuture<>();
    CompletionStage<HttpResponse<String>> sending = sent;
    sending.whenComplete(
        (response, error) -> {
          boolean unused =
              error == null
                  ? result.complete(response)
                  : result.completeExceptionally(new IOException("cannot read " + uri, error));
        });
    // The timeout of a request ends with the head of its response, so the body needs another.
    CompletionStage<HttpResponse<String>> limited =
        result.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    limited.whenComplete(
        (response, error) -> {
          if (error instanceof TimeoutException) {
            boolean unused = sent.cancel(true);
          }
        });
    return limited;
  }

  /** Collects a body as text, up to the limit. */
  private static final class LimitedBody implements HttpResponse.BodySubscriber<String> {

    private final CompletableFuture<String> text = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
      return text;
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
      text.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      text.complete(bytes.toString(StandardCharsets.UTF_8));
    }
  }
}
