package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7692 section 7.1, and RFC 6455 section 9.1 for the grammar. */
class DeflateExtensionTest {

  private static final String AGREED = DeflateExtension.AGREED;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=15",
        "permessage-deflate;client_max_window_bits=\"12\"",
        "permessage-deflate; client_max_window_bits=\"1\\0\"",
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
        " \tpermessage-deflate ; server_no_context_takeover\t",
        "x-webkit-deflate-frame, permessage-deflate",
        "permessage-deflate; unknown, permessage-deflate",
        "permessage-deflate, permessage-deflate; server_max_window_bits=15"
      })
  void aSupportedOfferIsAccepted(String line) {
    assertEquals(AGREED, DeflateExtension.choose(List.of(line)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-bzip2",
        "permessage-deflate; unknown",
        "permessage-deflate; unknown=1",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=1",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=14",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover"
      })
  void anUnsupportedOfferIsIgnored(String line) {
    assertEquals("", DeflateExtension.choose(List.of(line)));
  }

  @Test
  void emptyElementsAreIgnored() {
    for (String line : List.of("", " ", ",", " , ")) {
      assertEquals("", DeflateExtension.choose(List.of(line)));
    }
    String agreed = DeflateExtension.choose(List.of("permessage-deflate"));
    for (String line :
        List.of("permessage-deflate,", ",permessage-deflate", ",, permessage-deflate ,")) {
      assertEquals(agreed, DeflateExtension.choose(List.of(line)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate;",
        "permessage-deflate; =1",
        "permessage-deflate; a=",
        "permessage-deflate; a=\"\"",
        "permessage-deflate; a=\"b",
        "permessage-deflate; a=\"b\\",
        "permessage-deflate; a=\"b c\"",
        "permessage-deflate; a=\"b\" c",
        "permessage-deflate a",
        "permessage-deflate/1",
        "permessage-deflate; a=1=2",
        "caf\u00e9"
      })
  void malformedHeadersAreRejected(String line) {
    assertNull(DeflateExtension.choose(List.of(line)));
    assertNull(DeflateExtension.choose(List.of("permessage-deflate", line)));
  }

  @Test
  void theWindowOfTheServerIsConfirmed() {
    assertEquals(
        AGREED + "; server_max_window_bits=15",
        DeflateExtension.choose(
            List.of("permessage-deflate; client_max_window_bits; server_max_window_bits=15")));
  }

  @Test
  void theFirstSupportedOfferOfAllLinesCounts() {
    assertEquals("", DeflateExtension.choose(List.of()));
    assertEquals(
        AGREED + "; server_max_window_bits=15",
        DeflateExtension.choose(
            List.of(
                "a; b=c", "permessage-deflate; server_max_window_bits=15", "permessage-deflate")));
  }
}
