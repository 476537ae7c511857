package dev.percolate.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The keys of an issuer, from its JWK set (RFC 7517). A token with an unknown key causes another
 * load, since the issuer may have new keys.
 */
final class RemoteKeys implements KeySource {

  /** The algorithms of public keys. Those of secrets are missing: a key is never a secret. */
  static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int MOST_KEYS = 100;

  private final CachedValue<JWKSet> keys;

  RemoteKeys(CachedValue<JWKSet> keys) {
    this.keys = keys;
  }

  /** Creates the keys of a JWK set. */
  static RemoteKeys at(URI uri) {
    return new RemoteKeys(new CachedValue<>(() -> load(uri), System::nanoTime));
  }

  /** Creates the keys of an issuer whose metadata names the JWK set. */
  static RemoteKeys of(String issuer) {
    URI metadata = IssuerUri.metadata(issuer);
    return new RemoteKeys(
        new CachedValue<>(
            () ->
                IssuerClient.get(metadata).thenCompose(text -> load(uriIn(text, issuer, metadata))),
            System::nanoTime));
  }

  @Override
  public CompletionStage<JWKSet> find(JWSHeader header) {
    return keys.get()
        .thenCompose(
            set ->
                isKnown(header, set)
                    ? CompletableFuture.completedFuture(set)
                    : keys.newerThan(set));
  }

  private static boolean isKnown(JWSHeader header, JWKSet set) {
    JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
    // Without a matcher, the algorithm is not supported; other keys would not help.
    return matcher == null || !new JWKSelector(matcher).select(set).isEmpty();
  }

  private static CompletionStage<JWKSet> load(URI uri) {
    return IssuerClient.get(uri).thenApply(text -> parse(text, uri));
  }

  /** Parses a JWK set. Keys of unknown types are skipped. */
  static JWKSet parse(String text, URI uri) {
    try {
      JWKSet set = JWKSet.parse(text);
      if (set.size() > MOST_KEYS) {
        throw failure(uri + " has " + set.size() + " keys; at most " + MOST_KEYS + " are used");
      }
      return set;
    } catch (ParseException e) {
      throw new CompletionException(new IOException(uri + " is not a JWK set", e));
    }
  }

  /** Returns the URL of the JWK set in metadata, which must be those of the issuer. */
  static URI uriIn(String text, String issuer, URI metadata) {
    try {
      Map<String, Object> values = JSONObjectUtils.parse(text);
      String named = JSONObjectUtils.getString(values, "issuer");
      if (!issuer.equals(named)) {
        throw failure(metadata + " names the issuer \"" + named + "\", expected \"" + issuer + '"');
      }
      return IssuerUri.of(
          "jwks_uri", String.valueOf(JSONObjectUtils.getString(values, "jwks_uri")));
    } catch (ParseException e) {
      throw new CompletionException(new IOException(metadata + " is not valid metadata", e));
    }
  }

  private static CompletionException failure(String message) {
    return new CompletionException(new IOException(message));
  }
}
