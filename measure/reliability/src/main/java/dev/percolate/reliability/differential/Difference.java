package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.reliability.differential.Reading.Part;
import dev.percolate.reliability.differential.Reading.Place;
import org.jspecify.annotations.Nullable;

/**
 * The first difference between two readers.
 *
 * @param kind the kind of difference
 * @param index the index of the message
 * @param bytes all bytes, one character each
 * @param ours the reading of the nio engine
 * @param theirs the reading of the other
 */
record Difference(Kind kind, int index, String bytes, Reading ours, Reading theirs) {

  /** The kind of a difference. */
  enum Kind {
    /** The nio engine rejects what the other accepts, or waits for more of. */
    STRICTER,
    /** The nio engine accepts what the other rejects, or waits for more of it. */
    LAXER,
    /** Both accept a head but read it differently, or one accepts it while the other waits. */
    HEAD,
    /** The same for a body. */
    BODY
  }

  /** Returns the first difference, or null. */
  static @Nullable Difference between(byte[] data, Reading ours, Reading theirs) {
    int most = Math.max(ours.messages().size(), theirs.messages().size());
    for (int i = 0; i <= most; i++) {
      Kind kind = head(ours, theirs, i);
      if (kind == null && i < ours.messages().size()) {
        kind = body(ours, theirs, i);
      }
      if (kind != null) {
        return new Difference(kind, i, new String(data, ISO_8859_1), ours, theirs);
      }
      if (i >= ours.messages().size() || !ours.messages().get(i).isWhole()) {
        break;
      }
    }
    return null;
  }

  private static @Nullable Kind head(Reading ours, Reading theirs, int i) {
    Kind kind = rejected(ours.rejectsHead(i), theirs.rejectsHead(i));
    boolean taken = i < ours.messages().size();
    boolean takenToo = i < theirs.messages().size();
    if (kind == null && (taken || takenToo)) {
      boolean same =
          taken && takenToo && ours.messages().get(i).hasHeadOf(theirs.messages().get(i));
      kind = same ? null : Kind.HEAD;
    }
    return kind;
  }

  private static @Nullable Kind body(Reading ours, Reading theirs, int i) {
    Kind kind = rejected(ours.rejectsBody(i), theirs.rejectsBody(i));
    Message our = ours.messages().get(i);
    Message their = theirs.messages().get(i);
    if (kind == null && !ours.rejectsBody(i)) {
      boolean same = our.isWhole() == their.isWhole() && our.body().equals(their.body());
      kind = same ? null : Kind.BODY;
    }
    return kind;
  }

  private static @Nullable Kind rejected(boolean byUs, boolean byThem) {
    if (byUs == byThem) {
      return null;
    }
    return byUs ? Kind.STRICTER : Kind.LAXER;
  }

  /**
   * Returns the part that the other rejects although the nio engine accepts it: the head of a
   * message, or its body. Returns null if it rejects nothing, or the nio engine has not accepted
   * all of it.
   */
  @Nullable String rejectedByThem() {
    if (kind != Kind.LAXER || index >= ours.messages().size()) {
      return null;
    }
    if (theirs.rejectsHead(index)) {
      return "head " + index;
    }
    return ours.messages().get(index).isWhole() ? "body " + index : null;
  }

  /** Returns the part of a message that the nio engine rejected. */
  Part part() {
    return ours.marks().place().part();
  }

  /** Returns the rejected bytes: a line with its end, a head, or one byte of a body. */
  String rejected() {
    Place place = ours.marks().place();
    return bytes.substring(place.from(), place.to());
  }

  /** Returns the bytes after the rejected ones. */
  String behind() {
    return bytes.substring(ours.marks().place().to());
  }

  /** Returns the head with the difference, as far as it is complete. */
  String head() {
    if (index >= ours.marks().heads().size()) {
      return "";
    }
    boolean whole = index < ours.marks().bodies().size();
    int end =
        whole ? ours.marks().bodies().get(index) : Math.max(from(), ours.marks().place().to());
    return bytes.substring(from(), end);
  }

  /** Returns the body after that head, as it was sent. */
  String body() {
    if (index >= ours.marks().bodies().size()) {
      return "";
    }
    boolean last = index + 1 >= ours.marks().heads().size();
    int end = last ? bytes.length() : ours.marks().heads().get(index + 1);
    return bytes.substring(ours.marks().bodies().get(index), end);
  }

  /** Returns the last line of a rejected body, up to the rejected byte. */
  String chunkLine() {
    int end = ours.marks().place().to();
    int start = bytes.lastIndexOf('\n', end - 2) + 1;
    int body = index < ours.marks().bodies().size() ? ours.marks().bodies().get(index) : start;
    return bytes.substring(Math.max(start, body), end);
  }

  private int from() {
    return ours.marks().heads().get(index);
  }
}
