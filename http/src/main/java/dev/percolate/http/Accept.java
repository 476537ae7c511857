package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers by which a client says what it likes: Accept, Accept-Charset, Accept-Language,
 * Accept-Encoding (RFC 9110 section 12.5). Everything is compared by exact case.
 */
public final class Accept {
  private Accept() {}

  /**
   * Parses a list with qualities.
   *
   * @param header the header's value, or null
   * @return the entries with a quality other than 0, the best first, equal ones in their order
   */
  public static List<Entry> parse(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    List<String> texts = ListText.split(header, ',');
    for (int i = 0; i < texts.size(); i++) {
      Entry entry = Entry.parse(texts.get(i), i);
      if (entry.quality != 0 && !Double.isNaN(entry.quality)) {
        entries.add(entry);
      }
    }
    entries.sort(Comparator.comparingDouble(Entry::quality).reversed());
    return Collections.unmodifiableList(entries);
  }

  /**
   * Chooses the content type that a client likes best.
   *
   * @param accept the value of the Accept header, or null
   * @param offers extensions and content types, in the order of the server's liking
   * @return the offer as it was given; the first one without the header, null without a match
   */
  public static @Nullable String best(@Nullable String accept, List<String> offers) {
    return best(accept, offers, MimeTypes.standard());
  }

  /**
   * Returns the content type that a client prefers; see {@link #best(String, List)}.
   *
   * @param accept the value of the Accept header, or null
   * @param offers extensions and content types, in the order of the server's liking
   * @param types the types of extensions
   */
  public static @Nullable String best(
      @Nullable String accept, List<String> offers, MimeTypes types) {
    if (accept == null || accept.isEmpty()) {
      return offers.isEmpty() ? null : offers.get(0);
    }
    List<Entry> offered = new ArrayList<>(offers.size());
    for (String offer : offers) {
      String type = offer.indexOf('/') >= 0 ? offer : types.ofPath(offer);
      offered.add(Entry.parse(type, offered.size()));
    }
    for (Entry entry : parse(accept)) {
      for (Entry offer : offered) {
        if (entry.accepts(offer)) {
          return offers.get(offer.originalIndex);
        }
      }
    }
    return null;
  }

  /**
   * Chooses the content type that a client likes best.
   *
   * @param accept the value of the Accept header, or null
   * @param offers extensions and content types with commas between them
   * @return the offer as it was given; the first one without the header, null without a match
   */
  public static @Nullable String best(@Nullable String accept, String offers) {
    return best(accept, ListText.split(offers, ','));
  }

  /**
   * Returns the content type that a client prefers; see {@link #best(String, String)}.
   *
   * @param accept the value of the Accept header, or null
   * @param offers extensions and content types with commas between them
   * @param types the types of extensions
   */
  public static @Nullable String best(@Nullable String accept, String offers, MimeTypes types) {
    return best(accept, ListText.split(offers, ','), types);
  }

  /**
   * Lists the values of Accept-Charset or Accept-Language.
   *
   * @param header the header's value, or null
   * @return the values without their qualities, the best first
   */
  public static List<String> values(@Nullable String header) {
    return parse(header).stream().map(Entry::value).toList();
  }

  /**
   * Tells whether a charset or language may be sent.
   *
   * @param header the value of Accept-Charset or Accept-Language, or null
   * @param value the charset or language, compared exactly
   * @return true when it is listed, or when the header leaves no value to choose from
   */
  public static boolean allows(@Nullable String header, String value) {
    List<String> values = values(header);
    return values.isEmpty() || values.contains(value);
  }

  /**
   * Lists the entries of Accept-Encoding as they are written.
   *
   * @param header the header's value, or null
   * @return the entries with their qualities, in order of the header
   */
  public static List<String> encodings(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return List.of();
    }
    return Collections.unmodifiableList(ListText.split(ListText.trim(header), ','));
  }

  /**
   * Tells whether an encoding is listed in Accept-Encoding.
   *
   * @param header the header's value, or null
   * @param encoding the encoding, compared exactly
   * @return true when there is such an entry without a quality
   */
  public static boolean allowsEncoding(@Nullable String header, String encoding) {
    return encodings(header).contains(encoding);
  }

  /**
   * Chooses the content codings that a client takes (RFC 9110 section 12.5.3). A star stands for
   * those that are not listed; {@code x-gzip} is {@code gzip}; letter case does not matter. Not
   * chosen is what the client, by listing {@code identity}, likes less than no coding.
   *
   * @param header the value of the Accept-Encoding header, or null
   * @param offers codings in lower case, in the order of the server's liking
   * @return those offers it takes, the best first; none without the header
   */
  public static List<String> codings(@Nullable String header, List<String> offers) {
    Map<String, Double> qualities = new HashMap<>();
    List<String> texts = encodings(header);
    for (int i = 0; i < texts.size(); i++) {
      Entry entry = Entry.parse(texts.get(i).toLowerCase(Locale.ROOT), i);
      String name = entry.value.equals("x-gzip") ? "gzip" : entry.value;
      qualities.putIfAbsent(name, Double.isNaN(entry.quality) ? 0 : entry.quality);
    }
    double others = qualities.getOrDefault("*", 0.0);
    double plain = qualities.getOrDefault("identity", 0.0);
    Map<String, Double> taken = new LinkedHashMap<>();
    for (String offer : offers) {
      double quality = qualities.getOrDefault(offer, others);
      if (quality > 0 && quality >= plain) {
        taken.put(offer, quality);
      }
    }
    List<String> best = new ArrayList<>(taken.keySet());
    best.sort(
        Comparator.comparingDouble((String name) -> taken.getOrDefault(name, 0.0)).reversed());
    return Collections.unmodifiableList(best);
  }

  /**
   * Chooses among media types by RFC 9110 section 12.5.1: the most specific entry that covers an
   * offer says how much the client likes it. Equal ones are ordered by how specific that entry is,
   * then by its position, then by their own order.
   *
   * @param header the value of the Accept header, or null
   * @param offers media types in lower case without parameters
   * @return the best offer; the first one without the header, null if none is accepted
   */
  public static @Nullable String preferred(@Nullable String header, List<String> offers) {
    if (header == null || header.isEmpty()) {
      return offers.get(0);
    }
    String best = null;
    Entry bestEntry = null;
    List<Entry> entries = all(header);
    for (String offer : offers) {
      Entry entry = null;
      for (Entry candidate : entries) {
        if (specific(candidate, offer) > (entry == null ? 0 : specific(entry, offer))) {
          entry = candidate;
        }
      }
      if (entry != null
          && entry.quality > 0
          && (bestEntry == null || best == null || precedes(entry, offer, bestEntry, best))) {
        best = offer;
        bestEntry = entry;
      }
    }
    return best;
  }

  private static boolean precedes(Entry entry, String offer, Entry other, String otherOffer) {
    if (entry.quality != other.quality) {
      return entry.quality > other.quality;
    }
    int difference = specific(entry, offer) - specific(other, otherOffer);
    return difference > 0 || (difference == 0 && entry.originalIndex < other.originalIndex);
  }

  /** Tells how closely an entry describes a type: 0 not at all, 3 by name. */
  private static int specific(Entry entry, String type) {
    String range = ListText.trim(entry.value).toLowerCase(Locale.ROOT);
    if (!entry.params.isEmpty()) {
      return 0; // it asks for a kind of the type that no offer is
    }
    if (range.equals(type)) {
      return 3;
    }
    if (range.equals("*/*")) {
      return 1;
    }
    return range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1)) ? 2 : 0;
  }

  private static List<Entry> all(String header) {
    List<Entry> entries = new ArrayList<>();
    for (String text : ListText.split(header, ',')) {
      entries.add(Entry.parse(text, entries.size()));
    }
    return entries;
  }

  /**
   * Holds one entry of a list with qualities.
   *
   * @param value the entry without parameters
   * @param quality what {@code q} says, 1 without it; not limited to 1
   * @param params the other parameters; one without {@code =} has the value null
   * @param originalIndex the entry's position in the header, from 0
   */
  public record Entry(
      String value, double quality, Map<String, @Nullable String> params, int originalIndex) {

    /**
     * Returns what stands before the slash.
     *
     * @return the type, or the whole value without a slash
     */
    public String type() {
      int slash = value.indexOf('/');
      return slash < 0 ? value : value.substring(0, slash);
    }

    /**
     * Returns what stands after the slash, up to a second one.
     *
     * @return the subtype, or null without a slash
     */
    public @Nullable String subtype() {
      int slash = value.indexOf('/');
      if (slash < 0) {
        return null;
      }
      int end = value.indexOf('/', slash + 1);
      return value.substring(slash + 1, end < 0 ? value.length() : end);
    }

    static Entry parse(String text, int index) {
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
      return new Entry(pieces.get(0), quality, Collections.unmodifiableMap(params), index);
    }

    private boolean accepts(Entry offer) {
      String subtype = subtype();
      return (type().equals("*") || type().equals(offer.type()))
          && subtype != null
          && (subtype.equals("*") || subtype.equals(offer.subtype()))
          && offer.params.entrySet().stream()
              .allMatch(param -> Objects.equals(param.getValue(), params.get(param.getKey())));
    }
  }
}
