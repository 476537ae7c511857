package dev.percolate.examples.guide;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/** A browser with one passkey (W3C Web Authentication, ES256), which users have unlocked. */
final class FakeAuthenticator {

  private static final int USER_PRESENT_AND_VERIFIED = 0x05;
  private static final int HAS_CREDENTIAL = 0x40;
  private static final byte[] ID = "passkey number 1".getBytes(StandardCharsets.US_ASCII);

  private final String host;
  private final KeyPair keys;

  FakeAuthenticator(String host) throws GeneralSecurityException {
    this.host = host;
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    keys = generator.generateKeyPair();
  }

  /** Returns the JSON of a new passkey. */
  String create(String challenge, String origin) throws GeneralSecurityException {
    Bytes data = new Bytes().add(authenticatorData(HAS_CREDENTIAL));
    data.add(new byte[16]).add(0, ID.length).add(ID).add(publicKey());
    byte[] whole = data.toByteArray();
    Bytes attestation = new Bytes().add(0xa3); // CBOR
    attestation.text("fmt").text("none").text("attStmt").add(0xa0).text("authData");
    attestation.add(0x58, whole.length).add(whole);
    return json(
        client("webauthn.create", challenge, origin),
        "\"attestationObject\":\"" + base64(attestation.toByteArray()) + "\"");
  }

  /** Returns the JSON of a login. */
  String get(String challenge, String origin) throws GeneralSecurityException {
    byte[] client = client("webauthn.get", challenge, origin);
    byte[] data = authenticatorData(0);
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(keys.getPrivate());
    signature.update(data);
    signature.update(sha256(client));
    return json(
        client,
        "\"authenticatorData\":\""
            + base64(data)
            + "\",\"signature\":\""
            + base64(signature.sign())
            + "\"");
  }

  private static byte[] client(String type, String challenge, String origin) {
    String json =
        "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\",\"crossOrigin\":false}"
            .formatted(type, challenge, origin);
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] authenticatorData(int flags) throws GeneralSecurityException {
    return new Bytes()
        .add(sha256(host.getBytes(StandardCharsets.US_ASCII)))
        .add(USER_PRESENT_AND_VERIFIED | flags, 0, 0, 0, 0)
        .toByteArray();
  }

  /** Returns the public key in COSE. */
  private byte[] publicKey() {
    ECPublicKey key = (ECPublicKey) keys.getPublic();
    return new Bytes()
        .add(0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32)
        .add(unsigned(key.getW().getAffineX()))
        .add(0x22, 0x58, 32)
        .add(unsigned(key.getW().getAffineY()))
        .toByteArray();
  }

  private static byte[] unsigned(BigInteger value) {
    byte[] bytes = new byte[32];
    byte[] signed = value.toByteArray();
    int length = Math.min(signed.length, bytes.length);
    System.arraycopy(signed, signed.length - length, bytes, bytes.length - length, length);
    return bytes;
  }

  private static String json(byte[] client, String response) {
    String id = base64(ID);
    return "{\"id\":\"%s\",\"rawId\":\"%s\",\"type\":\"public-key\",\"response\":{%s,%s},%s}"
        .formatted(
            id,
            id,
            "\"clientDataJSON\":\"" + base64(client) + "\"",
            response,
            "\"clientExtensionResults\":{}");
  }

  private static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Collects bytes. */
  private static final class Bytes {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Bytes add(byte[] bytes) {
      out.writeBytes(bytes);
      return this;
    }

    Bytes add(int... bytes) {
      for (int one : bytes) {
        out.write(one);
      }
      return this;
    }

    /** Adds a short text in CBOR. */
    Bytes text(String text) {
      return add(0x60 + text.length()).add(text.getBytes(StandardCharsets.US_ASCII));
    }

    byte[] toByteArray() {
      return out.toByteArray();
    }
  }
}
