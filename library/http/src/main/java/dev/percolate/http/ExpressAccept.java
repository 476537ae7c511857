package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers that {@link Accept} reads, but like Express 3: everything is case-sensitive.
 */
final class ExpressAccept {

  private ExpressAccept() {}

  /**
   * Returns the entries with a weight other than 0, highest first; equal weights keep their order.
   */
  static List<Accept.Entry> parse(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return List.of();
    }
    List<Accept.Entry> entries = new ArrayList<>();
    List<String> texts = ListText.split(header, ',');
    for (int i = 0; i < texts.size(); i++) {
      Accept.Entry entry = entry(texts.get(i), i);
      if (entry.quality() != 0 && !Double.isNaN(entry.quality())) {
        entries.add(entry);
      }
    }
    entries.sort(Comparator.comparingDouble(Accept.Entry::quality).reversed());
    return Collections.unmodifiableList(entries);
  }

  /** Returns the first offer that matches the best entry, as given; null if none does. */
  static @Nullable String best(@Nullable String accept, List<String> offers, MimeTypes types) {
    if (accept == null || accept.isEmpty()) {
      return offers.isEmpty() ? null : offers.get(0);
    }
    List<Accept.Entry> offered = new ArrayList<>(offers.size());
    for (String offer : offers) {
      String type = offer.indexOf('/') >= 0 ? offer : types.ofPath(offer);
      offered.add(entry(type, offered.size()));
    }
    for (Accept.Entry entry : parse(accept)) {
      for (Accept.Entry offer : offered) {
        if (accepts(entry, offer)) {
          return offers.get(offer.originalIndex());
        }
      }
    }
    return null;
  }

  /** Returns true if a charset or language is listed, or if the header lists none. */
  static boolean allows(@Nullable String header, String value) {
    List<Accept.Entry> entries = parse(header);
    return entries.isEmpty() || entries.stream().anyMatch(entry -> entry.value().equals(value));
  }

  /** Returns true if an encoding is listed without a weight. */
  static boolean allowsEncoding(@Nullable String header, String encoding) {
    return Accept.encodings(header).contains(encoding);
  }

  private static Accept.Entry entry(String text, int index) {
    List<String> pieces = ListText.split(text, ';');
    Map<String, @Nullable String> params = new LinkedHashMap<>();
    double quality = 1;
    for (String piece : pieces.subList(1, pieces.size())) {
      List<String> pair = ListText.split(piece, '=');
      String value = pair.size() < 2 ? null : pair.get(1);
      if (pair.get(0).equals("q")) {
        quality = LeadingNumber.parse(value);
      } else {
        params.put(pair.get(0), value);
      }
    }
    return new Accept.Entry(pieces.get(0), quality, Collections.unmodifiableMap(params), index);
  }

  private static boolean accepts(Accept.Entry entry, Accept.Entry offer) {
    String subtype = entry.subtype();
    return (entry.type().equals("*") || entry.type().equals(offer.type()))
        && subtype != null
        && (subtype.equals("*") || subtype.equals(offer.subtype()))
        && offer.params().entrySet().stream()
            .allMatch(
                param -> Objects.equals(param.getValue(), entry.params().get(param.getKey())));
  }
}
