package dev.percolate.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests at a size limit are accepted, those one byte larger are not, however they are split. */
final class LimitsTest {

  private static String read(String request, int size) {
    return Reading.of(request.getBytes(ISO_8859_1), size);
  }

  /** Returns a request line with a target of the given length. */
  private static String lineOf(int length) {
    return "GET /" + "x".repeat(length - 1) + " HTTP/1.1\r\n";
  }

  private static String headersOf(int length) {
    String host = "Host: a";
    return host + "\r\nX: " + "y".repeat(length - host.length() - "X: ".length()) + "\r\n\r\n";
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void targetsMayBeAsLongAsTheLimit(int size) {
    String rest = "Host: a\r\n\r\n";
    assertTrue(read(lineOf(Reading.MAX_LINE) + rest, size).startsWith("\n0 GET /x"));
    assertEquals("\nrefused 414", read(lineOf(Reading.MAX_LINE + 1) + rest, size));
    assertEquals("\nrefused 414", read(lineOf(Reading.MAX_LINE + 500) + rest, size));
    String longMethod = "M".repeat(64) + lineOf(Reading.MAX_LINE).substring("GET".length());
    assertTrue(read(longMethod + rest, size).startsWith("\n0 MMM"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void aMethodHasAtMost64Bytes(int size) {
    String rest = " / HTTP/1.1\r\nHost: a\r\n\r\n";
    assertTrue(read("M".repeat(64) + rest, size).startsWith("\n0 MMM"));
    assertEquals("\nrefused 400", read("M".repeat(65) + rest, size));
    assertEquals("\nrefused 400", read("M".repeat(100_000) + rest, size));
    assertEquals("\nrefused 400", read("M".repeat(65) + lineOf(1000) + rest, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void aLongTargetIs414WhateverFollows(int size) {
    String target = "x".repeat(Reading.MAX_LINE + 1);
    for (String rest : List.of(" HTTP/2.0\r\n", " HTTP/01.01\r\n", " b c\r\n", "\r\n", "\n")) {
      assertEquals("\nrefused 414", read("GET /" + target + rest, size), rest);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void allHeadersTogetherMayBeAsLongAsTheLimit(int size) {
    String line = "GET / HTTP/1.1\r\n";
    assertTrue(read(line + headersOf(Reading.MAX_HEADERS), size).startsWith("\n0 GET /"));
    assertEquals("\nrefused 431", read(line + headersOf(Reading.MAX_HEADERS + 1), size));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void theHighestLimitsDoNotOverflow(int size) {
    int most = Integer.MAX_VALUE;
    ListenOptions options = ListenOptions.ofPort(0).maxTargetLength(most).maxHeaderBytes(most);
    HeadParser parser = new HeadParser(options, new RecentValues());
    byte[] request = (lineOf(100) + headersOf(300)).getBytes(ISO_8859_1);
    for (int at = 0; at < request.length; at += size) {
      int ignored = parser.parse(request, at, Math.min(request.length, at + size));
    }
    assertEquals(HeadParser.State.WHOLE, parser.state());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10_000})
  void trailersMayBeAsManyAsTheLimit(int size) {
    String head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nz\r\n0\r\n";
    String most = read(head + "X:1\r\n".repeat(100) + "\r\n", size);
    assertTrue(most.endsWith("z"), most);
    String more = read(head + "X:1\r\n".repeat(101) + "\r\n", size);
    assertTrue(more.endsWith("malformed"), more);
  }
}
