package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers that list a client's preferences: Accept, Accept-Charset, Accept-Language and
 * Accept-Encoding (RFC 9110 section 12.5).
 *
 * <p>Media types, charsets, languages, codings and the {@code q} of weights are case-insensitive.
 * The most specific entry that matches an offer sets its weight, so {@code q=0} excludes an offer
 * even if a wildcard matches it. An entry with an invalid weight is ignored; other weights are
 * limited to the range 0 to 1. Commas and semicolons in quoted parameters are not separators.
 */
public final class Accept {

  private static final String IDENTITY = "identity";
  private static final int NO_MATCH = -1;

  private Accept() {}

  /**
   * Parses a list with weights.
   *
   * @param header the header's value, or null
   * @return the entries with a weight above 0, highest first; entries of equal weight keep their
   *     order
   */
  public static List<Entry> parse(@Nullable String header) {
    List<Entry> entries = new ArrayList<>(entries(header));
    entries.removeIf(entry -> entry.quality == 0);
    entries.sort(Comparator.comparingDouble(Entry::quality).reversed());
    return Collections.unmodifiableList(entries);
  }

  /**
   * Returns the content type that a client prefers (RFC 9110 section 12.5.1). Offers of the same
   * weight are ordered by how specific their matching entry is, then by the position of that entry,
   * then by their own order.
   *
   * <p>An entry with parameters matches an offer with the same parameters. If nothing else is
   * acceptable, it also matches an offer without them: {@code Accept: application/json;version=1}
   * matches {@code json}. The parameter {@code charset} is ignored, since {@code Accept-Charset}
   * negotiates charsets. A lone {@code *}, as sent by the JDK's {@code HttpURLConnection}, matches
   * every type.
   *
   * @param accept the value of the Accept header, or null
   * @param offers file extensions and content types, in order of the server's preference
   * @return the offer as given; the first offer if the header is absent, null if no offer is
   *     acceptable
   */
  public static @Nullable String best(@Nullable String accept, List<String> offers) {
    return best(accept, offers, MimeTypes.standard());
  }

  /**
   * Returns the content type that a client prefers; see {@link #best(String, List)}.
   *
   * @param accept the value of the Accept header, or null
   * @param offers file extensions and content types, in order of the server's preference
   * @param types the media types of extensions
   * @return the offer as given; the first offer if the header is absent, null if no offer is
   *     acceptable
   */
  public static @Nullable String best(
      @Nullable String accept, List<String> offers, MimeTypes types) {
    List<Entry> listed = readable(accept);
    if (listed.isEmpty()) { // also if the header has empty elements only (section 5.6.1.2)
      return offers.isEmpty() ? null : offers.get(0);
    }
    List<Entry> ranges = weighted(listed);
    List<Entry> offered = new ArrayList<>(offers.size());
    for (String offer : offers) {
      String type = offer.indexOf('/') >= 0 ? offer : types.ofPath(offer);
      offered.add(Entry.parse(type, offered.size()));
    }
    int best = best(ranges, offered, false);
    best = best < 0 ? best(ranges, offered, true) : best;
    return best < 0 ? null : offers.get(best);
  }

  /**
   * Returns whether a client accepts a charset (RFC 9110 section 12.5.2).
   *
   * @param header the value of Accept-Charset, or null
   * @param charset the charset
   * @return true if it is accepted, or if the header is absent or empty
   */
  public static boolean allowsCharset(@Nullable String header, String charset) {
    List<Entry> entries = entries(header);
    return entries.isEmpty() || weight(entries, charset, 0) > 0;
  }

  /**
   * Returns whether a client accepts a language (RFC 9110 section 12.5.4). A language range matches
   * an equal tag and a longer tag that starts with it: {@code en} matches {@code en-GB} (RFC 4647
   * section 3.3.1). The longest matching range sets the weight. If no range matches, a range that
   * starts with the tag does: {@code en-GB} then matches {@code en} (lookup, RFC 4647 section 3.4).
   * An underscore, as in the names of Java's locales, which some clients send, counts as a hyphen.
   *
   * @param header the value of Accept-Language, or null
   * @param tag the language
   * @return true if it is accepted, or if the header is absent or empty
   */
  public static boolean allowsLanguage(@Nullable String header, String tag) {
    String language = tag.replace('_', '-');
    List<Entry> ranges = entries(header);
    int longest = 0;
    double weight = 0;
    boolean lookup = ranges.isEmpty();
    for (Entry range : ranges) {
      String value = range.value.replace('_', '-');
      boolean star = value.equals("*");
      int length = star ? 0 : value.length();
      if (star || begins(value, language)) {
        if (length > longest || (length == longest && range.quality > weight)) {
          weight = range.quality;
          longest = length;
        }
      } else {
        lookup |= range.quality > 0 && begins(language, value);
      }
    }
    return longest > 0 ? weight > 0 : lookup || weight > 0;
  }

  /**
   * Returns the entries of Accept-Encoding as written.
   *
   * @param header the header's value, or null
   * @return the entries with their weights, in header order
   */
  public static List<String> encodings(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return List.of();
    }
    return Collections.unmodifiableList(ListText.split(ListText.trim(header), ','));
  }

  /**
   * Returns whether a client accepts a content coding (RFC 9110 section 12.5.3). {@code identity}
   * is accepted unless it is excluded, other codings only if they or {@code *} are listed. The name
   * {@code x-gzip} is equal to {@code gzip} (section 8.4.1.3).
   *
   * @param header the value of Accept-Encoding, or null
   * @param coding the coding
   */
  public static boolean allowsEncoding(@Nullable String header, String coding) {
    String name = coding(coding);
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : entries(header)) {
      entries.add(new Entry(coding(entry.value), entry.quality, entry.params, entry.originalIndex));
    }
    return weight(entries, name, name.equals(IDENTITY) ? 1 : 0) > 0;
  }

  /**
   * Returns the content codings that a client accepts (RFC 9110 section 12.5.3). A {@code *}
   * matches codings that are not listed. The name {@code x-gzip} is equal to {@code gzip}; names
   * are case-insensitive. If {@code identity} is listed, codings with a lower weight are left out.
   *
   * @param header the value of the Accept-Encoding header, or null
   * @param offers codings in lower case, in order of the server's preference
   * @return the accepted offers, highest weight first; empty if the header is absent
   */
  public static List<String> codings(@Nullable String header, List<String> offers) {
    Map<String, Double> weights = new HashMap<>();
    for (Entry entry : readable(header)) {
      weights.putIfAbsent(coding(entry.value), Double.isNaN(entry.quality) ? 0 : entry.quality);
    }
    double others = weights.getOrDefault("*", 0.0);
    double plain = weights.getOrDefault(IDENTITY, 0.0);
    ToDoubleFunction<String> weight = offer -> weights.getOrDefault(offer, others);
    return offers.stream()
        .distinct()
        .filter(offer -> weight.applyAsDouble(offer) > 0)
        .filter(offer -> weight.applyAsDouble(offer) >= plain)
        .sorted(Comparator.comparingDouble(weight).reversed())
        .toList();
  }

  /**
   * Returns the name of a coding in lower case, without the prefix of {@code x-gzip} and {@code
   * x-compress}.
   */
  static String coding(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals("x-gzip") || lower.equals("x-compress") ? lower.substring(2) : lower;
  }

  /** Returns the weight of a value: of its own entry, else of {@code *}, else the default. */
  private static double weight(List<Entry> entries, String value, double otherwise) {
    double named = NO_MATCH;
    double star = NO_MATCH;
    for (Entry entry : entries) {
      if (HeaderText.sameName(entry.value, value)) {
        named = Math.max(named, entry.quality);
      } else if (entry.value.equals("*")) {
        star = Math.max(star, entry.quality);
      }
    }
    return named >= 0 ? named : star >= 0 ? star : otherwise;
  }

  /**
   * Returns true if a language range or tag equals another one or consists of its first subtags.
   */
  private static boolean begins(String beginning, String tag) {
    int length = beginning.length();
    return !beginning.isEmpty()
        && tag.regionMatches(true, 0, beginning, 0, length)
        && (tag.length() == length || tag.charAt(length) == '-');
  }

  /** Returns the index of the best offer; -1 if none is acceptable. */
  private static int best(List<Entry> ranges, List<Entry> types, boolean lenient) {
    int best = NO_MATCH;
    int bestRank = NO_MATCH;
    Entry bestRange = null;
    for (Entry type : types) {
      Entry range = null;
      int rank = NO_MATCH;
      for (Entry candidate : ranges) {
        int known = range == null ? NO_MATCH : rank;
        int next = rank(candidate, type, lenient);
        if (next > known || (range != null && next == known && candidate.quality > range.quality)) {
          range = candidate;
          rank = next;
        }
      }
      if (range != null
          && range.quality > 0
          && (bestRange == null || precedes(range, rank, bestRange, bestRank))) {
        best = type.originalIndex;
        bestRank = rank;
        bestRange = range;
      }
    }
    return best;
  }

  private static boolean precedes(Entry range, int rank, Entry other, int otherRank) {
    if (range.quality != other.quality) {
      return range.quality > other.quality;
    }
    return rank > otherRank || (rank == otherRank && range.originalIndex < other.originalIndex);
  }

  /**
   * Returns how specifically a media range matches a type; -1 if it does not.
   *
   * @param lenient whether to ignore parameters that the type does not have
   */
  private static int rank(Entry range, Entry type, boolean lenient) {
    boolean everything = range.value.equals("*");
    String subtype = everything ? "*" : range.subtype();
    if (subtype == null || type.subtype() == null) {
      return NO_MATCH;
    }
    int rank = 1;
    if (HeaderText.sameName(range.type(), type.type())) {
      rank += 4;
    } else if (!range.type().equals("*")) {
      return NO_MATCH;
    }
    if (HeaderText.sameName(subtype, String.valueOf(type.subtype()))) {
      rank += 2;
    } else if (!subtype.equals("*")) {
      return NO_MATCH;
    }
    for (Map.Entry<String, @Nullable String> param : range.params.entrySet()) {
      if (!HeaderText.sameName(param.getKey(), "charset")) {
        String own = type.param(param.getKey());
        if (own == null && lenient) {
          rank = 0; // less specific than any other match
        } else if (own == null || !own.equalsIgnoreCase(param.getValue())) {
          return NO_MATCH;
        } else if (rank > 0) {
          rank = rank | 8;
        }
      }
    }
    return rank;
  }

  /** Returns the entries of a header in order, without those with an invalid weight. */
  private static List<Entry> entries(@Nullable String header) {
    return weighted(readable(header));
  }

  private static List<Entry> weighted(List<Entry> listed) {
    List<Entry> entries = new ArrayList<>(listed);
    entries.removeIf(entry -> Double.isNaN(entry.quality));
    return entries;
  }

  private static List<Entry> readable(@Nullable String header) {
    if (header == null) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    for (String text : QuotedText.split(header, ',')) {
      if (!text.isEmpty()) {
        entries.add(Entry.parse(text, entries.size()));
      }
    }
    return Collections.unmodifiableList(entries);
  }

  /**
   * An entry of a list with weights.
   *
   * @param value the entry without parameters
   * @param quality the weight {@code q}; 1 if it is absent
   * @param params the other parameters; the value is null for a parameter without {@code =}
   * @param originalIndex the entry's position in the header, from 0
   */
  public record Entry(
      String value, double quality, Map<String, @Nullable String> params, int originalIndex) {

    /**
     * Returns the part before the slash.
     *
     * @return the type; the whole value if it has no slash
     */
    public String type() {
      int slash = value.indexOf('/');
      return slash < 0 ? value : value.substring(0, slash);
    }

    /**
     * Returns the part after the slash, up to a second slash.
     *
     * @return the subtype; null if the value has no slash
     */
    public @Nullable String subtype() {
      int slash = value.indexOf('/');
      if (slash < 0) {
        return null;
      }
      int end = value.indexOf('/', slash + 1);
      return value.substring(slash + 1, end < 0 ? value.length() : end);
    }

    /** Returns the value of a parameter; null if it is absent. Names are case-insensitive. */
    private @Nullable String param(String name) {
      for (Map.Entry<String, @Nullable String> param : params.entrySet()) {
        if (HeaderText.sameName(param.getKey(), name)) {
          return param.getValue();
        }
      }
      return null;
    }

    private static Entry parse(String text, int index) {
      List<String> pieces = QuotedText.split(text, ';');
      Map<String, @Nullable String> params = new LinkedHashMap<>();
      double quality = 1;
      for (String piece : pieces.subList(1, pieces.size())) {
        int equals = piece.indexOf('=');
        String name = ListText.trim(equals < 0 ? piece : piece.substring(0, equals));
        String value = equals < 0 ? null : ListText.trim(piece.substring(equals + 1));
        if (HeaderText.sameName(name, "q")) {
          quality = Math.min(1, Math.max(0, LeadingNumber.parse(value)));
        } else if (!name.isEmpty()) {
          params.put(name, value == null ? null : QuotedText.unquoted(value));
        }
      }
      return new Entry(pieces.get(0), quality, Collections.unmodifiableMap(params), index);
    }
  }
}
