package dev.percolate.reliability.differential;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of reading the bytes of one connection.
 *
 * @param messages the requests with accepted heads, in order; the last may be incomplete
 * @param rejected why reading stopped; null if all bytes were accepted
 * @param marks positions in the bytes, if the reader reports them: the start of each message and of
 *     its body, and the rejected part
 */
public record Reading(List<Message> messages, @Nullable String rejected, Marks marks) {

  /**
   * The positions of a reader.
   *
   * @param heads the start of each head, and of the one that was not accepted
   * @param bodies the start of each body
   * @param place the position of the rejected line or byte
   */
  public record Marks(List<Integer> heads, List<Integer> bodies, Place place) {

    /** The marks of a reader that does not report positions. */
    static final Marks NONE = new Marks(List.of(), List.of(), Place.NONE);
  }

  /**
   * The rejected part: a line of a head, a head as a whole, or a byte of a body.
   *
   * @param part the kind of part
   * @param from its start
   * @param to its end
   */
  public record Place(Part part, int from, int to) {

    /** Nothing was rejected. */
    public static final Place NONE = new Place(Part.NOTHING, 0, 0);
  }

  /** A part of a message that can be rejected. */
  public enum Part {
    NOTHING,
    LINE,
    HEAD,
    BODY
  }

  /** Creates the reading of a reader that does not report positions. */
  static Reading of(List<Message> messages, @Nullable String rejected) {
    return new Reading(List.copyOf(messages), rejected, Marks.NONE);
  }

  /** Returns true if the head at an index was rejected; later bytes were not read. */
  boolean rejectsHead(int index) {
    return rejected != null
        && (index > messages.size() || (index == messages.size() && endsWhole()));
  }

  /** Returns true if the body at an index was rejected, after its head had been accepted. */
  boolean rejectsBody(int index) {
    return rejected != null && index == messages.size() - 1 && !endsWhole();
  }

  private boolean endsWhole() {
    return messages.isEmpty() || messages.get(messages.size() - 1).isWhole();
  }
}
