package dev.percolate.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The keys of tokens that are signed and verified with a shared secret (HS256). */
final class TokenSecret {

  /** The length of the hash, and so the minimum length of the secret (RFC 7518 section 3.2). */
  private static final int FEWEST_BYTES = 32;

  private TokenSecret() {}

  static OctetSequenceKey key(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < FEWEST_BYTES) {
      throw new IllegalArgumentException(
          "secret must have at least "
              + FEWEST_BYTES
              + " bytes, had "
              + bytes.length
              + ". Create one: openssl rand -base64 32");
    }
    return new OctetSequenceKey.Builder(bytes).algorithm(JWSAlgorithm.HS256).build();
  }

  static JWKSet keys(String secret, String... previous) {
    List<JWK> all = new ArrayList<>();
    all.add(key(secret));
    for (String old : previous) {
      all.add(key(old));
    }
    return new JWKSet(all);
  }
}
