package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The selected type was offered, and listed values are allowed. */
final class AcceptFuzzTest {

  @FuzzTest
  void negotiationChoosesAmongItsOffers(byte[] data) {
    String header = FuzzLines.text(data);
    List<String> offers = List.of("html", "application/json", "text/*", "png");
    String best = Accept.best(header, offers);
    assertTrue(best == null || offers.contains(best));
    List<String> codings = Accept.codings(header, List.of("br", "gzip"));
    assertTrue(Set.of("br", "gzip").containsAll(codings));
    assertTrue(Accept.encodings(header).size() <= header.length() + 1);
    for (Accept.Entry entry : Accept.parse(header)) {
      assertTrue(entry.value().startsWith(entry.type()), entry::toString);
    }
    assertTrue(Accept.allowsCharset(null, header));
    assertTrue(Accept.allowsLanguage(null, header));
    if (Accept.allowsLanguage(header, "en") && !header.isBlank()) {
      String lower = header.toLowerCase(Locale.ROOT);
      boolean empty = Accept.parse(header).isEmpty();
      assertTrue(lower.contains("en") || lower.contains("*") || empty, header);
    }
    for (Negotiation rules : Negotiation.values()) {
      String chosen = rules.best(header, offers, MimeTypes.standard());
      assertTrue(chosen == null || offers.contains(chosen));
    }
  }
}
