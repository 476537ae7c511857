package dev.percolate.reliability.differential;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader has made of the bytes of one connection.
 *
 * @param messages the requests whose heads it took, in order; the last may not be whole
 * @param refused why it read no further; null if it has taken all bytes
 * @param marks where in the bytes it was, if it says so: the start of each message, then of its
 *     body, and in the end the piece that was refused
 */
public record Reading(List<Message> messages, @Nullable String refused, Marks marks) {

  /**
   * Where a reader was.
   *
   * @param heads where each head begins, and the one that did not become one
   * @param bodies where each body begins
   * @param place where the line or the byte lies that was refused
   */
  public record Marks(List<Integer> heads, List<Integer> bodies, Place place) {

    /** Those of a reader that does not say. */
    static final Marks NONE = new Marks(List.of(), List.of(), Place.NONE);
  }

  /**
   * What was refused: a line of a head, a head as a whole, or a byte of a body.
   *
   * @param part which of them
   * @param from where it begins
   * @param to where it ends
   */
  public record Place(Part part, int from, int to) {

    /** Nothing was. */
    public static final Place NONE = new Place(Part.NOTHING, 0, 0);
  }

  /** What of a message was refused. */
  public enum Part {
    NOTHING,
    LINE,
    HEAD,
    BODY
  }

  /** Creates the reading of a reader that does not say where it was. */
  static Reading of(List<Message> messages, @Nullable String refused) {
    return new Reading(List.copyOf(messages), refused, Marks.NONE);
  }

  /** Tells whether the head at a place was refused; what comes behind it was not looked at. */
  boolean refusesHead(int index) {
    return refused != null
        && (index > messages.size() || (index == messages.size() && endsWhole()));
  }

  /** Tells whether the body at a place was refused, after its head had been taken. */
  boolean refusesBody(int index) {
    return refused != null && index == messages.size() - 1 && !endsWhole();
  }

  private boolean endsWhole() {
    return messages.isEmpty() || messages.get(messages.size() - 1).isWhole();
  }
}
