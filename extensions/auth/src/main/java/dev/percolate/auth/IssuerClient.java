package dev.percolate.auth;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import dev.percolate.core.AsyncHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests to issuers, without blocking. The whole exchange has a timeout, and the body
 * of the response has a limit. Redirects are not followed, since they could lead anywhere.
 */
final class IssuerClient {

  static final int MOST_BYTES = 256 * 1024;

  private static final int TIMEOUT_SECONDS = 5;
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS))
          .build();

  private IssuerClient() {}

  /**
   * Returns the URL of an option.
   *
   * @param option the option, for the message
   * @throws IllegalArgumentException if it is not an absolute HTTPS URL, or an HTTP URL of this
   *     machine
   */
  static URI uri(String option, String url) {
    try {
      URI uri = URI.create(url);
      String scheme = uri.getScheme();
      String host = uri.getHost();
      boolean local = "http".equals(scheme) && THIS_MACHINE.contains(String.valueOf(host));
      if (host != null && (local || "https".equals(scheme))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + " must be a URL, was \"" + url + '"', e);
    }
    throw new IllegalArgumentException(
        option + " must be an https URL, or an http URL of localhost, was \"" + url + '"');
  }

  /** Returns the URL of the metadata of an issuer (OpenID Connect Discovery, section 4). */
  static URI metadataUri(String issuer) {
    return URI.create(issuer.replaceFirst("/$", "") + "/.well-known/openid-configuration");
  }

  /** Returns the metadata of an issuer. */
  static CompletionStage<Map<String, Object>> metadata(String issuer) {
    return get(metadataUri(issuer)).thenApply(text -> metadata(text, issuer));
  }

  /** Parses metadata, which must be those of the issuer. */
  static Map<String, Object> metadata(String text, String issuer) {
    try {
      Map<String, Object> values = JSONObjectUtils.parse(text);
      Object named = values.get("issuer");
      if (!issuer.equals(named)) {
        String message = "metadata of " + issuer + " names the issuer \"" + named + '"';
        throw failure(message, null);
      }
      return values;
    } catch (ParseException e) {
      throw failure("metadata of " + issuer + " is invalid", e);
    }
  }

  /** Returns the body of a resource; an {@link IOException} unless the status code is 200. */
  static CompletionStage<String> get(URI uri) {
    return send(HttpRequest.newBuilder(uri).header("Accept", "application/json"))
        .thenApply(
            response -> {
              if (response.getStatusCode() != HTTPResponse.SC_OK) {
                throw failure(uri + " responded with " + response.getStatusCode(), null);
              }
              return response.getBody();
            });
  }

  /** Sends a request; the stage fails with an {@link IOException} that names the URL. */
  static CompletionStage<HTTPResponse> send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    URI uri = uri("URL of the issuer", request.uri().toString());
    // The JDK completes its own future on the common pool, which an application may block. So the
    // reader of the body completes this one.
    CompletableFuture<HTTPResponse> response = new CompletableFuture<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CompletableFuture<?> sending =
        CLIENT.sendAsync(
            request,
            head ->
                BodySubscribers.ofByteArrayConsumer(part -> receive(part, head, bytes, response)));
    CompletableFuture<?> ignored =
        sending.whenComplete(
            (done, error) -> {
              if (error != null) {
                response.completeExceptionally(error);
              }
            });
    // The timeout of a request ends with the head of its response, so the body needs another.
    return response
        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .exceptionally(
            error -> {
              boolean unused = sending.cancel(true);
              throw failure("cannot read " + uri, AsyncHandler.unwrap(error));
            });
  }

  /** Receives a part of a body, up to the limit, or its end. */
  private static void receive(
      Optional<byte[]> part,
      ResponseInfo head,
      ByteArrayOutputStream bytes,
      CompletableFuture<HTTPResponse> response) {
    if (part.isEmpty()) {
      HTTPResponse whole = new HTTPResponse(head.statusCode());
      head.headers().firstValue("Content-Type").ifPresent(t -> whole.setHeader("Content-Type", t));
      whole.setBody(bytes.toString(StandardCharsets.UTF_8));
      response.complete(whole);
    } else if (bytes.size() + part.get().length > MOST_BYTES) {
      String message = "the response is larger than " + MOST_BYTES + " bytes";
      response.completeExceptionally(new IOException(message));
    } else {
      bytes.writeBytes(part.get());
    }
  }

  /** Returns the error of a stage: the issuer does not respond as it should. */
  static CompletionException failure(String message, @Nullable Throwable cause) {
    return new CompletionException(new IOException(message, cause));
  }
}
