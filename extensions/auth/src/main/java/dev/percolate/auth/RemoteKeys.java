package dev.percolate.auth;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.net.URI;
import java.text.ParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The keys of an issuer, from its JWK set (RFC 7517). A token with an unknown key causes another
 * load, since the issuer may have new keys.
 */
final class RemoteKeys {

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
    Supplier<CompletionStage<JWKSet>> loader =
        () -> IssuerClient.metadata(issuer).thenCompose(known -> load(uriIn(known)));
    return new RemoteKeys(new CachedValue<>(loader, System::nanoTime));
  }

  /**
   * Returns the current keys. They may lack the key of the header.
   *
   * @param header the header of a token, which names its key
   * @return the keys; the stage fails if they are not available
   */
  CompletionStage<JWKSet> find(JWSHeader header) {
    return keys.get()
        .thenCompose(
            set ->
                isKnown(header, set) ? CompletableFuture.completedStage(set) : keys.newerThan(set));
  }

  private static boolean isKnown(JWSHeader header, JWKSet set) {
    JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
    // Without a matcher, the algorithm is not supported; other keys would not help.
    return matcher == null || !new JWKSelector(matcher).select(set).isEmpty();
  }

  private static CompletionStage<JWKSet> load(URI uri) {
    return IssuerClient.get(uri).thenApply(text -> parse(text, uri));
  }

  /** Parses a JWK set. Keys that cannot be used are skipped (RFC 7517 section 5). */
  static JWKSet parse(String text, URI uri) {
    List<Object> all;
    try {
      Map<String, Object> set = JSONObjectUtils.parse(text);
      all = set == null ? null : JSONObjectUtils.getJSONArray(set, "keys");
    } catch (ParseException e) {
      throw IssuerClient.failure(uri + " is not a JWK set", e);
    }
    if (all == null) {
      throw IssuerClient.failure(uri + " is not a JWK set: it has no keys", null);
    }
    if (all.size() > MOST_KEYS) {
      String message = uri + " has " + all.size() + " keys; at most " + MOST_KEYS + " are used";
      throw IssuerClient.failure(message, null);
    }
    return new JWKSet(all.stream().flatMap(one -> key(one).stream()).toList());
  }

  /** Parses a key. Empty if its type or curve is unknown, or it lacks a required member. */
  private static Optional<JWK> key(Object values) {
    if (!(values instanceof Map<?, ?> members)) {
      return Optional.empty();
    }
    Map<String, Object> key = new LinkedHashMap<>();
    members.forEach((name, value) -> key.put(String.valueOf(name), value));
    try {
      return Optional.of(JWK.parse(key));
    } catch (ParseException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** Returns the URL of the JWK set in metadata. */
  static URI uriIn(Map<String, Object> metadata) {
    return IssuerClient.uri("jwks_uri", String.valueOf(metadata.get("jwks_uri")));
  }
}
