package dev.percolate.reliability.differential;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.percolate.reliability.differential.Reading.Part;
import dev.percolate.reliability.differential.Reading.Place;
import org.jspecify.annotations.Nullable;

/**
 * Where two readers part first.
 *
 * @param kind how they differ
 * @param index which message it is
 * @param bytes all bytes, one character each
 * @param ours what we have read
 * @param theirs what the other has read
 */
record Difference(Kind kind, int index, String bytes, Reading ours, Reading theirs) {

  /** How two readers differ. */
  enum Kind {
    /** We refuse what the other takes, or waits for more of. */
    STRICTER,
    /** We take what the other refuses, or wait for more of it. */
    LAXER,
    /** Both take a head, and have read it differently, or one takes what the other waits for. */
    HEAD,
    /** The same of a body. */
    BODY
  }

  /** Returns the first difference; null if there is none. */
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
    Kind kind = refused(ours.refusesHead(i), theirs.refusesHead(i));
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
    Kind kind = refused(ours.refusesBody(i), theirs.refusesBody(i));
    Message our = ours.messages().get(i);
    Message their = theirs.messages().get(i);
    if (kind == null && !ours.refusesBody(i)) {
      boolean same = our.isWhole() == their.isWhole() && our.body().equals(their.body());
      kind = same ? null : Kind.BODY;
    }
    return kind;
  }

  private static @Nullable Kind refused(boolean byUs, boolean byThem) {
    if (byUs == byThem) {
      return null;
    }
    return byUs ? Kind.STRICTER : Kind.LAXER;
  }

  /**
   * Returns what the other refuses though we take it: the head of a message, or its body; null if
   * it refuses nothing, or we have not taken it all.
   */
  @Nullable String refusedByThem() {
    if (kind != Kind.LAXER || index >= ours.messages().size()) {
      return null;
    }
    if (theirs.refusesHead(index)) {
      return "head " + index;
    }
    return ours.messages().get(index).isWhole() ? "body " + index : null;
  }

  /** Returns which part of a message we have refused. */
  Part part() {
    return ours.marks().place().part();
  }

  /** Returns what we have refused: a line with its end, a head, or one byte of a body. */
  String refused() {
    Place place = ours.marks().place();
    return bytes.substring(place.from(), place.to());
  }

  /** Returns what lies behind what we have refused. */
  String behind() {
    return bytes.substring(ours.marks().place().to());
  }

  /** Returns the head where they part, as far as it goes. */
  String head() {
    if (index >= ours.marks().heads().size()) {
      return "";
    }
    boolean whole = index < ours.marks().bodies().size();
    int end =
        whole ? ours.marks().bodies().get(index) : Math.max(from(), ours.marks().place().to());
    return bytes.substring(from(), end);
  }

  /** Returns the body that follows that head, as it was sent. */
  String body() {
    if (index >= ours.marks().bodies().size()) {
      return "";
    }
    boolean last = index + 1 >= ours.marks().heads().size();
    int end = last ? bytes.length() : ours.marks().heads().get(index + 1);
    return bytes.substring(ours.marks().bodies().get(index), end);
  }

  /** Returns the last line of a body that we refuse, up to the byte that was refused. */
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
