package dev.percolate.nio.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads PEM files (RFC 7468) with certificates, and with private keys as written by OpenSSL. */
final class PemFile {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  /** The tag of an ASN.1 structure. */
  private static final int SEQUENCE = 0x30;

  private static final int OCTETS = 0x04;

  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

  private PemFile() {}

  private record Block(String kind, String text) {

    byte[] bytes() {
      return Base64.getMimeDecoder().decode(text);
    }
  }

  /**
   * Reads certificates.
   *
   * @return the certificates in their order, at least one
   */
  static List<X509Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> all = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.kind.equals("CERTIFICATE")) {
        ByteArrayInputStream in = new ByteArrayInputStream(block.bytes());
        all.add((X509Certificate) factory.generateCertificate(in));
      }
    }
    if (all.isEmpty()) {
      throw new CertificateException("no BEGIN CERTIFICATE block");
    }
    return all;
  }

  /**
   * Reads a private key.
   *
   * @param of the public key of the pair, which determines the type
   */
  static PrivateKey key(Path file, PublicKey of) throws IOException, GeneralSecurityException {
    for (Block block : blocks(file)) {
      if (block.kind.equals("ENCRYPTED PRIVATE KEY") || block.text.contains("ENCRYPTED")) {
        throw new GeneralSecurityException("encrypted private key. Decrypt it with openssl pkey.");
      }
      switch (block.kind) {
        case "PRIVATE KEY" -> {
          return key(block.bytes(), of);
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
          return key(wrapped(block.bytes(), of), of);
        }
        default -> {} // such as EC PARAMETERS, which the public key also contains
      }
    }
    throw new GeneralSecurityException("no BEGIN PRIVATE KEY block");
  }

  private static PrivateKey key(byte[] pkcs8, PublicKey of) throws GeneralSecurityException {
    return KeyFactory.getInstance(of.getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  /**
   * Wraps a PKCS #1 or SEC 1 key in PKCS #8, with the algorithm of the public key before it (RFC
   * 5280 section 4.1, RFC 5208 section 5).
   */
  private static byte[] wrapped(byte[] key, PublicKey of) {
    byte[] info = of.getEncoded();
    int begin = contentOf(info, 0);
    int kind = contentOf(info, begin);
    int end = kind + lengthAt(info, begin);
    byte[] algorithm = Arrays.copyOfRange(info, begin, end);
    return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, key));
  }

  /** Returns the index at which the content of an element begins. */
  private static int contentOf(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int lengthAt(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] element(int kind, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(kind);
    int length = content.size();
    if (length > 0xff) {
      all.write(0x82); // two bytes of length
      all.write(length >> 8);
    } else if (length > 0x7f) {
      all.write(0x81);
    }
    all.write(length);
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }

  private static List<Block> blocks(Path file) throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    List<Block> all = new ArrayList<>();
    while (matcher.find()) {
      all.add(new Block(matcher.group(1), matcher.group(2)));
    }
    return all;
  }
}
