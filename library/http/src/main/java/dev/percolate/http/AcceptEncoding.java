package dev.percolate.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects how a body is compressed for a client (RFC 9110 section 12.5.3): {@code gzip}, {@code
 * deflate} or not at all.
 *
 * <p>The highest weight wins; then a listed coding wins over {@code *}; then the first in the
 * header; then gzip, deflate, identity in this order. If the client accepts gzip, deflate is never
 * selected, because clients disagree about its format.
 */
public final class AcceptEncoding {

  private static final String IDENTITY = "identity";

  /** The best entry first. */
  private static final Comparator<Entry> ORDER =
      Comparator.comparingDouble(Entry::quality)
          .reversed()
          .thenComparing(entry -> entry.name.equals("*"))
          .thenComparingInt(Entry::position);

  private AcceptEncoding() {}

  /** An entry of the header. */
  private record Entry(String name, double quality, int position) {}

  /**
   * Selects a coding.
   *
   * @param header the value of the Accept-Encoding header, or null
   * @return {@code gzip} or {@code deflate}; null to send the body uncompressed
   */
  public static @Nullable String best(@Nullable String header) {
    List<Entry> entries = entries(header == null ? "" : header);
    String best = best(entries, List.of("gzip", "deflate", IDENTITY));
    if (best != null && best.equals("deflate") && entry(entries, "gzip") != null) {
      best = best(entries, List.of("gzip", IDENTITY));
    }
    return best == null || best.equals(IDENTITY) ? null : best;
  }

  private static @Nullable String best(List<Entry> entries, List<String> offers) {
    String best = null;
    Entry bestEntry = null;
    for (String offer : offers) {
      Entry entry = entry(entries, offer);
      if (entry != null && (bestEntry == null || ORDER.compare(entry, bestEntry) < 0)) {
        bestEntry = entry;
        best = offer;
      }
    }
    return best;
  }

  /** Returns the entry that accepts a coding; null if there is none. */
  private static @Nullable Entry entry(List<Entry> entries, String coding) {
    Entry named = strongest(entries, coding);
    Entry found = named == null ? strongest(entries, "*") : named;
    return found == null || !(found.quality > 0) ? null : found;
  }

  private static @Nullable Entry strongest(List<Entry> entries, String name) {
    Entry found = null;
    for (Entry entry : entries) {
      if (entry.name.equals(name) && (found == null || entry.quality > found.quality)) {
        found = entry;
      }
    }
    return found;
  }

  private static List<Entry> entries(String header) {
    List<Entry> entries = new ArrayList<>();
    double least = 1;
    boolean complete = false;
    for (String text : header.split(",", -1)) {
      Entry entry = entry(text, entries.size());
      if (entry != null) {
        entries.add(entry);
        complete |= entry.name.equals(IDENTITY) || entry.name.equals("*");
        least = entry.quality > 0 ? Math.min(least, entry.quality) : least;
      }
    }
    if (!complete) {
      entries.add(new Entry(IDENTITY, least, entries.size()));
    }
    return entries;
  }

  private static @Nullable Entry entry(String text, int position) {
    String[] parts = text.split(";", -1);
    String name = Accept.coding(ListText.trim(parts[0]));
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      String param = ListText.trim(parts[i]);
      if (param.startsWith("q=") || param.startsWith("Q=")) {
        quality = LeadingNumber.parse(param.substring(2));
        break;
      }
    }
    return name.isEmpty() ? null : new Entry(name, quality, position);
  }
}
